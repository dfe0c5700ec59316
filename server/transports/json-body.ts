import { AppError } from '../kernel/app-error.ts'

const mostDeep = 100

/** Reads a JSON body and refuses what could not be kept as it was sent. */
export function readJson(text: string): unknown {
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AppError('bad_request', `The body is not valid JSON: ${(error as Error).message.slice(0, 120)}`)
  }
  check(value, 1)
  return value
}

function check(value: unknown, depth: number): void {
  if (typeof value === 'string') checkText(value)
  if (typeof value === 'number') checkNumber(value)
  if (typeof value !== 'object' || value === null) return
  if (depth > mostDeep) throw new AppError('bad_request', `The body is nested more than ${mostDeep} levels deep.`)
  if (Array.isArray(value)) {
    for (const item of value) check(item, depth + 1)
    return
  }
  for (const key in value) {
    if (key === '__proto__') throw new AppError('bad_request', 'A property may not be called __proto__.')
    checkText(key)
    check((value as Record<string, unknown>)[key], depth + 1)
  }
}

function checkText(text: string) {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new AppError('bad_request', 'Text may not contain the NUL character or half of a surrogate pair.')
  }
}

function checkNumber(number: number) {
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new AppError('bad_request', 'A whole number beyond 2^53 would be rounded. Send it as text.')
  }
}
