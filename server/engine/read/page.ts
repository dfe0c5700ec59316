// Sorting and the cursor: a page goes on exactly where the last one ended, whatever was added meanwhile.

import { AppError } from '../../kernel/app-error.ts'
import type { Params } from '../../kernel/statement.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import { type SystemField, systemByKey } from '../schema/system-fields.ts'
import { unknownField } from '../schema/unknown-field.ts'

/**
 * What a list is sorted by. A cursor remembers `key`; `mark` makes of that what `sql` is compared with.
 * `isFull`: no record is without a value, or those are asked for apart.
 */
export type Sort = {
  sql: string
  key: string
  mark: (param: string) => string
  cast: string
  descending: boolean
  isFull: boolean
  /** How an index holds the records in this order, if one does. */
  index?: { kind: 'value' } | { kind: 'choice'; options: string[] } | { kind: 'related'; field: Field }
}
export type Order = { sorts: Sort[]; idsDescending: boolean }
export type Cursor = { at: string; bound: string; values: unknown[]; id: string }

const mayBeEmpty = new Set(['owner', 'created_by', 'last_activity_at'])
const indexed = new Set(['owner', 'last_activity_at'])
const unsortable = new Set(['multi_select', 'long_text'])
/** More are not read one after the other. */
const mostChoices = 20

/** The folded title, as text fields are compared. An index holds this very expression. */
export const foldedTitle = (alias: string) => `left(${alias}.match ->> 'title', 200) collate "C"`

export function readSort(object: ObjectSchema, given: string[] = []): Sort[] {
  return given.map((text, index) => {
    const descending = text.startsWith('-')
    const key = text.replace(/^[-+]/, '')
    const system = systemByKey.get(key)
    if (system) return sortBySystem(system, descending)
    const field = object.byKey.get(key)
    if (field && !field.is_multi && !unsortable.has(field.type)) return sortBy(field, descending)
    const sortable = object.fields.filter((one) => !one.is_multi && !unsortable.has(one.type))
    const message = key.includes('.')
      ? 'Sort by a field of the record itself; a relation sorts by the title of the record it links to'
      : field
        ? `${key} cannot be sorted by: it holds ${field.type === 'long_text' ? 'long text' : 'several values'}`
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

function sortBy(field: Field, descending: boolean): Sort {
  if (field.type === 'relation') return sortByRelated(field, descending)
  const numeric = field.type === 'number' || field.type === 'money'
  const value = field.slot ? `r.${field.slot}` : `(r.match ->> '${field.key}')${numeric ? '::numeric' : ' collate "C"'}`
  if (field.type === 'select') return sortByChoice(field, value, descending)
  const sort = plainSort(value, numeric ? 'numeric' : 'text', descending, false)
  return field.slot ? { ...sort, index: { kind: 'value' } } : sort
}

/** Options sort in the order in which the company put them. Their keys are letters, digits and _ only. */
function sortByChoice({ options = [], slot }: Field, value: string, descending: boolean): Sort {
  const keys = (options ?? []).map(({ key }) => key)
  const place = (one: string) => `array_position(array[${keys.map((key) => `'${key}'`).join(', ')}]::text[], ${one})`
  const sort = { ...plainSort(place(value), 'text', descending, false), key: value, mark: place }
  return slot && keys.length <= mostChoices ? { ...sort, index: { kind: 'choice', options: keys } } : sort
}

/** By the title of the record that it links to; looked up for each row where other fields are sorted by, too. */
function sortByRelated(field: Field, descending: boolean): Sort {
  const title = `(select ${foldedTitle('t')} from links l join records t on t.company_id = l.company_id and t.id = l.to_id
    and t.deleted_at is null where l.company_id = r.company_id and l.from_id = r.id and l.field_id = '${field.id}' limit 1)`
  const sort = plainSort(title, 'text', descending, false)
  return field.to_objects?.length === 1 ? { ...sort, index: { kind: 'related', field } } : sort
}

/** `backwards`: the same order from its end, where the empty come first. */
export const orderBy = ({ sorts, idsDescending }: Order, backwards: boolean) => {
  const nulls = backwards ? ' nulls first' : ' nulls last'
  // An index is read backwards for desc, where the empty come first: said only where there may be any.
  const each = sorts.map(
    (sort) => `${sort.sql} ${sort.descending !== backwards ? 'desc' : 'asc'}${sort.isFull ? '' : nulls}`,
  )
  return [...each, `r.id ${idsDescending !== backwards ? 'desc' : 'asc'}`].join(', ')
}

/** What comes after the last row of the page before. */
export function after(order: Order, { values, id }: Cursor, params: Params, backwards: boolean) {
  const sorts = order.sorts.map((sort) => ({ ...sort, descending: sort.descending !== backwards }))
  const idsDescending = order.idsDescending !== backwards
  const mark = (sort: Sort, i: number) => sort.mark(params.add(values[i], sort.cast))
  if (sorts.length && sorts.every((sort) => sort.isFull && sort.descending === idsDescending)) {
    const marks = [...sorts.map(mark), params.add(id, 'uuid')].join(', ')
    return `(${[...sorts.map(({ sql }) => sql), 'r.id'].join(', ')}) ${idsDescending ? '<' : '>'} (${marks})`
  }
  const ways: string[] = []
  const equal: string[] = []
  for (const [i, sort] of sorts.entries()) {
    if ((values[i] ?? null) !== null) {
      const value = mark(sort, i)
      const beyond = `${sort.sql} ${sort.descending ? '<' : '>'} ${value}`
      ways.push([...equal, backwards ? beyond : `(${beyond} or ${sort.sql} is null)`].join(' and '))
      equal.push(`${sort.sql} = ${value}`)
    } else {
      if (backwards) ways.push([...equal, `${sort.sql} is not null`].join(' and '))
      equal.push(`${sort.sql} is null`)
    }
  }
  ways.push([...equal, `r.id ${idsDescending ? '<' : '>'} ${params.add(id, 'uuid')}`].join(' and '))
  return `(${ways.map((way) => `(${way})`).join(' or ')})`
}

/** A cursor belongs to one question, asked at one moment: relative days do not move between two pages. */
export const boundTo = (object: string, filter: unknown, sort: string[], ways: boolean[]) =>
  sha256(JSON.stringify([object, filter ?? null, sort, ...ways]))
    .toString('base64url')
    .slice(0, 16)

export const writeCursor = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url')

export function readCursor(text: string, bound: string): Cursor {
  try {
    const cursor = JSON.parse(Buffer.from(text, 'base64url').toString()) as Cursor
    const isWhole = cursor.bound === bound && typeof cursor.id === 'string' && Array.isArray(cursor.values)
    if (isWhole && /^2\d{3}-.*Z$/.test(cursor.at) && !Number.isNaN(Date.parse(cursor.at))) return cursor
  } catch {}
  throw strangeCursor()
}

export function strangeCursor() {
  const message = 'Send next_cursor of the page before, unchanged, with the same filter and sort'
  return new AppError('invalid_input', `The cursor does not belong to this question. ${message}.`, {
    errors: [{ path: 'cursor', message }],
  })
}
