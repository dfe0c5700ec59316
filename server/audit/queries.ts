import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { type Db, transaction } from '../platform/db.ts'
import { lockChain } from './seal.ts'

const day = 24 * 60 * 60 * 1000
const step = 50_000

/** Each company decides how long its audit log is kept; by default forever. Runs at most once a day per company. */
export async function pruneAudit(db: Db, now: Date) {
  const companies = await db
    .selectFrom('companies as c')
    .innerJoin('audit_chains as k', 'k.company_id', 'c.id')
    .select(['c.id', 'c.audit_days'])
    .where('c.audit_days', 'is not', null)
    .where((eb) => eb.or([eb('k.removed_at', 'is', null), eb('k.removed_at', '<=', new Date(now.getTime() - day))]))
    .execute()
  for (const { id, audit_days } of companies) {
    const before = new Date(now.getTime() - audit_days! * day)
    while (await transaction(db, (tx) => removeBatch(tx, id, before, now)));
  }
}

/** Removes only from the beginning of the chain and records it in the log, so the rest can still be verified. */
async function removeBatch(tx: Db, company_id: string, before: Date, now: Date) {
  const chain = await lockChain(tx, company_id)
  const start = Number(chain.removed_through)
  const events = tx.selectFrom('audit_events').where('company_id', '=', company_id)
  const kept = await events
    .select('position')
    .where('position', 'is not', null)
    .where('at', '>=', before)
    .where('sealed_at', '>=', before)
    .orderBy('position')
    .executeTakeFirst()
  const last = kept ? Number(kept.position) - 1 : Number(chain.sealed_through)
  const through = Math.min(last, start + step)
  if (through <= start) return false
  const { hash } = await events.select('hash').where('position', '=', String(through)).executeTakeFirstOrThrow()
  const { numDeletedRows } = await tx
    .deleteFrom('audit_events')
    .where('company_id', '=', company_id)
    .where('position', '<=', String(through))
    .executeTakeFirst()
  await tx
    .updateTable('audit_chains')
    .set({ removed_through: through, removed_hash: hash!, removed_at: now })
    .where('company_id', '=', company_id)
    .execute()
  const data = { removed: Number(numDeletedRows), through, before: before.toISOString() }
  await tx
    .insertInto('audit_events')
    .values({
      company_id,
      id: randomUUIDv7(),
      at: now,
      action: 'audit.pruned',
      door: 'automation',
      request_id: randomUUID(),
      data: JSON.stringify(data),
    })
    .execute()
  return through < last
}
