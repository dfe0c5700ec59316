// Reading records: by id, by a unique value, by a filter.
import {
  type Fault,
  type FilterInput,
  hasFaults,
  type Reference,
  referencesIn,
  resolve,
} from '../../contract/filter/index.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import type { ObjectSchema, Schema } from '../objects/schema.ts'
import { compile } from './compile.ts'
import { expand, readFields } from './fields.ts'
import {
  after,
  boundTo,
  type Cursor,
  orderBy,
  readCursor,
  readSort,
  type Sort,
  strangeCursor,
  writeCursor,
} from './page.ts'
import { lookUp } from './references.ts'
import { readable, seenBy } from './rights.ts'
import { readFilterIn, scopeOf } from './scope.ts'
import { type Stored, shown, storedColumns, untrustedFields } from './stored.ts'
import { stretchesOf } from './stretches.ts'
import { lastDeletedFirst, withDeleters } from './trash.ts'

type Question = {
  filter?: string | FilterInput | undefined
  sort?: string[] | undefined
  fields?: string[] | undefined
  deleted?: boolean | undefined
  backwards?: boolean | undefined
  limit: number
  cursor?: string | undefined
}

export async function findRecords(context: Context, schema: Schema, object: ObjectSchema, question: Question) {
  const { filter, sort = [], deleted = false, backwards = false, limit } = question
  const seen = seenBy(actorOf(context), object)
  const sorts = deleted && !sort.length ? [lastDeletedFirst] : readSort(seen, sort)
  const fields = readFields(schema, actorOf(context), seen, question.fields)
  const bound = () => boundTo(object.key, filter, sort, [deleted, backwards])
  const cursor = question.cursor === undefined ? undefined : readCursor(question.cursor, bound())
  const at = cursor ? new Date(cursor.at) : context.now
  const rows = await sortedRows(
    context,
    schema,
    object,
    { filter, deleted, at, backwards },
    sorts,
    cursor,
    limit + 1,
  ).catch((error) => {
    throw cursor && isMisfit(error) ? strangeCursor() : error
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const more = rows.length > limit && last
  const next = more && {
    at: at.toISOString(),
    bound: bound(),
    values: keysOf(last),
    id: last.id,
  }
  const records = page.map((row) => shown(seen, row, fields.own))
  const whole = deleted && !fields.own ? await withDeleters(context, records) : records
  return {
    records: await expand(context, schema, whole, fields),
    next_cursor: next ? writeCursor(next) : null,
    untrusted_fields: untrustedFields(object, fields.own),
  }
}

// Whoever changed a cursor finds out by what PostgreSQL makes of it.
const isMisfit = (error: { code?: string }) => error.code?.startsWith('22') ?? false

type SortedRow = Stored & Record<`k${number}`, string | null>

function keysOf(row: SortedRow) {
  const keys: (string | null)[] = []
  for (let i = 0; `k${i}` in row; i++) keys.push(row[`k${i}`]!)
  return keys
}

/** Reads stretch after stretch until there are enough rows. */
async function sortedRows(
  context: Context,
  schema: Schema,
  object: ObjectSchema,
  asked: Asked & { backwards: boolean },
  sorts: Sort[],
  cursor: Cursor | undefined,
  most: number,
): Promise<SortedRow[]> {
  const { backwards } = asked
  const inOrder = stretchesOf(schema, actorOf(context), sorts)
  const stretches = backwards ? inOrder.toReversed() : inOrder
  const first = cursor ? stretches.findIndex(({ holds }) => holds(cursor.values[0] ?? null)) : 0
  const conditions = await conditionsOf(context, schema, object, asked)
  const rows: SortedRow[] = []
  for (const [i, stretch] of stretches.entries()) {
    if (i < first || rows.length >= most) continue
    const params = new Params()
    const from = stretch.from(params)
    const where = [...conditions(params), ...stretch.where(params)]
    if (cursor && i === first) where.push(after(stretch.order, cursor, params, backwards))
    const keys = stretch.keys.map((key, k) => `, (${key})::text as k${k}`).join('')
    // The limit is part of the text: as a parameter it would be unknown, and then no plan is worth keeping.
    const found = await run<SortedRow>(
      context.db,
      `select ${storedColumns}${keys} from ${from} where ${where.join(' and ')} order by ${orderBy(stretch.order, backwards)} limit ${most - rows.length}`,
      params,
    )
    rows.push(...found)
  }
  return rows
}

const countedUpTo = 10_000

export async function countRecords(
  context: Context,
  schema: Schema,
  object: ObjectSchema,
  question: { filter?: string | FilterInput | undefined; deleted?: boolean | undefined; exact: boolean },
) {
  const { filter, deleted = false, exact } = question
  const params = new Params()
  const conditions = await conditionsOf(context, schema, object, { filter, deleted, at: context.now })
  const found = `from records r where ${conditions(params).join(' and ')}`
  const text = exact
    ? `select count(*)::int as count ${found}`
    : `select count(*)::int as count from (select 1 ${found} limit ${countedUpTo + 1}) few`
  const [row] = await run<{ count: number }>(context.db, text, params)
  const isExact = exact || row!.count <= countedUpTo
  return { count: isExact ? row!.count : countedUpTo, is_exact: isExact }
}

/** Up to a hundred records that the caller may read, in the order asked for. */
export async function recordsById(context: Context, object: ObjectSchema, ids: string[]) {
  const actor = actorOf(context)
  const params = new Params()
  const limit = readable(actor, object, 'r', params)
  // Of a list PostgreSQL does not know the length and plans each time anew; of one it keeps the plan.
  const these = ids.length === 1 ? `r.id = ${params.add(ids[0], 'uuid')}` : `r.id = any(${params.add(ids, 'uuid[]')})`
  const rows = await run<Stored>(
    context.db,
    `select ${storedColumns} from records r where r.company_id = ${params.add(actor.company_id, 'uuid')} and ${these} and r.object_id = ${params.add(object.id, 'uuid')} and r.deleted_at is null${limit && ` and ${limit}`}`,
    params,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

type Asked = { filter: string | FilterInput | undefined; deleted: boolean; at: Date }

/** What must hold of the rows: the filter is read once, however many statements it is part of. */
async function conditionsOf(
  context: Context,
  schema: Schema,
  object: ObjectSchema,
  { filter, deleted, at }: Asked,
): Promise<(params: Params) => string[]> {
  const actor = actorOf(context)
  const resolved =
    filter === undefined || filter === '' ? undefined : await resolvedFilter(context, schema, object, filter, at)
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

async function resolvedFilter(
  context: Context,
  schema: Schema,
  object: ObjectSchema,
  filter: string | FilterInput,
  at: Date,
) {
  const read = readFilterIn(scopeOf(schema, actorOf(context)), object.key, filter)
  if (hasFaults(read)) throw refusedFilter(read.faults)
  const result = resolve(read.checked, await situationOf(context, schema, referencesIn(read.checked), at))
  if (hasFaults(result)) throw refusedFilter(result.faults)
  return result.resolved
}

/** Who asks, when and where, and whom the filter names. */
export async function situationOf(context: Context, schema: Schema, named: Reference[], now = context.now) {
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
