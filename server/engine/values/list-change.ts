// Changes part of a list without sending the rest: { "add": ["vip"], "remove": ["old"] }.
import { asFilterField, comparable } from '../../../contract/filter/index.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'
import type { FileValue } from './files.ts'
import type { Values } from './from-row.ts'
import { uniqueKeys } from './to-row.ts'

export type ListChange = { add?: unknown[]; remove?: unknown[] }

export const mostValues = 100

export const isList = ({ type, is_multi }: Field) => is_multi || type === 'multi_select'

export const isListChange = (value: unknown): value is ListChange =>
  isObject(value) && Object.keys(value).length > 0 && strayKeyIn(value) === undefined

/** Why an object that was sent for a list is not a list change; undefined for other values. */
export function misfitOf(value: unknown) {
  if (!isObject(value) || Object.hasOwn(value, 'id') || isListChange(value)) return undefined
  const stray = strayKeyIn(value)
  const found = stray === undefined ? '' : `"${stray.slice(0, 63)}" is not allowed here. `
  return `${found}Send a list, or {"add": [...], "remove": [...]} to change part of it`
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const strayKeyIn = (value: object) => Object.keys(value).find((key) => key !== 'add' && key !== 'remove')

/** Values that compare as equal count as the same. Existing values keep their position. */
export function changedList(schema: Schema, field: Field, now: unknown, { add = [], remove = [] }: ListChange) {
  const keysOf = (value: unknown) =>
    field.type === 'file'
      ? [(value as FileValue).id]
      : uniqueKeys(field, comparable(asFilterField(field), [value], schema))
  const removed = new Set(remove.flatMap(keysOf))
  const kept = [now ?? []].flat().filter((value) => !keysOf(value).some((key) => removed.has(key)))
  const known = new Set(kept.flatMap(keysOf))
  const added = add.filter((value) => {
    const keys = keysOf(value)
    const isNew = !keys.some((key) => known.has(key))
    for (const key of keys) known.add(key)
    return isNew
  })
  const values = [...kept, ...added]
  return values.length ? values : null
}

/** Lists that were sent add to those of the record; null still clears them. */
export function addingToLists(object: ObjectSchema, values: Values): Values {
  const entries = Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
    const field = object.byKey.get(key)
    if (!field || !isList(field) || value === null || isListChange(value)) return [[key, value]]
    const add = [value ?? []].flat().filter((item) => item !== '')
    return add.length ? [[key, { add }]] : []
  })
  return Object.fromEntries(entries)
}
