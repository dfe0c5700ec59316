// Lists and counts records that match a filter.
import type { FilterInput } from '../../../contract/filter/index.ts'
import { countedUpTo } from '../../../contract/shared/limits.ts'
import { actorOf, type Reader } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { seenBy } from '../rights/rights.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import { findBest } from '../search/find.ts'
import { type Stored, shown, storedColumns, untrustedFields } from '../values/from-row.ts'
import { conditionsOf, type RecordQuery, searchedIn } from './conditions.ts'
import { expand, linkedObject, readFields } from './fields.ts'
import {
  after,
  boundTo,
  type Cursor,
  cursorOfQuery,
  cursorTo,
  mismatchedCursor,
  orderBy,
  readSort,
  type Sort,
} from './page.ts'
import { addRelated, readRelated, untrustedIn } from './related.ts'
import { bestFirst, stretchesOf } from './sort-ranges.ts'
import { lastDeletedFirst, withDeleters } from './trash.ts'

type Question = {
  filter?: string | FilterInput | undefined
  sort?: string[] | undefined
  fields?: string[] | undefined
  related?: Record<string, string[]> | undefined
  is_deleted?: boolean | undefined
  is_backwards?: boolean | undefined
  limit: number
  cursor?: string | undefined
}

export async function findRecords(context: Reader, schema: Schema, object: ObjectSchema, question: Question) {
  const { filter, sort = [], is_deleted: deleted = false, is_backwards: backwards = false, limit } = question
  const seen = seenBy(actorOf(context), object)
  const sorts =
    deleted && !sort.length ? [lastDeletedFirst] : readSort(seen, sort, linkedObject(schema, actorOf(context)))
  const fields = readFields(schema, actorOf(context), seen, question.fields)
  const related = readRelated(schema, actorOf(context), object, question.related)
  const bound = () => boundTo(object.key, filter, sort, [deleted, backwards])
  const cursor = question.cursor === undefined ? undefined : cursorOfQuery(question.cursor, bound())
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
    throw cursor && isDataError(error) ? mismatchedCursor() : error
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasNext = rows.length > limit && last
  const next = hasNext && {
    at: at.toISOString(),
    bound: bound(),
    values: keysOf(last),
    id: last.id,
  }
  const records = page.map((row) => shown(seen, row, fields.own))
  const whole = deleted && !fields.own ? await withDeleters(context, records) : records
  return {
    records: await addRelated(context, schema, await expand(context, schema, whole, fields), related),
    next_cursor: next ? cursorTo(next) : null,
    untrusted_fields: [...untrustedFields(object, fields.own), ...untrustedIn(related)],
  }
}

// PostgreSQL rejects a value of a cursor that was tampered with.
const isDataError = (error: { code?: string }) => error.code?.startsWith('22') ?? false

/** How many of the records that a list is searched for are ranked; the others follow, newest first. */
const mostBest = 200

type SortedRow = Stored & Record<`k${number}`, string | null>

function keysOf(row: SortedRow) {
  const keys: (string | null)[] = []
  for (let i = 0; `k${i}` in row; i++) keys.push(row[`k${i}`]!)
  return keys
}

/** Reads one stretch after another until there are enough rows. */
async function sortedRows(
  context: Reader,
  schema: Schema,
  object: ObjectSchema,
  asked: RecordQuery & { backwards: boolean },
  sorts: Sort[],
  cursor: Cursor | undefined,
  most: number,
): Promise<SortedRow[]> {
  const { backwards } = asked
  const searched = sorts.length ? undefined : searchedIn(context, schema, object, asked.filter)
  const inOrder = searched
    ? bestFirst(await findBest(context, schema, object, searched, mostBest))
    : stretchesOf(schema, actorOf(context), sorts)
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
    // The limit is part of the text, because PostgreSQL does not keep a plan for an unknown limit.
    const page = await run<SortedRow>(
      context.db,
      `select ${storedColumns}${keys} from ${from} where ${where.join(' and ')} order by ${orderBy(stretch.order, backwards)} limit ${most - rows.length}`,
      params,
    )
    rows.push(...page)
  }
  return rows
}

export async function countRecords(
  context: Reader,
  schema: Schema,
  object: ObjectSchema,
  question: { filter?: string | FilterInput | undefined; is_deleted?: boolean | undefined; is_exact: boolean },
) {
  const { filter, is_deleted: deleted = false, is_exact: exact } = question
  const params = new Params()
  const conditions = await conditionsOf(context, schema, object, { filter, deleted, at: context.now })
  const matching = `from records r where ${conditions(params).join(' and ')}`
  const text = exact
    ? `select count(*)::int as count ${matching}`
    : `select count(*)::int as count from (select 1 ${matching} limit ${countedUpTo + 1}) few`
  const [row] = await run<{ count: number }>(context.db, text, params)
  const isExact = exact || row!.count <= countedUpTo
  return { count: isExact ? row!.count : countedUpTo, is_exact: isExact }
}
