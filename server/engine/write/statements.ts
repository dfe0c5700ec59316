// The rows that a change makes, of all tables that tell something about a record.
import { actorOf, type Context } from '../../kernel/context.ts'
import { inserting, rowsOf } from '../../kernel/statement.ts'
import type { Schema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { type Row, rowOf } from '../values/to-row.ts'
import type { Change } from './change.ts'
import type { Unique } from './unique-conflicts.ts'

export function writeStatements({ context, object }: Target, changes: Change[], schema: Schema) {
  const { company_id, schema_version } = actorOf(context)
  if (schema_version !== undefined) context.checkedAgainst({ company_id, version: schema_version })
  const rows = changes.map(({ after, row }) => ({
    ...after,
    company_id,
    match: row.match,
    search: row.search,
    title: row.title,
    ...row.slots,
  }))
  if (!changes[0]!.before) return insertNew(context, rows, changes)
  context.write(
    (params) => `update records r set ${columns.map((name) => `${name} = x.${name}`).join(', ')}
      from ${rowsOf('records', rows)(params)} x where r.company_id = x.company_id and r.id = x.id`,
  )
  const known = changes.map(({ before, after, row }) => ({
    id: after.id,
    was: before && rowOf(schema, object, before.values),
    // In the trash a record holds no unique value.
    hadUniques: before && !before.deleted_at,
    row,
  }))
  const uniques = known.map(({ id, was, hadUniques, row }) => ({
    id,
    from: hadUniques ? was!.uniques : [],
    to: row.uniques,
  }))
  const links = known.map(({ id, was, row }) => ({ id, from: was?.links ?? [], to: row.links }))
  const exchanged = uniques.map(({ id, from, to }) =>
    diff(from, to, ({ field_id, key }) => ({ company_id, record_id: id, field_id, key })),
  )
  exchange(context, 'unique_values', handOver(context, exchanged))
  exchange(
    context,
    'links',
    links.map(({ id, from, to }) =>
      diff(from, to, (one) => ({
        company_id,
        from_id: id,
        field_id: one.field_id,
        to_id: one.to_id,
        position: one.position,
      })),
    ),
  )
}

function insertNew(context: Context, rows: object[], changes: Change[]) {
  const { company_id } = actorOf(context)
  const each = <T extends object>(of: (row: Row) => T[], id: 'record_id' | 'from_id') =>
    changes.flatMap(({ after, row }) => of(row).map((one) => ({ company_id, [id]: after.id, ...one })))
  context.insert('records', rows)
  context.insert(
    'unique_values',
    each((row) => row.uniques, 'record_id'),
  )
  context.insert(
    'links',
    each((row) => row.links, 'from_id'),
  )
}

export const slotNames = [
  ...Array.from({ length: 12 }, (_, i) => `n${i + 1}`),
  ...Array.from({ length: 20 }, (_, i) => `s${i + 1}`),
]
const columns = [
  ...['values', 'match', 'search', 'title', 'owner_id', 'updated_at', 'last_activity_at', 'deleted_at', 'version'],
  ...slotNames,
]

function diff<T extends { field_id: string; key?: string; to_id?: string; position?: number }, R>(
  from: T[],
  to: T[],
  rowFor: (one: T) => R,
) {
  const same = (a: T, b: T) => a.field_id === b.field_id && a.key === b.key && a.to_id === b.to_id
  const isThere = (one: T) => from.some((other) => same(one, other) && one.position === other.position)
  return {
    gone: from.filter((one) => !to.some((other) => same(one, other))).map(rowFor),
    added: to.filter((one) => !isThere(one)).map(rowFor),
  }
}

type UniqueRow = Unique & { company_id: string }

/** What only changes hands is updated: within one statement a row cannot be taken out and put in again. */
function handOver(context: Context, diffs: { gone: UniqueRow[]; added: UniqueRow[] }[]) {
  const [gone, added] = [diffs.flatMap((one) => one.gone), diffs.flatMap((one) => one.added)]
  const isIn = (list: UniqueRow[]) => {
    const keys = new Set(list.map(({ field_id, key }) => `${field_id} ${key}`))
    return ({ field_id, key }: UniqueRow) => keys.has(`${field_id} ${key}`)
  }
  const moved = added.filter(isIn(gone))
  if (!moved.length) return diffs
  context.write(
    (params) => `update unique_values t set record_id = x.record_id from ${rowsOf('unique_values', moved)(params)} x
    where t.company_id = x.company_id and t.field_id = x.field_id and t.key = x.key`,
  )
  const isMoved = isIn(moved)
  return [{ gone: gone.filter((one) => !isMoved(one)), added: added.filter((one) => !isMoved(one)) }]
}

/** Only what differs. */
function exchange(context: Context, table: 'unique_values' | 'links', diffs: { gone: object[]; added: object[] }[]) {
  const [gone, added] = [diffs.flatMap((one) => one.gone), diffs.flatMap((one) => one.added)]
  const own = table === 'links' ? 't.from_id = x.from_id and t.to_id = x.to_id' : 't.key = x.key'
  const moved =
    table === 'links'
      ? 'on conflict (company_id, from_id, field_id, to_id) do update set position = excluded.position'
      : ''
  if (gone.length)
    context.write(
      (params) => `delete from ${table} t using ${rowsOf(table, gone)(params)} x
        where t.company_id = x.company_id and t.field_id = x.field_id and ${own}`,
    )
  if (added.length) context.write((params) => `${inserting(table, added)(params)} ${moved}`)
}
