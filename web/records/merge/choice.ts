// What merging makes of records: which one is kept and which values it gets. What the user leaves open is as the server
// does it: lists are joined, and empty fields get the first value there is.
import { builtInField, builtInName, isBuiltIn } from '../data/built-in.ts'
import { isDeals } from '../data/pipelines.ts'
import { plain } from '../data/record-cache.ts'
import type { RecordShape } from '../data/records-api.ts'
import type { FieldShape, ObjectShape } from '../data/schema.ts'
import type { Values } from '../data/update-record.ts'
import { isEmpty } from '../data/value-text.ts'

export type Choice = {
  /** The first record, unless another one is chosen. */
  keep?: string
  /** These are not merged. */
  apart: string[]
  /** Whose value is taken, by field. */
  taken: Record<string, string>
  /** Whose values are left out of a list, by field. */
  omitted: Record<string, string[]>
}
export const undecided: Choice = { apart: [], taken: {}, omitted: {} }
export const hasValues = ({ taken, omitted }: Choice) =>
  Object.keys(taken).length > 0 || Object.values(omitted).some(({ length }) => length > 0)

/** `from`: the records whose value the merged one will have. */
export type Row = { field: FieldShape; isList: boolean; isChoice: boolean; isDifferent: boolean; from: Set<string> }
export type Merge = {
  kept: RecordShape
  others: RecordShape[]
  apart: RecordShape[]
  rows: Row[]
  /** What differs from what the server does automatically. */
  values: Values
}

export function mergeOf(object: ObjectShape, records: RecordShape[], choice: Choice): Merge {
  const some = records.filter(({ id }) => !choice.apart.includes(id))
  const part = some.length ? some : records.slice(0, 1)
  const kept = part.find(({ id }) => id === choice.keep) ?? part[0]!
  const others = part.filter((one) => one !== kept)
  const rows = fieldsOf(object).map((field) => ({
    field,
    ...outcomeOf(object, field, records, [kept, ...others], choice),
  }))
  return {
    kept,
    others,
    apart: records.filter((one) => !part.includes(one)),
    rows,
    values: Object.fromEntries(rows.flatMap(({ field, sent }) => (sent === undefined ? [] : [[field.key, sent]]))),
  }
}

function fieldsOf({ fields, byKey }: ObjectShape) {
  const owner = byKey.get('owner')
  return [...fields.filter(({ is_archived }) => !is_archived), ...(owner?.is_system ? [owner] : [])]
}

const isList = ({ type, is_multi }: FieldShape) => type === 'multi_select' || is_multi

/** `part`: the records that are merged, the kept one first. */
function outcomeOf(object: ObjectShape, field: FieldShape, all: RecordShape[], part: RecordShape[], choice: Choice) {
  const { key } = field
  const asText = (record: RecordShape) => textIn(field, record)
  const having = part.filter((record) => !isEmpty(record[key]))
  const isDifferent = new Set(all.map(asText)).size > 1
  const isChoice = !field.is_read_only && new Set(having.map(asText)).size > 1
  const shared = { isList: isList(field), isChoice, isDifferent }
  if (shared.isList) {
    const taken = having.filter(({ id }) => !isChoice || !choice.omitted[key]?.includes(id))
    const from = new Set(taken.map(({ id }) => id))
    return { ...shared, from, ...(taken.length < having.length && { sent: joined(taken, key) }) }
  }
  const usual = (isMark(object, field) && having.find((record) => record[key] === true)) || having[0]
  const source = (isChoice && having.find(({ id }) => id === choice.taken[key])) || usual
  const from = new Set(source ? having.filter((one) => asText(one) === asText(source)).map(({ id }) => id) : [])
  const isOther = source && usual && asText(source) !== asText(usual)
  return { ...shared, from, ...(isOther && { sent: plain(source[key]) }) }
}

/** A person who asked not to be contacted did so under each of their records. */
const isMark = (object: ObjectShape, field: FieldShape) =>
  isBuiltIn(object, 'people') && builtInName(field) === 'do_not_contact'

/** The same text for the same value. */
function textIn(field: FieldShape, record: RecordShape) {
  const value = plain(record[field.key])
  if (isEmpty(value) || (field.type === 'boolean' && value === false)) return ''
  return JSON.stringify(isList(field) && Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value)
}

function joined(records: RecordShape[], key: string) {
  const all = records.flatMap((record) => plain(record[key]) as unknown[])
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}

/** A stage belongs to its pipeline, so both come from the same deal. */
export function withValueOf(object: ObjectShape, choice: Choice, field: FieldShape, id: string): Choice {
  const tied = isDeals(object) ? ['pipeline', 'stage'].flatMap((name) => builtInField(object, name)?.key ?? []) : []
  const keys = tied.includes(field.key) ? tied : [field.key]
  return { ...choice, taken: { ...choice.taken, ...Object.fromEntries(keys.map((key) => [key, id])) } }
}

export function withListOf(choice: Choice, { key }: FieldShape, id: string, isTaken: boolean): Choice {
  const others = (choice.omitted[key] ?? []).filter((one) => one !== id)
  return { ...choice, omitted: { ...choice.omitted, [key]: isTaken ? others : [...others, id] } }
}

export function withPart(choice: Choice, id: string, isPart: boolean): Choice {
  const others = choice.apart.filter((one) => one !== id)
  return { ...choice, apart: isPart ? others : [...others, id] }
}
