import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { forEachCompany } from '../kernel/companies.ts'
import { type Db, transaction } from '../platform/db.ts'
import { dayMs } from '../platform/times.ts'
import { lockChain } from './seal.ts'

const step = 50_000

/** Each company decides how long its audit log is kept; by default forever. Runs at most once a day per company. */
export async function pruneAudit(db: Db, now: Date) {
  await forEachCompany(db, async ({ id, audit_days }) => {
    if (audit_days === null || (await wasPrunedSince(db, id, new Date(now.getTime() - dayMs)))) return
    const before = new Date(now.getTime() - audit_days * dayMs)
    while (await transaction(db, (tx) => removeBatch(tx, id, before, now)));
  })
}

async function wasPrunedSince(db: Db, company_id: string, since: Date) {
  const chains = db.selectFrom('audit_chains').select('removed_at').where('company_id', '=', company_id)
  const chain = await chains.executeTakeFirst()
  return !chain || (chain.removed_at !== null && chain.removed_at > since)
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
