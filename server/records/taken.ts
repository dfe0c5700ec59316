// Unique values that another record has already.
import { AppError } from '../kernel/app-error.ts'
import { type Actor, actorOf } from '../kernel/context.ts'
import { type Db, isUniqueViolation } from '../kernel/db.ts'
import { Params, run } from '../kernel/statement.ts'
import type { ObjectSchema } from '../objects/schema.ts'
import type { Change, Target } from './apply.ts'
import { readable } from './rights.ts'

export type Unique = { field_id: string; key: string; record_id: string }

/** Two records of this call, or one of it and one that is there, want the same unique value. */
export async function refuseTaken({ context, object }: Target, changes: Change[], dry_run: boolean) {
  const wanted = changes.flatMap(({ after, row }) =>
    row.uniques.map((one): Unique => ({ ...one, record_id: after.id })),
  )
  const holders = new Map<string, string>()
  for (const { field_id, key, record_id } of wanted) {
    const held = holders.get(`${field_id} ${key}`)
    if (held && held !== record_id) throw taken(object, field_id, key, 'twice in this call')
    holders.set(`${field_id} ${key}`, record_id)
  }
  if (!wanted.length) return
  const changed = changes.map(({ after }) => after.id)
  const clashing = dry_run && (await clash(context.db, object, actorOf(context), wanted, changed))
  if (clashing) throw clashing
  context.explain(async (error, db) => {
    if (!isUniqueViolation(error, 'unique_values_pkey')) return undefined
    return (
      (await clash(db, object, actorOf(context), wanted, changed)) ??
      new AppError('conflict', 'Another record has this value already.')
    )
  })
}

/** Those that change in this call give up what another of them wants, or it was refused before. */
async function clash(db: Db, object: ObjectSchema, actor: Actor, wanted: Unique[], changed: string[]) {
  const params = new Params()
  const rows = await run<Unique & { title: string; is_readable: boolean | null }>(
    db,
    `select u.field_id, u.key, u.record_id, r.title, ${readable(actor, object, 'r', params) || 'true'} as is_readable from unique_values u join records r on r.company_id = u.company_id and r.id = u.record_id
      where u.company_id = ${params.add(actor.company_id, 'uuid')} and u.record_id <> all(${params.add(changed, 'uuid[]')}) and (u.field_id, u.key) in
      (select field_id, key from jsonb_to_recordset(${params.add(JSON.stringify(wanted), 'jsonb')}) as x(field_id uuid, key text))`,
    params,
  )
  const other = rows.find((row) =>
    wanted.some((one) => one.key === row.key && one.field_id === row.field_id && one.record_id !== row.record_id),
  )
  const holder = other?.is_readable ? `with ${other.title} (${other.record_id})` : 'with one that you may not see'
  return other && taken(object, other.field_id, other.key, holder)
}

function taken(object: ObjectSchema, field_id: string, key: string, where: string) {
  const field = object.fields.find((one) => one.id === field_id)?.key ?? 'value'
  return new AppError(
    'conflict',
    `The ${field} ${key} is taken: ${where}. Change that record, or use upsert_records.`,
    {
      errors: [{ path: field, message: `${key} is taken` }],
    },
  )
}
