// Sorting and the cursor: a page goes on exactly where the last one ended, whatever was added meanwhile.

import { AppError } from '../kernel/app-error.ts'
import { sha256 } from '../kernel/secrets.ts'
import type { Params } from '../kernel/statement.ts'
import type { Field, ObjectSchema } from '../objects/schema.ts'
import { systemByKey } from './system-fields.ts'
import { unknownField } from './unknown-field.ts'

/** `isFull`: no record is without a value, or those are asked for apart. */
export type Sort = {
  key: string
  sql: string
  cast: string
  descending: boolean
  slot: string | null
  isFull: boolean
}
export type Cursor = { at: string; bound: string; values: unknown[]; id: string }

const mayBeEmpty = new Set(['owner', 'created_by', 'last_activity_at'])
const unsortable = new Set(['multi_select', 'relation', 'long_text'])

export function readSort(object: ObjectSchema, given: string[] = []): Sort[] {
  return given.map((text, index) => {
    const descending = text.startsWith('-')
    const key = text.replace(/^[-+]/, '')
    const system = systemByKey.get(key)
    if (system) {
      const isFull = !mayBeEmpty.has(key)
      return { key, sql: `r.${system.column}`, cast: system.cast, descending, slot: null, isFull }
    }
    const field = object.byKey.get(key)
    if (field && !field.is_multi && !unsortable.has(field.type)) return sortBy(field, descending)
    const sortable = object.fields.filter((one) => !unsortable.has(one.type))
    const message = key.includes('.')
      ? 'Sort by fields of the record itself, not of those it leads to'
      : field
        ? `${key} cannot be sorted by: it holds several values, or long text`
        : unknownField(object, key, sortable)
    throw new AppError('invalid_input', `Correct the sort. ${message}`, {
      errors: [{ path: `sort.${index}`, message }],
    })
  })
}

function sortBy(field: Field, descending: boolean): Sort {
  const numeric = field.type === 'number' || field.type === 'money'
  const cast = numeric ? 'numeric' : 'text'
  const base = field.slot ? `r.${field.slot}` : `(r.match ->> '${field.key}')${numeric ? '::numeric' : ' collate "C"'}`
  if (field.type !== 'select') return { key: field.key, sql: base, cast, descending, slot: field.slot, isFull: false }
  // Options sort in the order in which the company put them. Keys are letters, digits and _ only.
  const order = (field.options ?? []).map((option) => `'${option.key}'`).join(', ')
  return {
    key: field.key,
    sql: `array_position(array[${order}]::text[], ${base})`,
    cast: 'int',
    descending,
    slot: null,
    isFull: false,
  }
}

/** `backwards`: the same order from its end, where the empty come first. */
export const orderBy = (sorts: Sort[], backwards = false) => {
  const last = (sorts.at(-1)?.descending ?? true) !== backwards
  const nulls = backwards ? ' nulls first' : ' nulls last'
  // An index is read backwards for desc, where the empty come first: said only where there may be any.
  const each = sorts.map(
    (sort) => `${sort.sql} ${sort.descending !== backwards ? 'desc' : 'asc'}${sort.isFull ? '' : nulls}`,
  )
  return [...each, `r.id ${last ? 'desc' : 'asc'}`].join(', ')
}

/** What comes after the last row of the page before. */
export function after(given: Sort[], { values, id }: Cursor, params: Params, backwards = false) {
  const sorts = given.map((sort) => ({ ...sort, descending: sort.descending !== backwards }))
  const last = sorts.at(-1)?.descending ?? !backwards
  const [only] = sorts
  if (only?.isFull && sorts.length === 1) {
    const mark = params.add(values[0], only.cast)
    return `(${only.sql}, r.id) ${only.descending ? '<' : '>'} (${mark}, ${params.add(id, 'uuid')})`
  }
  const ways: string[] = []
  const equal: string[] = []
  for (const [i, sort] of sorts.entries()) {
    const value = values[i] ?? null
    if (value !== null) {
      const mark = params.add(value, sort.cast)
      const beyond = `${sort.sql} ${sort.descending ? '<' : '>'} ${mark}`
      ways.push([...equal, backwards ? beyond : `(${beyond} or ${sort.sql} is null)`].join(' and '))
      equal.push(`${sort.sql} = ${mark}`)
    } else {
      if (backwards) ways.push([...equal, `${sort.sql} is not null`].join(' and '))
      equal.push(`${sort.sql} is null`)
    }
  }
  ways.push([...equal, `r.id ${last ? '<' : '>'} ${params.add(id, 'uuid')}`].join(' and '))
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
