// Limits the length of answers to what an agent can read. A shortened answer says what was omitted.
import { mostAnswerBytes } from '../../../contract/shared/limits.ts'
import type { Json } from './catalog.ts'
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
  if (operation === 'queryDashboard') return [shorterWidgets, ...always]
  return recordsWritten.test(operation) && Array.isArray(answer.records) ? [fewDuplicates, onlyNames, onlyIds] : always
}
const recordsWritten = /^(create|update|upsert|delete|link|unlink)Records$/

/** After a write every record is listed, because the caller must know what was written. */
const onlyOf =
  (...keys: string[]): Cut =>
  ({ answer, hint }) => {
    const records = (answer.records as Json[]).map((record) =>
      Object.fromEntries(keys.flatMap((key) => (key in record ? [[key, record[key]]] : []))),
    )
    const done = answer.dry_run ? 'Nothing was written: this is a preview.' : 'Everything was written.'
    const advice = `${done} Only names are shown. Read the records with get_records.`
    return { answer: { ...answer, records }, hint: hint.includes(advice) ? hint : `${hint} ${advice}` }
  }
const onlyNames = onlyOf('id', 'version', 'title', 'is_new')
const onlyIds = onlyOf('id', 'version', 'is_new')

/** Of many records with duplicates, those of the first: the others can be asked for. */
const fewDuplicates: Cut = ({ answer, hint }) => {
  const duplicates = answer.duplicates as Json[] | undefined
  if (!duplicates || duplicates.length <= mostWithDuplicates) return { answer, hint }
  const few = duplicates.slice(0, mostWithDuplicates)
  const rest = `Duplicates of the first ${few.length} of ${duplicates.length} records are shown; get_duplicates finds all.`
  return { answer: { ...answer, duplicates: few }, hint: `${hint} ${rest}` }
}
const mostWithDuplicates = 10

/** The first items of the longest list, at least one. */
const firstItems: Cut = (part, fits) => {
  const key = largest(part.answer, Array.isArray)
  const list = key ? (part.answer[key] as unknown[]) : []
  if (!key || list.length < 2) return part
  const first = (count: number): Part => ({
    answer: { ...part.answer, [key]: list.slice(0, count) },
    hint: `${part.hint} Only ${count} of ${list.length} ${key} fit. Ask for less at once: fewer records or fields, or a shorter period.`,
  })
  for (let count = list.length - 1; count > 1; count = Math.floor(count * 0.8))
    if (fits(first(count))) return first(count)
  return first(1)
}

/** Takes from the longest widget first, so that every widget is there with its most important figures. */
const shorterWidgets: Cut = (part, fits) => {
  const widgets = [...(part.answer.widgets as Json[])]
  const cut = new Set<number>()
  const sofar = (): Part => ({
    answer: { ...part.answer, widgets },
    hint: `${part.hint} These widgets are cut: ${[...cut].map((i) => widgets[i]!.id).join(', ')}. Request one alone to see more of it: {"widgets": ["${widgets[[...cut][0]!]!.id}"]}.`,
  })
  const sizes = widgets.map((widget) => JSON.stringify(widget).length)
  for (let tries = 0; tries < mostHalvings; tries++) {
    const longest = sizes.indexOf(Math.max(...sizes))
    const list = longestList(widgets[longest])
    // Nothing in it can be left out, so the others must be shorter.
    if (!list) sizes[longest] = 0
    else {
      widgets[longest] = replaced(widgets[longest], list, list.slice(0, Math.ceil(list.length / 2))) as Json
      sizes[longest] = JSON.stringify(widgets[longest]).length
      cut.add(longest)
      if (fits(sofar())) return sofar()
    }
    if (sizes.every((size) => size === 0)) break
  }
  return cut.size ? sofar() : part
}
const mostHalvings = 500

/** The list in a value that takes the most room, of those with several items. */
function longestList(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const own = Array.isArray(value) && value.length > 1 ? [value] : []
  const inner = Object.values(value).flatMap((item) => {
    const list = longestList(item)
    return list ? [list] : []
  })
  const size = (list: unknown[]) => JSON.stringify(list).length
  return [...own, ...inner].toSorted((a, b) => size(b) - size(a))[0]
}

/** The value with one of the lists in it replaced. */
function replaced(value: unknown, list: unknown[], by: unknown[]): unknown {
  if (value === list) return by
  if (Array.isArray(value)) return value.map((item) => replaced(item, list, by))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, list, by)]))
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
