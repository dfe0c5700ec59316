// Sorting and cursors. A page continues exactly where the last one ended, even if records were added in the meantime.

import { AppError } from '../../kernel/app-error.ts'
import { readCursor, writeCursor } from '../../kernel/cursor.ts'
import type { Params } from '../../kernel/statement.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import { type SystemField, systemByKey } from '../schema/system-fields.ts'
import { unknownField } from '../schema/unknown-field.ts'

/**
 * One sort key of a list. A cursor stores `key`; `mark` turns it into the expression that `sql` is compared with.
 * `isFull`: every record has a value, or records without one are queried separately.
 */
export type Sort = {
  sql: string
  key: string
  mark: (param: string) => string
  cast: string
  descending: boolean
  isFull: boolean
  /** Sorts by a value of the record that this field links to, joined under this name. */
  linked?: Linked & { name: string }
  /** The kind of index that has this order, if there is one. */
  index?: { kind: 'value' } | { kind: 'choice'; options: string[] } | ({ kind: 'related' } & Linked)
}
/** `value`: of the linked record, by the name it is joined under. Without `cast`, its title. */
export type Linked = { field: Field; value: (alias: string) => string; cast?: string }
export type Order = { sorts: Sort[]; idsDescending: boolean }
export type Cursor = { at: string; bound: string; values: unknown[]; id: string }

const mayBeEmpty = new Set(['owner', 'created_by', 'last_activity_at'])
const indexed = new Set(['owner', 'last_activity_at'])
const unsortable = new Set(['multi_select', 'long_text', 'file'])
/** With more options than this, they are not read one after the other. */
const mostChoices = 20

/** Sorts as on boards: by the place that people gave a record, otherwise newest first. No field has this key. */
const manualOrder = '$manual'
export const placeOf = (alias: string) => `coalesce(${alias}.place, ${alias}.id::text collate "C")`

/** The folded title, compared like text fields. This must be exactly the expression of the title index. */
export const foldedTitle = (alias: string) => `left(${alias}.match ->> 'title', 200) collate "C"`

/** `linkedObject`: the object that a relation to a single record links to, if the caller may read it. */
export function readSort(
  object: ObjectSchema,
  given: string[] = [],
  linkedObject: (field: Field) => ObjectSchema | undefined,
): Sort[] {
  return given.map((text, index) => {
    const descending = text.startsWith('-')
    const key = text.replace(/^[-+]/, '')
    const system = systemByKey.get(key)
    if (system) return sortBySystem(system, descending)
    if (key === manualOrder) return plainSort(placeOf('r'), 'text', !descending, true)
    const through = key.includes('.') ? sortThrough(object, key, descending, `sort${index}`, linkedObject) : undefined
    if (through) return through
    const field = object.byKey.get(key)
    if (field && !field.is_multi && !unsortable.has(field.type)) return sortBy(field, descending, `sort${index}`)
    const sortable = object.fields.filter(({ is_multi, type }) => !is_multi && !unsortable.has(type))
    const message = key.includes('.')
      ? `Records cannot be sorted by ${key}. Use a relation to a single record and a field with one short value`
      : field
        ? `Records cannot be sorted by ${key}, because it holds ${field.type === 'long_text' ? 'long text' : 'several values'}`
        : unknownField(object, key, sortable)
    throw new AppError('invalid_input', `Correct the sort. ${message}`, {
      errors: [{ path: `sort.${index}`, message }],
    })
  })
}

export const plainSort = (sql: string, cast: string, descending: boolean, isFull: boolean): Sort => ({
  sql,
  key: sql,
  mark: (param) => param,
  cast,
  descending,
  isFull,
})

function sortBySystem({ key, column, cast }: SystemField, descending: boolean): Sort {
  if (key === 'title') return plainSort(foldedTitle('r'), 'text', descending, true)
  const sort = plainSort(`r.${column}`, cast, descending, !mayBeEmpty.has(key))
  return indexed.has(key) ? { ...sort, index: { kind: 'value' } } : sort
}

function sortBy(field: Field, descending: boolean, name: string): Sort {
  if (field.type === 'relation') return sortByRelated(field, descending, name)
  const { value, cast } = ownValue(field)
  if (field.type === 'select') return sortByChoice(field, value('r'), descending)
  const sort = plainSort(value('r'), cast, descending, false)
  return field.slot ? { ...sort, index: { kind: 'value' } } : sort
}

/** Options sort in the order defined by the company. Their keys are safe in SQL: letters, digits and _ only. */
function sortByChoice({ options = [], slot }: Field, value: string, descending: boolean): Sort {
  const keys = (options ?? []).map(({ key }) => key)
  const list = keys.map((key) => `'${key}'`).join(', ')
  const place = (option: string) => `array_position(array[${list}]::text[], ${option})`
  const sort = { ...plainSort(place(value), 'text', descending, false), key: value, mark: place }
  return slot && keys.length <= mostChoices ? { ...sort, index: { kind: 'choice', options: keys } } : sort
}

/** Sorts by the title of the linked record. With several sort keys, the title is looked up for each row. */
function sortByRelated(field: Field, descending: boolean, name: string): Sort {
  const linked = { field, value: foldedTitle }
  const sort = { ...plainSort(`${name}.value`, 'text', descending, false), linked: { ...linked, name } }
  return field.to_objects?.length === 1 ? { ...sort, index: { kind: 'related', ...linked } } : sort
}

/** Sorts by a field of the linked record, such as organization.country. */
function sortThrough(
  object: ObjectSchema,
  path: string,
  descending: boolean,
  name: string,
  linkedObject: (field: Field) => ObjectSchema | undefined,
): Sort | undefined {
  const [key, inner, ...deeper] = path.split('.') as [string, string]
  const field = object.byKey.get(key)
  const target = field && linkedObject(field)
  const sorted = target && !deeper.length ? comparedIn(target, inner) : undefined
  if (!field || !sorted) return undefined
  const linked = { field, ...sorted }
  const sort = plainSort(`${name}.value`, sorted.cast, descending, false)
  return { ...sort, linked: { ...linked, name }, index: { kind: 'related', ...linked } }
}

function comparedIn(object: ObjectSchema, key: string): { value: (alias: string) => string; cast: string } | undefined {
  const system = systemByKey.get(key)
  if (key === 'title') return { value: foldedTitle, cast: 'text' }
  if (system) return { value: (alias) => `${alias}.${system.column}`, cast: system.cast }
  const field = object.byKey.get(key)
  if (!field || field.is_multi || field.type === 'relation' || unsortable.has(field.type)) return undefined
  const { value, cast } = ownValue(field)
  if (field.type !== 'select') return { value, cast }
  const options = `array[${(field.options ?? []).map((option) => `'${option.key}'`).join(', ')}]::text[]`
  return { value: (alias) => `array_position(${options}, ${value(alias)})`, cast: 'int' }
}

function ownValue({ key, type, slot }: Field) {
  const isNumeric = type === 'number' || type === 'money'
  const matched = (alias: string) => `(${alias}.match ->> '${key}')${isNumeric ? '::numeric' : ' collate "C"'}`
  return { value: slot ? (alias: string) => `${alias}.${slot}` : matched, cast: isNumeric ? 'numeric' : 'text' }
}

/** `backwards`: the reverse order, in which empty values come first. */
export const orderBy = ({ sorts, idsDescending }: Order, backwards: boolean) => {
  const nulls = backwards ? ' nulls first' : ' nulls last'
  // "nulls last" would rule out an index, so it is added only where a value can be empty.
  const each = sorts.map(
    (sort) => `${sort.sql} ${sort.descending !== backwards ? 'desc' : 'asc'}${sort.isFull ? '' : nulls}`,
  )
  return [...each, `r.id ${idsDescending !== backwards ? 'desc' : 'asc'}`].join(', ')
}

/** The condition for rows after the last row of the previous page. */
export function after(order: Order, { values, id }: Cursor, params: Params, backwards: boolean) {
  const sorts = order.sorts.map((sort) => ({ ...sort, descending: sort.descending !== backwards }))
  const idsDescending = order.idsDescending !== backwards
  const mark = (sort: Sort, i: number) => sort.mark(params.add(values[i], sort.cast))
  if (sorts.length && sorts.every((sort) => sort.isFull && sort.descending === idsDescending)) {
    const marks = [...sorts.map(mark), params.add(id, 'uuid')].join(', ')
    return `(${[...sorts.map(({ sql }) => sql), 'r.id'].join(', ')}) ${idsDescending ? '<' : '>'} (${marks})`
  }
  const alternatives: string[] = []
  const equal: string[] = []
  for (const [i, sort] of sorts.entries()) {
    if ((values[i] ?? null) !== null) {
      const value = mark(sort, i)
      const beyond = `${sort.sql} ${sort.descending ? '<' : '>'} ${value}`
      alternatives.push([...equal, backwards ? beyond : `(${beyond} or ${sort.sql} is null)`].join(' and '))
      equal.push(`${sort.sql} = ${value}`)
    } else {
      if (backwards) alternatives.push([...equal, `${sort.sql} is not null`].join(' and '))
      equal.push(`${sort.sql} is null`)
    }
  }
  alternatives.push([...equal, `r.id ${idsDescending ? '<' : '>'} ${params.add(id, 'uuid')}`].join(' and '))
  return `(${alternatives.map((alternative) => `(${alternative})`).join(' or ')})`
}

/** A cursor is bound to one query and its time, so that relative dates stay the same on all pages. */
export const boundTo = (object: string, filter: unknown, sort: string[], flags: boolean[]) =>
  sha256(JSON.stringify([object, filter ?? null, sort, ...flags]))
    .toString('base64url')
    .slice(0, 16)

export const cursorTo = (cursor: Cursor) => writeCursor(JSON.stringify(cursor))

export const cursorOfQuery = (text: string, bound: string): Cursor =>
  readCursor(text, (json) => parseCursor(json, bound), mismatchedCursor)

function parseCursor(json: string, bound: string) {
  const cursor = JSON.parse(json) as Cursor
  const isWhole = cursor.bound === bound && typeof cursor.id === 'string' && Array.isArray(cursor.values)
  return isWhole && /^2\d{3}-.*Z$/.test(cursor.at) && !Number.isNaN(Date.parse(cursor.at)) ? cursor : undefined
}

export function mismatchedCursor() {
  const message = 'Send the next_cursor of the previous page unchanged, with the same filter and sort'
  return new AppError('invalid_input', `The cursor does not match this query. ${message}.`, {
    errors: [{ path: 'cursor', message }],
  })
}
