// No answer is longer than an agent can read at once: what does not fit is left out, and the answer says so.
import { mostAnswerBytes } from '../../../contract/limits.ts'
import { type Cut, type Part, schemaCuts } from './fit-schema.ts'
import type { Json } from './offer.ts'

export const fitsAsItIs = (text: string) => text.length * 3 <= mostAnswerBytes || bytesOf(text) <= mostAnswerBytes
const bytesOf = (text: string) => Buffer.byteLength(text)

/** As JSON, cut as far as it must be. */
export function fitted(operation: string, answer: Json, hint = ''): string {
  let part: Part = { answer, hint }
  if (!hint && fitsAsItIs(JSON.stringify(answer))) return JSON.stringify(answer)
  const fits = (one: Part) => fitsAsItIs(written(one))
  for (const cut of cutsFor(operation, answer)) {
    if (fits(part)) break
    part = cut(part, fits)
  }
  return written(part)
}

const written = ({ answer, hint }: Part) => JSON.stringify({ ...answer, truncated: true, hint: hint.trim() })

/** What something was before is worth a glance, not a page: of history, texts are cut before whole changes are. */
export function terse(operation: string, answer: Json): Part {
  if (operation !== 'listChanges') return { answer, hint: '' }
  return { answer: shortened(answer, 500) as Json, hint: 'Texts are cut after 500 characters, where they end with ….' }
}

function cutsFor(operation: string, answer: Json): Cut[] {
  if (operation === 'describeSchema') return [...schemaCuts, ...always]
  return recordsWritten.test(operation) && Array.isArray(answer.records) ? [onlyNames, onlyIds] : always
}
const recordsWritten = /^(create|update|upsert|delete|link|unlink)Records$/

/** Of what was written, every record is named: whoever wrote it must know. */
const onlyOf =
  (...keys: string[]): Cut =>
  ({ answer }) => {
    const records = (answer.records as Json[]).map((record) =>
      Object.fromEntries(keys.flatMap((key) => (key in record ? [[key, record[key]]] : []))),
    )
    const done = answer.dry_run ? 'Nothing was written: this is a preview.' : 'Everything was written.'
    return { answer: { ...answer, records }, hint: `${done} Only names are shown; read records with get_records.` }
  }
const onlyNames = onlyOf('id', 'version', 'title')
const onlyIds = onlyOf('id', 'version')

/** The first items of the longest list, at least one. */
const firstItems: Cut = (part, fits) => {
  const key = largest(part.answer, Array.isArray)
  const list = key ? (part.answer[key] as unknown[]) : []
  if (!key || list.length < 2) return part
  const first = (count: number): Part => ({
    answer: { ...part.answer, [key]: list.slice(0, count) },
    hint: `${part.hint} Only ${count} of ${list.length} ${key} fit. Ask for the others in another call, or for fewer fields.`,
  })
  for (let count = list.length - 1; count > 1; count = Math.floor(count * 0.8))
    if (fits(first(count))) return first(count)
  return first(1)
}

/** Long texts, each to the same length. */
const shorterTexts: Cut = (part, fits) => {
  const cutTo = (most: number): Part => ({
    answer: shortened(part.answer, most) as Json,
    hint: `${part.hint} Texts are cut after ${most} characters, where they end with ….`,
  })
  for (let most = 8000; most > 200; most /= 2) if (fits(cutTo(most))) return cutTo(most)
  return cutTo(200)
}

/** What is left without its largest part. */
const withoutLargest: Cut = (part) => {
  const key = largest(part.answer, () => true)
  if (!key) return part
  const { [key]: _, ...answer } = part.answer
  return { answer, hint: `${part.hint} ${key} is left out, because it is too long.` }
}

const always: Cut[] = [firstItems, shorterTexts, withoutLargest]

/** The key of the longest value of a kind. */
function largest(answer: Json, is: (value: unknown) => boolean) {
  const sizes = Object.entries(answer).flatMap(([key, value]) =>
    is(value) ? [{ key, size: JSON.stringify(value)?.length ?? 0 }] : [],
  )
  return sizes.toSorted((a, b) => b.size - a.size)[0]?.key
}

function shortened(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.length > most ? `${value.slice(0, most).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.map((one) => shortened(one, most))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one, most)]))
}
