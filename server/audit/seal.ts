// Seals new events of the audit logs in the background, so that writing an event never waits for its seal.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { companiesWith, forEachCompany } from '../kernel/companies.ts'
import type { BackgroundTasks } from '../kernel/queue.ts'
import { type Db, transaction } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { hourMs } from '../platform/times.ts'
import { type ChainEvent, hashDetails, hashEvent, secondsOf, selectEvents } from './chain.ts'

const step = 500

export const auditTasks = ({ ownerDb }: { ownerDb: Db }): BackgroundTasks => ({
  seal_audit_logs: { cron: '*/5 * * * *', retries: 1, run: ({ now, log }) => sealAuditLogs(ownerDb, now, log) },
})

/** New companies wait an hour, because demo data is written with times in the past. */
export async function sealAuditLogs(db: Db, now: Date, log: Log) {
  const unsealed = new Set(await companiesWith(db, 'audit_events', sql`d.position is null`))
  await forEachCompany(db, async ({ id, created_at }) => {
    if (!unsealed.has(id)) return
    const isNew = created_at.getTime() >= now.getTime() - hourMs
    if (isNew && !(await hasChain(db, id))) return
    const newest = await sealAuditLog(db, id, now)
    // A copy of the log kept elsewhere shows whether someone has rebuilt the whole chain.
    if (newest) log.info({ company_id: id, ...newest }, 'audit log sealed')
  })
}

async function hasChain(db: Db, company_id: string) {
  const chains = db.selectFrom('audit_chains').select('company_id').where('company_id', '=', company_id)
  return (await chains.executeTakeFirst()) !== undefined
}

export async function sealAuditLog(db: Db, company_id: string, now: Date) {
  for (;;) {
    const { isMore, newest } = await transaction(db, (tx) => sealBatch(tx, company_id, now))
    if (!isMore) return newest
  }
}

async function sealBatch(tx: Db, company_id: string, now: Date) {
  const chain = await lockChain(tx, company_id)
  const time = chain.is_behind ? chain.sealed_at! : new Date(Math.max(now.getTime(), chain.sealed_at?.getTime() ?? 0))
  const events = await selectEvents(tx, company_id)
    .select(secondsOf(sql`${time}::timestamptz`).as('sealed_at'))
    .where('position', 'is', null)
    .orderBy('id')
    .limit(step)
    .execute()
  if (!events.length) return { isMore: false, newest: null }
  const sealed = linked(chain, company_id, events)
  const { position, hash } = sealed.at(-1)!
  await sql`update audit_events e
    set position = s.position, sealed_at = ${time}, details_key = s.details_key, details_hash = s.details_hash, hash = s.hash
    from unnest(${sealed.map((event) => event.id)}::uuid[], ${sealed.map((event) => event.position)}::bigint[],
      ${sealed.map((event) => event.details_key)}::bytea[], ${sealed.map((event) => event.details_hash)}::bytea[],
      ${sealed.map((event) => event.hash)}::bytea[]) s (id, position, details_key, details_hash, hash)
    where e.company_id = ${company_id} and e.id = s.id`.execute(tx)
  const isMore = events.length === step
  await tx
    .updateTable('audit_chains')
    .set({ sealed_through: position, sealed_hash: hash, sealed_at: time, is_behind: isMore })
    .where('company_id', '=', company_id)
    .execute()
  return { isMore, newest: { position, hash: hash.toString('hex') } }
}

/** Locked until the transaction ends, so that two processes never seal the same chain at once. */
export async function lockChain(tx: Db, company_id: string) {
  await tx
    .insertInto('audit_chains')
    .values({ company_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const chain = tx.selectFrom('audit_chains').selectAll().where('company_id', '=', company_id)
  return chain.forUpdate().executeTakeFirstOrThrow()
}

type Chain = { sealed_through: string; sealed_hash: Buffer }

function linked(chain: Chain, company_id: string, events: (ChainEvent & { sealed_at: string })[]) {
  let [position, previous] = [Number(chain.sealed_through), chain.sealed_hash]
  return events.map((event) => {
    const details_key = randomBytes(16)
    const details_hash = hashDetails(details_key, event)
    position++
    previous = hashEvent(previous, company_id, event, { position, sealed_at: event.sealed_at, details_hash })
    return { id: event.id, position, details_key, details_hash, hash: previous }
  })
}
