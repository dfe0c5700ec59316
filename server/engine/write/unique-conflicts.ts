// Unique values that another record has already.
import type { FieldError } from '../../../contract/errors.ts'
import { AppError } from '../../kernel/app-error.ts'
import { type Actor, actorOf } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Db, isUniqueViolation } from '../../platform/db.ts'
import { readable } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Change } from './change.ts'

export type Unique = { field_id: string; key: string; record_id: string }
type Wanted = Unique & Pick<Change, 'path'>
export type Conflict = { record_id: string; field: string; path: string; message: string; holder?: Holder }
type Holder = FieldError['record']

/** Two records of this call, or one of it and one that is there, want the same unique value. */
export async function refuseConflicts({ context, object }: Target, changes: Change[], dry_run: boolean) {
  const wanted = wantedBy(changes)
  if (!wanted.length) return
  const [twice] = twiceWanted(object, wanted)
  if (twice) throw taken(twice)
  const look = (db: Db) => conflictsAmong(db, object, actorOf(context), wanted, changes)
  const [conflict] = dry_run ? await look(context.db) : []
  if (conflict) throw taken(conflict)
  context.explain(async (error, db) => {
    if (!isUniqueViolation(error, 'unique_values_pkey')) return undefined
    const [found] = await look(db)
    return found && taken(found)
  })
}

/** Of those that cannot be made: which value is taken, and by whom. */
export async function findConflicts({ context, object }: Target, changes: Change[]) {
  const wanted = wantedBy(changes)
  if (!wanted.length) return []
  return [
    ...twiceWanted(object, wanted),
    ...(await conflictsAmong(context.db, object, actorOf(context), wanted, changes)),
  ]
}

const wantedBy = (changes: Change[]) =>
  changes.flatMap(({ after, row, path }) =>
    row.uniques.map((one): Wanted => ({ ...one, record_id: after.id, ...(path && { path }) })),
  )

function twiceWanted(object: ObjectSchema, wanted: Wanted[]) {
  const holders = new Map<string, string>()
  return wanted.flatMap((one) => {
    const held = holders.get(`${one.field_id} ${one.key}`)
    holders.set(`${one.field_id} ${one.key}`, held ?? one.record_id)
    return held && held !== one.record_id ? [conflictOf(object, one, 'twice in this call')] : []
  })
}

/** Those that change in this call give up what another of them wants, or it was refused before. */
async function conflictsAmong(db: Db, object: ObjectSchema, actor: Actor, wanted: Wanted[], changes: Change[]) {
  const params = new Params()
  const changed = changes.map(({ after }) => after.id)
  const rows = await run<Unique & { title: string; is_readable: boolean | null }>(
    db,
    `select u.field_id, u.key, u.record_id, r.title, ${readable(actor, object, 'r', params) || 'true'} as is_readable from unique_values u join records r on r.company_id = u.company_id and r.id = u.record_id
      where u.company_id = ${params.add(actor.company_id, 'uuid')} and u.record_id <> all(${params.add(changed, 'uuid[]')}) and (u.field_id, u.key) in
      (select field_id, key from jsonb_to_recordset(${params.add(JSON.stringify(wanted), 'jsonb')}) as x(field_id uuid, key text))`,
    params,
  )
  return rows.flatMap(({ field_id, key, record_id, title, is_readable }) => {
    const whose = is_readable ? `with ${title} (${record_id})` : 'with one that you may not see'
    const holder = is_readable ? { object: object.key, id: record_id, title } : undefined
    const those = wanted.filter((one) => one.key === key && one.field_id === field_id)
    return those.map((one) => conflictOf(object, one, whose, holder))
  })
}

function conflictOf(object: ObjectSchema, wanted: Wanted, whose: string, holder?: Holder): Conflict {
  const { field_id, key, record_id, path } = wanted
  const field = object.fields.find((one) => one.id === field_id)?.key ?? 'value'
  return {
    record_id,
    field,
    path: path ? `${path}.${field}` : field,
    message: `The ${field} ${key} is taken: ${whose}`,
    ...(holder && { holder }),
  }
}

const taken = ({ path, message, holder }: Conflict) =>
  new AppError('conflict', `${message}. Leave it out, or change that record instead. Nothing was written.`, {
    errors: [{ path, message, ...(holder && { record: holder }) }],
  })
