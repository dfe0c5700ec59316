// Which fields of a found record the terms are in. Only fields that the caller may read are looked at.
import { countryName } from '../../../contract/regions/countries.ts'
import { own } from '../../../contract/shared/own.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'
import { textTypes } from '../values/title.ts'
import { ranks } from './conditions.ts'
import type { Found } from './find.ts'
import { type Range, rangesOf } from './ranges.ts'
import type { Term } from './terms.ts'

export type Matched = { field: string; text?: string; ranges: Range[] }
type FieldText = { field: string; text: string }

const mostFields = 3
const mostText = 120
/** What stands before a match in a long text. */
const mostBefore = 40

/** The title first, then as many fields as are needed to show every term once. */
export function matchedIn(schema: Schema, seen: ObjectSchema, found: Found, terms: Term[]): Matched[] {
  const isLoose = found.rank >= ranks.looser
  const matched: Matched[] = []
  let left = terms
  for (const { field, text } of placesIn(schema, seen, found)) {
    const inThis = left.map((term) => ({ term, ranges: rangesOf(term, text, isLoose && field === 'title') }))
    const ranges = joined(inThis.flatMap((one) => one.ranges))
    if (ranges.length) matched.push(field === 'title' ? { field, ranges } : { field, ...excerpt(text, ranges) })
    left = inThis.filter((one) => !one.ranges.length).map(({ term }) => term)
    if (!left.length || matched.length === mostFields) break
  }
  return matched
}

function* placesIn(schema: Schema, seen: ObjectSchema, { title, values, organization }: Found): Generator<FieldText> {
  yield { field: 'title', text: title }
  const link = seen.fields.find(({ id }) => id === organization?.field_id)
  if (link && organization) yield { field: link.key, text: organization.title }
  for (const field of seen.fields)
    for (const value of [own(values, field.key) ?? []].flat())
      for (const text of textsOf(schema, field, value)) yield { field: field.key, text }
}

function textsOf({ language }: Schema, { type }: Field, value: unknown) {
  if (textTypes.has(type)) return [String(value)]
  return type === 'country'
    ? [countryName(String(value), language), countryName(String(value), 'en'), String(value)]
    : []
}

/** In order, without overlaps. */
function joined(ranges: Range[]) {
  const all: Range[] = []
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all
}

function excerpt(text: string, ranges: Range[]): { text: string; ranges: Range[] } {
  if (text.length <= mostText) return { text, ranges }
  const space = text.indexOf(' ', Math.max(0, ranges[0]![0] - mostBefore))
  const start = ranges[0]![0] <= mostBefore ? 0 : space >= 0 && space < ranges[0]![0] ? space + 1 : ranges[0]![0]
  const before = start ? '…' : ''
  const shown = [...text.slice(start, start + mostText)].join('').replace(/[\ud800-\udbff]$/, '')
  const shift = start - before.length
  const kept = ranges.filter(([, end]) => end <= start + shown.length)
  const after = start + shown.length < text.length ? '…' : ''
  return { text: `${before}${shown}${after}`, ranges: kept.map(([from, to]) => [from - shift, to - shift]) }
}
