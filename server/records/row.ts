// Everything that is stored about a record besides what was entered: made from the values, always in one place.
import { type Comparable, comparable, fold, type Match } from '../../contract/filter/index.ts'
import type { Field, ObjectSchema, Schema } from '../objects/schema.ts'
import { asFilterField, type Values } from './values.ts'

const mostSearch = 20_000
const mostTitle = 200
const searched = new Set(['text', 'long_text', 'email', 'phone', 'url'])

export type Row = {
  match: Record<string, Match>
  title: string
  search: string
  slots: Record<string, Comparable | null>
  uniques: { field_id: string; key: string }[]
  links: { field_id: string; to_id: string; position: number }[]
}

export function rowOf(schema: Schema, object: ObjectSchema, values: Values): Row {
  const row: Row = { match: {}, title: '', search: '', slots: {}, uniques: [], links: [] }
  const words: string[] = []
  for (const field of object.fields) {
    const value = values[field.key]
    if (field.slot) row.slots[field.slot] = null
    if (value === undefined || value === null) continue
    const match = comparable(asFilterField(field), value, schema)
    if (match !== undefined) row.match[field.key] = match
    if (field.slot) row.slots[field.slot] = slotValue(match)
    if (searched.has(field.type)) words.push(...[value].flat().map(String))
    if (field.is_unique) for (const key of uniqueKeys(field, match)) row.uniques.push({ field_id: field.id, key })
    if (field.type === 'relation') {
      const targets = [value].flat() as string[]
      row.links.push(...targets.map((to_id, position) => ({ field_id: field.id, to_id, position })))
    }
  }
  row.title = titleOf(object, values)
  row.match.title = fold(row.title)
  row.search = fold([row.title, ...words].join('\n')).slice(0, mostSearch)
  return row
}

const slotValue = (match: Match) =>
  match === undefined || match === null || Array.isArray(match)
    ? null
    : typeof match === 'boolean'
      ? String(match)
      : match

const uniqueKeys = (_field: Field, match: Match) =>
  match === null || match === undefined ? [] : [...new Set([match].flat().map(String))]

/** What a record is called: its name, a person's names, or the first thing that says anything. */
function titleOf(object: ObjectSchema, values: Values) {
  const text = (key: string) => (typeof values[key] === 'string' ? (values[key] as string) : '')
  const names = [text('first_name'), text('last_name')].filter(Boolean).join(' ')
  const first = object.fields.flatMap((field) => (searched.has(field.type) ? [values[field.key] ?? []].flat() : []))[0]
  const title =
    text('title') || text('name') || names || String(first ?? '') || `Untitled ${object.label.toLowerCase()}`
  return title.replace(/\s+/g, ' ').slice(0, mostTitle)
}
