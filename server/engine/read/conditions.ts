// The conditions of a query on records as SQL: company, object, rights and filter.
import {
  type Fault,
  type FilterInput,
  hasFaults,
  type Reference,
  type Resolved,
  referencesIn,
  resolve,
} from '../../../contract/filter/index.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Reader } from '../../kernel/context.ts'
import type { Params } from '../../kernel/statement.ts'
import { lookUp } from '../names/look-up-references.ts'
import { readable } from '../rights/rights.ts'
import { readFilterIn, scopeOf } from '../rights/scope.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import { compile } from './filter-to-sql.ts'

export type RecordQuery = { filter: string | FilterInput | undefined; deleted: boolean; at: Date }
export type Conditions = (params: Params) => string[]

/** The filter is resolved once, even if several statements use it. */
export async function conditionsOf(
  context: Reader,
  schema: Schema,
  object: ObjectSchema,
  { filter, deleted, at }: RecordQuery,
): Promise<Conditions> {
  return conditionsFor(context, schema, object, await resolvedFilter(context, schema, object, filter, at), deleted)
}

export function conditionsFor(
  context: Reader,
  schema: Schema,
  object: ObjectSchema,
  resolved: Resolved | undefined,
  deleted = false,
): Conditions {
  const actor = actorOf(context)
  return (params) => {
    const limit = readable(actor, object, 'r', params)
    return [
      `r.company_id = ${params.add(actor.company_id, 'uuid')}`,
      `r.object_id = ${params.add(object.id, 'uuid')}`,
      `r.deleted_at is ${deleted ? 'not ' : ''}null`,
      ...(limit ? [limit] : []),
      ...(resolved ? [compile(schema, actor, params, resolved)] : []),
    ]
  }
}

/** The words that every record of the list has, if the filter searches for some. */
export function searchedIn(context: Reader, schema: Schema, object: ObjectSchema, filter: RecordQuery['filter']) {
  if (!filter) return undefined
  const read = readFilterIn(scopeOf(schema, actorOf(context)), object.key, filter)
  if (hasFaults(read)) return undefined
  const parts = 'and' in read.filter ? read.filter.and : [read.filter]
  return parts.flatMap((part) => ('search' in part ? [part.search] : []))[0]
}

/** Undefined if there is no filter. */
export async function resolvedFilter(
  context: Reader,
  schema: Schema,
  object: ObjectSchema,
  filter: string | FilterInput | undefined,
  at: Date,
): Promise<Resolved | undefined> {
  if (filter === undefined || filter === '') return undefined
  const read = readFilterIn(scopeOf(schema, actorOf(context)), object.key, filter)
  if (hasFaults(read)) throw refusedFilter(read.faults)
  const result = resolve(read.checked, await situationOf(context, schema, referencesIn(read.checked), at))
  if (hasFaults(result)) throw refusedFilter(result.faults)
  return result.resolved
}

/** What a filter depends on: the caller, their time and time zone, and the users and records it names. */
export async function situationOf(context: Reader, schema: Schema, named: Reference[], now = context.now) {
  const { user_id: me, time_zone, language } = actorOf(context)
  const references = await lookUp(context, schema, named)
  const languages = [language ?? schema.language]
  return { now, timeZone: time_zone ?? schema.time_zone, firstWeekday: schema.first_weekday, languages, me, references }
}

export function refusedFilter(faults: Fault[]) {
  const words = faults.map(({ at, message }) => (at ? `At character ${at.offset + 1}: ${message}` : message))
  return new AppError('invalid_input', `Correct the filter. ${words.join(' ')}`, {
    errors: faults.map(({ at, path, message, nearest }) => ({
      path: ['filter', ...(path ?? [])].join('.'),
      message,
      ...(at && { offset: at.offset, length: at.length }),
      ...(nearest.length && { nearest }),
    })),
  })
}
