// What a record is grouped by, as SQL. Relations are followed by primary key, row by row, which is linear even for a
// table without statistics; fields of records that the caller may not read count as empty, as in filters.
import type { Step } from '../../../contract/filter/index.ts'
import type { Params } from '../../kernel/statement.ts'
import { objectsIn, rowById } from '../names/find-titles.ts'
import { openAmong, readableAmong } from '../rights/readable-among.ts'
import { type ScopedField, scopeOf } from '../rights/scope.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { type Asking, type Dimension, isList } from './question.ts'

/** Turns the value of a field into a key: the bucket of a time, the first day of a period. */
export type Bucket = (value: string, isText: boolean, params: Params) => string
/** `join`: what must be joined to the record `r`. */
export type KeySql = { join: string; key: string; isOther: string }
/** The keys that are kept; all others become one. */
export type Kept = { keys: string[]; hasEmpty: boolean }

const asIs: Bucket = (value) => value
const domain: Bucket = (value) => `nullif(split_part(${value}, '@', -1), '')`

/** The key of one dimension. `name` is free for its join. */
export function keySql(
  asking: Asking,
  { steps, isMulti, part }: Dimension,
  bucket: Bucket = part ? domain : asIs,
  kept: Kept | undefined,
  name: string,
  params: Params,
): KeySql {
  const last = steps.at(-1)!.field as ScopedField
  const mapped = keptSql(kept, params)
  if (steps.length === 1 && !isMulti && last.type !== 'relation')
    return { join: '', ...mapped(valueSql(asking, steps[0]!, 'r', bucket, params)) }
  const { key, isOther } = mapped('s.v')
  const set = setSql(asking, steps, 'r', bucket, params)
  const join = `left join lateral (select ${isMulti ? 'distinct ' : ''}${key} as k, ${isOther} as o from (${set}) s) ${name} on true`
  const isEmptyOther = kept && !kept.hasEmpty ? 'true' : 'false'
  return { join, key: `${name}.k`, isOther: `coalesce(${name}.o, ${isEmptyOther})` }
}

function keptSql(kept: Kept | undefined, params: Params) {
  if (!kept) return (key: string) => ({ key: `(${key})::text`, isOther: 'false' })
  const keys = params.add(kept.keys, 'text[]')
  return (value: string) => {
    const isKept = `(${value})::text = any(${keys})`
    const isOther = kept.hasEmpty ? `((${value}) is not null and not ${isKept})` : `((${isKept}) is not true)`
    return { key: `case when ${isKept} then (${value})::text end`, isOther }
  }
}

/** A query for the values at the end of the path, in its column v. */
function setSql(asking: Asking, [step, ...rest]: Step[], alias: string, bucket: Bucket, params: Params): string {
  const field = step!.field as ScopedField
  if (field.type !== 'relation') {
    if (!isList(field)) return `select ${valueSql(asking, step!, alias, bucket, params)} as v`
    return `select ${bucket('v', true, params)} as v from jsonb_array_elements_text(${listSql(field, alias, params)}) v`
  }
  const { actor, schema } = asking
  const next = `${alias}t`
  const targets = objectsIn(schema).filter(({ key }) => !field.to?.length || field.to.includes(key))
  const row = rowById(params.add(actor.company_id, 'uuid'), 'i.id::uuid')
  const linked = `jsonb_array_elements_text(${listSql(field, alias, params)}) i(id) cross join lateral (${row}) ${next}`
  const open = () => openAmong(actor, targets).map(({ id }) => id)
  const isVisible =
    !rest.length && field.own
      ? `${next}.object_id = any(${params.add(open(), 'uuid[]')})`
      : readableAmong(actor, targets, next, params)
  const isLive = `${next}.deleted_at is null and ${isVisible}`
  if (!rest.length) return `select ${next}.id::text as v from ${linked} where ${isLive}`
  return `select q.v from ${linked} cross join lateral (${setSql(asking, rest, next, bucket, params)}) q where ${isLive}`
}

/** A list of values, or null. */
function listSql({ key }: ScopedField, alias: string, params: Params) {
  const value = `${alias}.match -> ${params.add(key, 'text')}`
  return `case when jsonb_typeof(${value}) = 'array' then ${value} end`
}

/** The comparable value of a field that holds one. */
export function valueSql(asking: Asking, { objects, field }: Step, alias: string, bucket: Bucket, params: Params) {
  const { schema, actor } = asking
  const scope = scopeOf(schema, actor)
  const each = objects.map((key) => {
    const own = scope[key]!.fields.find((one) => one.key === field.key) as ScopedField
    return { object: schema.objects.get(key)!, sql: ownSql(own, alias, bucket, params) }
  })
  if (each.length === 1) return each[0]!.sql
  const cases = each.map(({ object, sql }) => `when ${params.add(object.id, 'uuid')} then (${sql})::text`)
  return `case ${alias}.object_id ${cases.join(' ')} end`
}

function ownSql({ key, type, system, own }: ScopedField, alias: string, bucket: Bucket, params: Params) {
  if (system && system.key !== 'title') return bucket(`${alias}.${system.column}`, false, params)
  const matched = () => `${alias}.match ->> ${params.add(key, 'text')}`
  const isNumeric = type === 'number' || type === 'money'
  const slot = system ? null : own!.slot
  if (!slot) return bucket(isNumeric ? `(${matched()})::numeric` : `(${matched()}) collate "C"`, !isNumeric, params)
  // Cut after 200 characters: longer texts that start alike are one group.
  return bucket(`${alias}.${slot}`, !isNumeric, params)
}

/** The objects that the field at the end of the path belongs to. */
export const objectsAt = ({ schema }: Asking, { steps }: Dimension): ObjectSchema[] =>
  steps.at(-1)!.objects.map((key) => schema.objects.get(key)!)
