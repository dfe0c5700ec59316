// Reads a company's audit log from the first seal to the last, and reports what differs from what was sealed.
import { sql } from 'kysely'
import type { AuditVerification } from '../../contract/audit.ts'
import type { Db } from '../platform/db.ts'
import { hashDetails, hashEvent, secondsOf, selectEvents } from './chain.ts'

type Problem = AuditVerification['problems'][number]

const pageSize = 1000
const mostProblems = 20
/** A transaction takes seconds, so an event that arrives a day after its own time was added afterwards. */
const lateSeconds = 24 * 60 * 60

/** On one snapshot, so that sealing and retention cannot interfere. */
export const verifyAuditLog = (db: Db, company_id: string, signal?: AbortSignal): Promise<AuditVerification> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => verify(tx, company_id, signal))

async function verify(db: Db, company_id: string, signal?: AbortSignal): Promise<AuditVerification> {
  const chain = await findChain(db, company_id)
  const walk = startWalk(company_id, chain)
  for await (const event of sealedEvents(db, company_id)) {
    signal?.throwIfAborted()
    walk.step(event)
  }
  const problems = walk.finish(await waitingToCheck(db, company_id, chain.lateBefore))
  const { removed, end, hash, sealed_at } = chain
  return {
    ok: problems.length === 0,
    problems: problems.slice(0, mostProblems),
    sealed: end - removed,
    waiting: await countWaiting(db, company_id),
    removed,
    erased: walk.erased(),
    newest_seal: sealed_at ? { position: end, hash: hash.toString('hex'), at: timeOf(sealed_at)! } : null,
  }
}

async function findChain(db: Db, company_id: string) {
  const found = await db
    .selectFrom('audit_chains')
    .select(['sealed_through', 'sealed_hash', 'removed_through', 'removed_hash', 'is_behind'])
    .select(secondsOf(sql.ref('sealed_at')).as('sealed_at'))
    .where('company_id', '=', company_id)
    .executeTakeFirst()
  const none = Buffer.alloc(0)
  return {
    end: Number(found?.sealed_through ?? 0),
    hash: found?.sealed_hash ?? none,
    sealed_at: found?.sealed_at ?? null,
    /** Until a run is complete, the events it has not reached may be of any age. */
    lateBefore: found && !found.is_behind ? found.sealed_at : null,
    removed: Number(found?.removed_through ?? 0),
    removedHash: found?.removed_hash ?? none,
  }
}

async function countWaiting(db: Db, company_id: string) {
  const { waiting } = await db
    .selectFrom('audit_events')
    .select(({ fn }) => fn.countAll<string>().as('waiting'))
    .where('company_id', '=', company_id)
    .where('position', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(waiting)
}

/** Events that are not sealed yet but can already be a problem, or explain one. */
const waitingToCheck = (db: Db, company_id: string, lateBefore: string | null) =>
  selectEvents(db, company_id)
    .where('position', 'is', null)
    .where((eb) => eb.or([eb('action', '=', 'audit.pruned'), isLateNow(lateBefore)]))
    .limit(pageSize)
    .execute()
const isLateNow = (lateBefore: string | null) =>
  sql<boolean>`extract(epoch from at) < ${lateBefore}::numeric - ${lateSeconds}`

const selectSealed = (db: Db, company_id: string) =>
  selectEvents(db, company_id)
    .select(['position', 'details_key', 'details_hash', 'hash', secondsOf(sql.ref('sealed_at')).as('sealed_at')])
    .orderBy('position')
    .limit(pageSize)
type SealedEvent = Awaited<ReturnType<ReturnType<typeof selectSealed>['execute']>>[number]

async function* sealedEvents(db: Db, company_id: string) {
  for (let after = String(-(2n ** 63n)); ; ) {
    const page = await selectSealed(db, company_id).where('position', '>', after).execute()
    yield* page
    if (page.length < pageSize) return
    after = page.at(-1)!.position!
  }
}

type Chain = Awaited<ReturnType<typeof findChain>>
type Waiting = Awaited<ReturnType<typeof waitingToCheck>>

function startWalk(company_id: string, chain: Chain) {
  const problems: Problem[] = []
  let position = chain.removed
  /** Unknown after a gap. */
  let previous: Buffer | null = chain.removedHash
  let run = { sealed_at: '', before: '' }
  let erased = 0
  let isRemovalExplained = chain.removed === 0

  const report = (kind: Problem['kind'], event?: { id: string; at: string }, at: number | null = position) =>
    problems.push({ kind, position: at, event_id: event?.id ?? null, at: event ? timeOf(event.at) : null })

  function step(event: SealedEvent) {
    const place = Number(event.position)
    if (place <= chain.removed || place > chain.end) return report('added', event, place)
    if (place > position + 1) {
      report('removed', undefined, position + 1)
      previous = null
    }
    position = place
    if (event.sealed_at !== run.sealed_at) run = { sealed_at: event.sealed_at, before: run.sealed_at }
    if (!isAsSealed(company_id, event, previous)) report('changed', event)
    else if (isLate(event.at, run.before)) report('added', event)
    if (event.details_key === null) erased++
    if (explainsRemoval(event, chain.removed)) isRemovalExplained = true
    previous = event.hash
  }

  function finish(waiting: Waiting) {
    if (position < chain.end) report('removed', undefined, position + 1)
    else if (previous && !previous.equals(chain.hash)) report('changed')
    for (const event of waiting) {
      if (isLate(event.at, chain.lateBefore ?? '')) report('added', event, null)
      if (explainsRemoval(event, chain.removed)) isRemovalExplained = true
    }
    if (!isRemovalExplained) report('removed', undefined, chain.removed)
    return problems
  }

  return { step, finish, erased: () => erased }
}

function isAsSealed(company_id: string, event: SealedEvent, previous: Buffer | null) {
  const { details_key, details_hash, hash, sealed_at } = event
  if (!details_hash || !hash) return false
  const isErased = !details_key && event.ip === null && event.data === '{}'
  if (!isErased && !(details_key && hashDetails(details_key, event).equals(details_hash))) return false
  const sealed = { position: Number(event.position), sealed_at, details_hash }
  return !previous || hashEvent(previous, company_id, event, sealed).equals(hash)
}

/** An earlier run had already sealed everything of that time. */
const isLate = (at: string, sealed_at: string) => sealed_at !== '' && Number(at) < Number(sealed_at) - lateSeconds

/** Retention records in the log how far it went, so the beginning cannot be cut off unnoticed. */
function explainsRemoval({ action, data }: { action: string; data: string }, through: number) {
  return action === 'audit.pruned' && (JSON.parse(data) as { through?: number }).through === through
}

/** Null for times that Kith never writes, such as infinity. */
function timeOf(seconds: string) {
  const ms = Number(seconds) * 1000
  return ms > 0 && ms < 253_402_300_800_000 ? new Date(ms).toISOString() : null
}
