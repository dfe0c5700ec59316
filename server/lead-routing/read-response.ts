// What the answer of a destination means.
import type { AnswerRule, answerResults } from '../../contract/lead-destinations.ts'
import { own } from '../../contract/shared/own.ts'

export type Result = (typeof answerResults)[number] | 'failed' | 'unknown'
export type Meaning = { result: Result; reason: string | null; price: number | null }
type Mapping = { rules: AnswerRule[]; reason_path: string | null; price_path: string | null }

export function meaningOf({ rules, reason_path, price_path }: Mapping, status: number, body: string): Meaning {
  const content = jsonOf(body)
  const rule = rules.find((one) => applies(one, status, content))
  const result = rule?.result ?? usual(status)
  const given = reason_path ? at(content, reason_path) : undefined
  const price = Number(price_path ? (at(content, price_path) ?? Number.NaN) : Number.NaN)
  return {
    result,
    reason: result === 'accepted' ? null : given === undefined ? wordsFor(result, status) : textOf(given),
    price: result === 'accepted' && Number.isFinite(price) && price >= 0 && price <= 1_000_000 ? price : null,
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Receivers may answer with anything.
    return undefined
  }
}

function applies({ status: wanted, path, equals }: AnswerRule, status: number, content: unknown) {
  if (wanted !== null && wanted !== String(status) && wanted !== `${String(status)[0]}xx`) return false
  if (path === null) return true
  const found = at(content, path)
  if (found === undefined) return false
  return equals === null || textOf(found).toLowerCase() === String(equals).toLowerCase()
}

/** The value at a path such as `result.items.0.status`. */
function at(content: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Array.isArray(value) ? value[Number(name)] : own(value as Record<string, unknown>, name)
  }, content)
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 300)

const busy = [408, 425, 429]

function usual(status: number): Result {
  if (status >= 200 && status < 300) return 'accepted'
  if (status === 409) return 'duplicate'
  return status >= 500 || busy.includes(status) ? 'again' : 'rejected'
}

function wordsFor(result: Result, status: number) {
  if (status >= 300 && status < 400)
    return `The destination responded with ${status}, a redirect. Redirects are not followed: enter the final URL.`
  if (status === 401 || status === 403) return `The destination responded with ${status}. Check its authentication.`
  if (result === 'duplicate') return `The destination responded with ${status}: it already has this lead.`
  return `The destination responded with ${status}.`
}
