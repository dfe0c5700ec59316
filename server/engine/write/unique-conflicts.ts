// Finds unique values that another record already has.
import type { FieldError } from '../../../contract/shared/errors.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context, mayNameRecords } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Db, isUniqueViolation } from '../../platform/db.ts'
import { rowById } from '../names/find-titles.ts'
import { readable } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Change } from '../values/change.ts'
import { uniquesOf } from '../values/to-row.ts'

export type Unique = { field_id: string; key: string; record_id: string }
type WantedUnique = Unique & Pick<Change, 'path'> & { isKept: boolean }
export type Conflict = FieldError & { record_id: string; field: string }
type Holder = FieldError['record']

/** Refuses a unique value that two records of this call share, or that an existing record has. */
export async function refuseConflicts(target: Target, changes: Change[], dry_run: boolean) {
  const { context, object } = target
  const all = wantedBy(target, changes)
  const added = all.filter(({ isKept }) => !isKept)
  if (!added.length) return
  const [twice] = twiceWanted(object, all)
  if (twice) throw conflictError(twice)
  const findExisting = (db: Db) => conflictsAmong({ ...context, db }, object, added, changes)
  const [conflict] = dry_run ? await findExisting(context.db) : []
  if (conflict) throw conflictError(conflict)
  context.explain(async (error, db) => {
    if (!isUniqueViolation(error, 'unique_values_pkey')) return undefined
    const [existing] = await findExisting(db)
    return existing && conflictError(existing)
  })
}

/** All conflicts, with the record that has the value. */
export async function findConflicts(target: Target, changes: Change[]) {
  const { context, object } = target
  const all = wantedBy(target, changes)
  const added = all.filter(({ isKept }) => !isKept)
  if (!added.length) return []
  return [...twiceWanted(object, all), ...(await conflictsAmong(context, object, added, changes))]
}

/** Records that share a value since an older version keep it: only a value that a record gets can be a conflict. */
const wantedBy = ({ schema, object }: Target, changes: Change[]) =>
  changes.flatMap(({ before, after, row, path }) => {
    const had = before && !before.deleted_at && row.uniques.length ? uniquesOf(schema, object, before.values) : []
    const keys = new Set(had.map(keyOf))
    return row.uniques.map(
      (unique): WantedUnique => ({
        ...unique,
        record_id: after.id,
        isKept: keys.has(keyOf(unique)),
        ...(path && { path }),
      }),
    )
  })

const keyOf = ({ field_id, key }: Pick<Unique, 'field_id' | 'key'>) => `${field_id} ${key}`

function twiceWanted(object: ObjectSchema, wanted: WantedUnique[]) {
  const holders = new Map<string, WantedUnique>()
  return wanted.flatMap((unique) => {
    const holder = holders.get(keyOf(unique))
    if (!holder) holders.set(keyOf(unique), unique)
    const isShared = !holder || holder.record_id === unique.record_id || (holder.isKept && unique.isKept)
    return isShared ? [] : [conflictOf(object, unique, 'used_twice', 'appears twice in this call')]
  })
}

/** Ignores the records of this call: conflicts among them have been refused before. */
async function conflictsAmong(context: Context, object: ObjectSchema, wanted: WantedUnique[], changes: Change[]) {
  const actor = actorOf(context)
  const mayRead = (params: Params) =>
    mayNameRecords(context) ? readable(actor, object, 'r', params) || 'true' : 'false'
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const changed = changes.map(({ after }) => after.id)
  const field_ids = wanted.map(({ field_id }) => field_id)
  const keys = wanted.map(({ key }) => key)
  const rows = await run<Unique & { title: string; is_readable: boolean | null }>(
    context.db,
    `select w.field_id, w.key, r.id as record_id, r.title, ${mayRead(params)} as is_readable
      from unnest(${params.add(field_ids, 'uuid[]')}, ${params.add(keys, 'text[]')}) w(field_id, key)
      cross join lateral (select u.record_id from unique_values u
        where u.company_id = ${company} and u.field_id = w.field_id and u.key = w.key limit 1) u
      cross join lateral (${rowById(company, 'u.record_id')}) r
      where r.id <> all(${params.add(changed, 'uuid[]')})`,
    params,
  )
  const holders = new Map(rows.map((row) => [keyOf(row), row]))
  return wanted.flatMap((unique) => {
    const row = holders.get(keyOf(unique))
    if (!row) return []
    const { record_id, title, is_readable } = row
    const problem = `is already used by ${is_readable ? `${title} (${record_id})` : 'a record that you cannot see'}`
    const holder = is_readable ? { object: object.key, id: record_id, title } : undefined
    return [conflictOf(object, unique, 'already_used', problem, holder)]
  })
}

function conflictOf(
  object: ObjectSchema,
  { field_id, key, record_id, path }: WantedUnique,
  code: FieldError['code'],
  problem: string,
  holder?: Holder,
): Conflict {
  const field = object.fields.find(({ id }) => id === field_id)?.key ?? 'value'
  return {
    record_id,
    field,
    path: path ? `${path}.${field}` : field,
    message: `${field}: ${key} ${problem}`,
    code,
    value: key,
    ...(holder && { record: holder }),
  }
}

const conflictError = ({ record_id: _id, field: _field, ...error }: Conflict) =>
  new AppError('conflict', `${error.message}. Nothing was written. Omit this value or change that record instead.`, {
    errors: [error],
  })
