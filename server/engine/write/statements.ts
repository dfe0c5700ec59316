// The SQL that writes changes: rows of records, unique values and links.
import { actorOf, type Context } from '../../kernel/context.ts'
import { inserting, joining, type Params } from '../../kernel/statement.ts'
import { changesComparison, storedKeys } from '../duplicates/keys.ts'
import { dropPairs } from '../duplicates/pairs.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Change } from '../values/change.ts'
import type { Stored } from '../values/from-row.ts'
import { type Row, rowOf } from '../values/to-row.ts'

type UniqueRow = { company_id: string; record_id: string; field_id: string; key: string }
type KeyRow = { company_id: string; key: string; record_id: string }
type LinkRow = { company_id: string; from_id: string; field_id: string; to_id: string; position: number }
/** The rows of a table before and after a set of changes. */
type Replacement<T> = { before: T[]; after: T[] }

/** Either all records are new, or none is. */
export function writeStatements({ context, schema, object }: Target, changes: Change[]) {
  const { company_id, schema_version } = actorOf(context)
  if (schema_version !== undefined) context.checkedAgainst({ company_id, version: schema_version })
  const uniques: Replacement<UniqueRow> = { before: [], after: [] }
  const links: Replacement<LinkRow> = { before: [], after: [] }
  const keys: Replacement<KeyRow> = { before: [], after: [] }
  const compared: string[] = []
  for (const { before, after, row } of changes) {
    const was = before && rowOf(schema, object, before.values)
    // A record in the trash does not reserve its unique values.
    if (was && !before.deleted_at) uniques.before.push(...uniqueRows(company_id, after.id, was))
    if (was) links.before.push(...linkRows(company_id, after.id, was))
    uniques.after.push(...uniqueRows(company_id, after.id, row))
    links.after.push(...linkRows(company_id, after.id, row))
    const isSame = before && !before.deleted_at === !after.deleted_at
    if (isSame && (after.deleted_at || !changesComparison(object, before.values, after.values))) continue
    // A record in the trash is not a duplicate.
    if (before && !before.deleted_at) keys.before.push(...keyRows(company_id, object, before))
    if (!after.deleted_at) keys.after.push(...keyRows(company_id, object, after))
    compared.push(after.id)
  }
  if (keys.before.length || keys.after.length) {
    context.emit('record.comparison_changed', { object: object.key, record_ids: compared })
  }
  const rows = changes.map(({ after, row: { match, search, title, slots } }) => ({
    ...after,
    company_id,
    match,
    search,
    title,
    ...slots,
  }))
  if (!changes[0]!.before) return insertRecords(context, rows, uniques.after, links.after, keys.after)
  context.write((params) => {
    const { from, where } = joining('records', rows, { id: 'uuid' }, params)
    return `update records t set ${columns.map((name) => `${name} = x.${name}`).join(', ')} from ${from} where ${where}`
  })
  replaceUniqueValues(context, uniques)
  replaceLinks(context, links)
  replaceKeys(context, keys)
  dropPairs(context, trashedAmong(changes))
}

const uniqueRows = (company_id: string, record_id: string, { uniques }: Row): UniqueRow[] =>
  uniques.map((unique) => ({ company_id, record_id, ...unique }))

const linkRows = (company_id: string, from_id: string, { links }: Row): LinkRow[] =>
  links.map((link) => ({ company_id, from_id, ...link }))

const keyRows = (company_id: string, object: ObjectSchema, { id, values }: Stored): KeyRow[] =>
  storedKeys(object, values).map((key) => ({ company_id, key, record_id: id }))

const trashedAmong = (changes: Change[]) =>
  changes.filter(({ before, after }) => !before?.deleted_at && after.deleted_at).map(({ after }) => after.id)

function insertRecords(context: Context, rows: object[], uniques: UniqueRow[], links: LinkRow[], keys: KeyRow[]) {
  context.insert('records', rows)
  context.insert('unique_values', inOneOrder(uniques))
  context.insert('links', links)
  context.insert('duplicate_keys', keys)
}

/** Two writes that want the same values wait for each other, and not each for the other. */
const inOneOrder = (uniques: UniqueRow[]) =>
  uniques.toSorted((a, b) => (`${a.field_id} ${a.key}` < `${b.field_id} ${b.key}` ? -1 : 1))

export const slotNames = [
  ...Array.from({ length: 12 }, (_, i) => `n${i + 1}`),
  ...Array.from({ length: 20 }, (_, i) => `s${i + 1}`),
]
const columns = [
  'values',
  'match',
  'search',
  'title',
  'owner_id',
  'updated_at',
  'last_activity_at',
  'deleted_at',
  'version',
  ...slotNames,
]

const uniqueKey = { field_id: 'uuid', key: 'text' } as const
const holderKey = { ...uniqueKey, record_id: 'uuid' } as const

/** A value that moves to another record is updated, because one statement cannot delete a row and insert it again. */
function replaceUniqueValues(context: Context, { before, after }: Replacement<UniqueRow>) {
  const uniqueOf = ({ field_id, key }: UniqueRow) => `${field_id} ${key}`
  const holderOf = (row: UniqueRow) => `${row.record_id} ${uniqueOf(row)}`
  const [removed, added] = [without(before, after, holderOf), without(after, before, holderOf)]
  const moved = without(added, without(added, removed, uniqueOf), uniqueOf)
  if (moved.length)
    context.write((params) => {
      const { from, where } = joining('unique_values', moved, uniqueKey, params)
      return `update unique_values t set record_id = x.record_id from ${from} where ${where}`
    })
  const freed = without(removed, moved, uniqueOf)
  if (freed.length) freeUniqueValues(context, freed)
  if (removed.length)
    context.write((params) => {
      const { from, where } = joining('duplicate_values', removed, holderKey, params)
      return `delete from duplicate_values t using ${from} where ${where}`
    })
  const taken = without(added, moved, uniqueOf)
  if (taken.length) context.write(inserting('unique_values', inOneOrder(taken)))
}

/** A value that several records share since an upgrade goes to another of them. */
function freeUniqueValues(context: Context, freed: UniqueRow[]) {
  const others = (params: Params) => `from duplicate_values d
    where d.company_id = ${params.add(freed[0]!.company_id, 'uuid')} and d.field_id = x.field_id and d.key = x.key
      and d.record_id <> all(${params.add([...new Set(freed.map(({ record_id }) => record_id))], 'uuid[]')})`
  context.write((params) => {
    const { from, where } = joining('unique_values', freed, holderKey, params)
    return `update unique_values t set record_id = o.record_id
      from ${from} cross join lateral (select d.record_id ${others(params)} order by d.record_id limit 1) o where ${where}`
  })
  context.write((params) => {
    const { from, where } = joining('unique_values', freed, holderKey, params)
    return `delete from unique_values t using ${from} where ${where} and not exists (select 1 ${others(params)})`
  })
}

function replaceLinks(context: Context, { before, after }: Replacement<LinkRow>) {
  const linkOf = ({ from_id, field_id, to_id }: LinkRow) => `${from_id} ${field_id} ${to_id}`
  const removed = without(before, after, linkOf)
  if (removed.length)
    context.write((params) => {
      const { from, where } = joining('links', removed, { from_id: 'uuid', field_id: 'uuid', to_id: 'uuid' }, params)
      return `delete from links t using ${from} where ${where}`
    })
  const changed = without(after, before, (link) => `${linkOf(link)} ${link.position}`)
  if (changed.length)
    context.write(
      (params) => `${inserting('links', changed)(params)}
        on conflict (company_id, from_id, field_id, to_id) do update set position = excluded.position`,
    )
}

function replaceKeys(context: Context, { before, after }: Replacement<KeyRow>) {
  const keyOf = ({ key, record_id }: KeyRow) => `${record_id} ${key}`
  const removed = without(before, after, keyOf)
  if (removed.length)
    context.write((params) => {
      const { from, where } = joining('duplicate_keys', removed, { key: 'bigint', record_id: 'uuid' }, params)
      return `delete from duplicate_keys t using ${from} where ${where}`
    })
  const added = without(after, before, keyOf)
  if (added.length) context.write((params) => `${inserting('duplicate_keys', added)(params)} on conflict do nothing`)
}

function without<T>(list: T[], others: T[], keyOf: (row: T) => string) {
  const keys = new Set(others.map(keyOf))
  return list.filter((row) => !keys.has(keyOf(row)))
}
