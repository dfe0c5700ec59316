// Finds unique values that another record already has.
import type { FieldError } from '../../../contract/errors.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context, mayNameRecords } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Db, isUniqueViolation } from '../../platform/db.ts'
import { rowById } from '../names/find-titles.ts'
import { readable } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Change } from './change.ts'

export type Unique = { field_id: string; key: string; record_id: string }
type Wanted = Unique & Pick<Change, 'path'>
export type Conflict = FieldError & { record_id: string; field: string }
type Holder = FieldError['record']

/** Refuses a unique value that two records of this call share, or that an existing record has. */
export async function refuseConflicts({ context, object }: Target, changes: Change[], dry_run: boolean) {
  const wanted = wantedBy(changes)
  if (!wanted.length) return
  const [twice] = twiceWanted(object, wanted)
  if (twice) throw conflictError(twice)
  const findExisting = (db: Db) => conflictsAmong({ ...context, db }, object, wanted, changes)
  const [conflict] = dry_run ? await findExisting(context.db) : []
  if (conflict) throw conflictError(conflict)
  context.explain(async (error, db) => {
    if (!isUniqueViolation(error, 'unique_values_pkey')) return undefined
    const [existing] = await findExisting(db)
    return existing && conflictError(existing)
  })
}

/** All conflicts, with the record that has the value. */
export async function findConflicts({ context, object }: Target, changes: Change[]) {
  const wanted = wantedBy(changes)
  if (!wanted.length) return []
  return [...twiceWanted(object, wanted), ...(await conflictsAmong(context, object, wanted, changes))]
}

const wantedBy = (changes: Change[]) =>
  changes.flatMap(({ after, row, path }) =>
    row.uniques.map((unique): Wanted => ({ ...unique, record_id: after.id, ...(path && { path }) })),
  )

function twiceWanted(object: ObjectSchema, wanted: Wanted[]) {
  const holders = new Map<string, string>()
  return wanted.flatMap((unique) => {
    const value = `${unique.field_id} ${unique.key}`
    const holder = holders.get(value)
    holders.set(value, holder ?? unique.record_id)
    return holder && holder !== unique.record_id
      ? [conflictOf(object, unique, 'used_twice', 'appears twice in this call')]
      : []
  })
}

/** Ignores the records of this call: conflicts among them have been refused before. */
async function conflictsAmong(context: Context, object: ObjectSchema, wanted: Wanted[], changes: Change[]) {
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
  const holders = new Map(rows.map((row) => [`${row.field_id} ${row.key}`, row]))
  return wanted.flatMap((unique) => {
    const row = holders.get(`${unique.field_id} ${unique.key}`)
    if (!row) return []
    const { record_id, title, is_readable } = row
    const problem = `is already used by ${is_readable ? `${title} (${record_id})` : 'a record that you cannot see'}`
    const holder = is_readable ? { object: object.key, id: record_id, title } : undefined
    return [conflictOf(object, unique, 'already_used', problem, holder)]
  })
}

function conflictOf(
  object: ObjectSchema,
  { field_id, key, record_id, path }: Wanted,
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
