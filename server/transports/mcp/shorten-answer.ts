// Limits the length of answers to what an agent can read. A shortened answer says what was omitted.
import { mostAnswerBytes } from '../../../contract/limits.ts'
import type { Json } from './offer.ts'
import { type Cut, type Part, schemaCuts } from './shorten-schema.ts'

export const fitsAsItIs = (text: string) => text.length * 3 <= mostAnswerBytes || bytesOf(text) <= mostAnswerBytes
const bytesOf = (text: string) => Buffer.byteLength(text)

/** The answer as JSON, shortened if necessary. */
export function fitted(operation: string, answer: Json, hint = ''): string {
  let part: Part = { answer, hint }
  if (!hint && fitsAsItIs(JSON.stringify(answer))) return JSON.stringify(answer)
  const fits = (shorter: Part) => fitsAsItIs(written(shorter))
  for (const cut of cutsFor(operation, answer)) {
    if (fits(part)) break
    part = cut(part, fits)
  }
  return written(part)
}

const written = ({ answer, hint }: Part) => JSON.stringify({ ...answer, truncated: true, hint: hint.trim() })

/** In the history, long texts are cut before whole changes are omitted. */
export function terse(operation: string, answer: Json): Part {
  if (operation !== 'listChanges') return { answer, hint: '' }
  return { answer: shortened(answer, 500) as Json, hint: 'Texts longer than 500 characters are cut and end with ….' }
}

function cutsFor(operation: string, answer: Json): Cut[] {
  if (operation === 'describeSchema') return [...schemaCuts, ...always]
  return recordsWritten.test(operation) && Array.isArray(answer.records) ? [onlyNames, onlyIds] : always
}
const recordsWritten = /^(create|update|upsert|delete|link|unlink)Records$/

/** After a write every record is listed, because the caller must know what was written. */
const onlyOf =
  (...keys: string[]): Cut =>
  ({ answer }) => {
    const records = (answer.records as Json[]).map((record) =>
      Object.fromEntries(keys.flatMap((key) => (key in record ? [[key, record[key]]] : []))),
    )
    const done = answer.dry_run ? 'Nothing was written: this is a preview.' : 'Everything was written.'
    return { answer: { ...answer, records }, hint: `${done} Only names are shown. Read the records with get_records.` }
  }
const onlyNames = onlyOf('id', 'version', 'title', 'is_new')
const onlyIds = onlyOf('id', 'version', 'is_new')

/** The first items of the longest list, at least one. */
const firstItems: Cut = (part, fits) => {
  const key = largest(part.answer, Array.isArray)
  const list = key ? (part.answer[key] as unknown[]) : []
  if (!key || list.length < 2) return part
  const first = (count: number): Part => ({
    answer: { ...part.answer, [key]: list.slice(0, count) },
    hint: `${part.hint} Only ${count} of ${list.length} ${key} fit. Request the others in another call, or request fewer fields.`,
  })
  for (let count = list.length - 1; count > 1; count = Math.floor(count * 0.8))
    if (fits(first(count))) return first(count)
  return first(1)
}

/** Cuts all long texts to the same length. */
const shorterTexts: Cut = (part, fits) => {
  const cutTo = (most: number): Part => ({
    answer: shortened(part.answer, most) as Json,
    hint: `${part.hint} Texts longer than ${most} characters are cut and end with ….`,
  })
  for (let most = 8000; most > 200; most /= 2) if (fits(cutTo(most))) return cutTo(most)
  return cutTo(200)
}

/** Omits the largest part. */
const withoutLargest: Cut = (part) => {
  const key = largest(part.answer, () => true)
  if (!key) return part
  const { [key]: _, ...answer } = part.answer
  return { answer, hint: `${part.hint} ${key} is omitted because it is too long.` }
}

const always: Cut[] = [firstItems, shorterTexts, withoutLargest]

/** The key of the longest value that meets the condition. */
function largest(answer: Json, isCandidate: (value: unknown) => boolean) {
  const sizes = Object.entries(answer).flatMap(([key, value]) =>
    isCandidate(value) ? [{ key, size: JSON.stringify(value)?.length ?? 0 }] : [],
  )
  return sizes.toSorted((a, b) => b.size - a.size)[0]?.key
}

function shortened(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.length > most ? `${value.slice(0, most).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.map((item) => shortened(item, most))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item, most)]))
}
