// Computes everything that is stored about a record besides its values.
import { domainToASCII } from 'node:url'
import type { FieldType } from '../../../contract/built-in/field-types.ts'
import { asFilterField, type Comparable, comparable, fold, type Match } from '../../../contract/filter/index.ts'
import { countryWords } from '../../../contract/regions/countries.ts'
import { own } from '../../../contract/shared/own.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'
import type { FileValue } from './files.ts'
import type { Values } from './from-row.ts'
import { type SearchValue, searchText } from './search-text.ts'
import { textTypes, titleOf } from './title.ts'

const longestKey = 500

export type Row = {
  /** Comparable values of fields without a slot, with a text too long for it, or with money that has no rate. */
  match: Record<string, Match>
  title: string
  search: string
  slots: Record<string, Comparable | null>
  uniques: { field_id: string; key: string }[]
  links: { field_id: string; to_id: string; position: number }[]
}

export function rowOf(schema: Schema, object: ObjectSchema, values: Values): Row {
  const row: Row = { match: {}, title: '', search: '', slots: {}, uniques: [], links: [] }
  const texts: SearchValue[] = []
  for (const field of [...object.fields, ...object.archivedFields]) {
    const value = own(values, field.key)
    if (field.slot) row.slots[field.slot] = null
    if (value === undefined || value === null) continue
    const match = comparable(asFilterField(field), value, schema)
    const slot = field.slot ? slotValue(match) : null
    if (field.slot) row.slots[field.slot] = slot
    if (match !== undefined && (slot === null || isCut(slot))) row.match[field.key] = match
    if (!field.archived_at) texts.push(...textsOf(schema, field.type, value))
    if (field.is_unique) for (const key of uniqueKeys(field, match)) row.uniques.push({ field_id: field.id, key })
    if (field.type === 'relation') {
      const targets = [value].flat() as string[]
      row.links.push(...targets.map((to_id, position) => ({ field_id: field.id, to_id, position })))
    }
  }
  row.title = titleOf(object, values)
  row.match.title = fold(row.title)
  row.search = searchText(row.title, texts)
  return row
}

function textsOf({ language }: Schema, type: FieldType, value: unknown): SearchValue[] {
  if (textTypes.has(type)) return [value].flat().map((text) => ({ type, text: String(text) }))
  if (type === 'file') return (value as FileValue[]).map(({ name }) => ({ type, text: name }))
  return type === 'country' ? countryWords(String(value), language).map((text) => ({ type, text })) : []
}

/** The unique values alone, which takes a fraction of the time. */
export const uniquesOf = (schema: Schema, object: ObjectSchema, values: Values): Row['uniques'] =>
  [...object.fields, ...object.archivedFields]
    .filter(({ is_unique }) => is_unique)
    .flatMap((field) => {
      const match = comparable(asFilterField(field), own(values, field.key), schema)
      return uniqueKeys(field, match).map((key) => ({ field_id: field.id, key }))
    })

/** The longest text in a slot, which is indexed. A text of this length may have been cut. */
export const mostSlot = 200
export const isCut = (slot: Comparable) => typeof slot === 'string' && slot.length >= mostSlot

function slotValue(match: Match): Comparable | null {
  if (match === undefined || match === null || Array.isArray(match)) return null
  if (typeof match === 'boolean') return String(match)
  return typeof match === 'string' ? cut(match) : match
}

/** Does not cut a surrogate pair, because half of one cannot be stored. */
export const cut = (text: string) => {
  if (text.length <= mostSlot) return text
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(mostSlot - 1))
  return text.slice(0, isHalf ? mostSlot + 1 : mostSlot)
}

/** The same address with an international domain can be written in two ways. */
const asciiDomain = (key: string) => {
  const at = key.lastIndexOf('@')
  const domain = /[^\x20-\x7e]/.test(key.slice(at)) ? domainToASCII(key.slice(at + 1)) : ''
  return domain ? `${key.slice(0, at)}@${domain}` : key
}

/** Long texts are replaced by a hash, because an index cannot hold them. */
export const uniqueKeys = ({ type }: Pick<Field, 'type'>, match: Match) => {
  const texts = match === null || match === undefined ? [] : [match].flat().map(String)
  return [...new Set(texts.map((text) => shortKey(type === 'email' ? asciiDomain(text) : text)))]
}

const shortKey = (key: string) => (key.length > longestKey ? `sha256:${sha256(key).toString('hex')}` : key)
