import { AppError } from '../kernel/app-error.ts'

const mostDeep = 100
const mostItems = 10_000
const mostKeys = 1000
const mostValues = 40_000

/** Parses a JSON body and refuses values that could not be stored exactly. */
export function readJson(text: string): unknown {
  if (text === '') return undefined
  refuseManyKeys(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AppError('bad_request', `The body is not valid JSON: ${(error as Error).message.slice(0, 120)}`)
  }
  check(value, 1, { values: 0 })
  return value
}

/** Parsing an object with 60,000 keys takes 90 ms, counting them 1 ms. Quotes inside strings are escaped, so these are keys. */
function refuseManyKeys(text: string) {
  let keys = 0
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) keys++
  if (keys > mostValues) throw tooLarge(`The body has more than ${mostValues} values. Split it into several requests.`)
}

/** The same for values from the path or the query string. */
export const refuseUnstorable = (values: object) => check(values, 1, { values: 0 })

/** Limits the size before validation, which takes time for each value. */
function check(value: unknown, depth: number, seen: { values: number }): void {
  if (++seen.values > mostValues)
    throw tooLarge(`The body has more than ${mostValues} values. Split it into several requests.`)
  if (typeof value === 'string') checkText(value)
  if (typeof value === 'number') checkNumber(value)
  if (typeof value !== 'object' || value === null) return
  if (depth > mostDeep) throw new AppError('bad_request', `The body is nested more than ${mostDeep} levels deep.`)
  if (Array.isArray(value)) {
    if (value.length > mostItems)
      throw tooLarge(`A list in the body has more than ${mostItems} items. Split it into several requests.`)
    for (const item of value) check(item, depth + 1, seen)
    return
  }
  let keys = 0
  for (const key in value) {
    if (++keys > mostKeys) throw tooLarge(`An object in the body has more than ${mostKeys} properties.`)
    if (key === '__proto__') throw new AppError('bad_request', 'A property cannot be named __proto__.')
    checkText(key)
    check((value as Record<string, unknown>)[key], depth + 1, seen)
  }
}

const tooLarge = (message: string) => new AppError('too_large', message)

function checkText(text: string) {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new AppError('bad_request', 'Text cannot contain the NUL character or half of a surrogate pair.')
  }
}

function checkNumber(number: number) {
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new AppError(
      'bad_request',
      `Whole numbers beyond ${Number.MAX_SAFE_INTEGER} cannot be stored exactly. Use a smaller number.`,
    )
  }
}
