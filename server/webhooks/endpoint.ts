// A webhook while a process sends for it. One process at a time does, so that it alone decides about order and pauses.
import { type KeyObject, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { readable, rightsFor } from '../engine/rights/rights.ts'
import { schemaOf } from '../engine/schema/schema.ts'
import type { Actor } from '../kernel/context.ts'
import { isFree, type Leased, leasesOf } from '../kernel/leases.ts'
import { Params, run } from '../kernel/statement.ts'
import type { Db } from '../platform/db.ts'
import { signingKey } from '../platform/standard-webhooks.ts'
import type { Vault } from '../platform/vault.ts'
import { hiddenConversations, inboxObjectId } from './queue-inbox-events.ts'
import { mostFailures } from './schedule.ts'

export const leases = leasesOf('webhooks', 20)
/** No attempt begins later in a lease, because it could still run when another process has taken over. */
const freshMs = 4000
const batchSize = 100

export type Endpoint = {
  company_id: string
  id: string
  target_url: string
  is_ordered: boolean
  owner_id: string
  /** All that sign at the moment. */
  keys: KeyObject[]
  headers: Record<string, string>
  failures: number
  failing_since: Date | null
  retry_at: Date | null
  disabled: string | null
  last: { at: Date; status: number | null } | null
  /** When the lease began, for this process. */
  leasedMs: number
}
export type Delivery = {
  id: string
  event_id: string
  object_id: string
  record_id: string
  body: string
  attempts: number
}
type Row = Omit<Endpoint, 'keys' | 'headers' | 'retry_at' | 'disabled' | 'last' | 'leasedMs'> & {
  secret: Buffer | null
  old_secret: Buffer | null
  old_secret_expires_at: Date | null
  headers: Buffer | null
}
export type Place = Pick<Endpoint, 'company_id' | 'id'>

export const placeOf = (column: 'secret' | 'headers', { company_id, id }: Place) =>
  `webhooks.${column} ${company_id} ${id}`

/** The webhooks of a company that have something to send now. */
export async function dueWebhooks(
  db: Db,
  company_id: string,
  now: Date,
  { limit, without }: { limit: number; without: Place[] },
): Promise<Leased[]> {
  const { rows } = await sql<Place>`
    select t.company_id, t.id from webhooks t join subscriptions s on s.company_id = ${company_id} and s.id = t.id
    where t.company_id = ${company_id} and s.is_active and (t.retry_at is null or t.retry_at <= ${now})
      and t.id <> all(${without.map(({ id }) => id)}::uuid[]) and ${isFree}
      and exists (select from webhook_deliveries d
        where d.company_id = ${company_id} and d.webhook_id = t.id and d.next_attempt_at <= ${now})
    limit ${limit}`.execute(db)
  return rows.map((place) => ({ ...place, leased_by: randomUUID() }))
}

/** When a webhook of the company has something to send, or the lease of one ends. What waits for one that is paused is not looked through. */
export async function nextDue(db: Db, company_id: string, now: Date) {
  const { rows } = await sql<{ next: Date | null }>`
    select min(case when w.leased_until >= now() then ${now}::timestamptz + (w.leased_until - now())
      else greatest(d.at, w.retry_at) end) as next
    from webhooks w join subscriptions s on s.company_id = ${company_id} and s.id = w.id
    cross join lateral (select (select q.next_attempt_at from webhook_deliveries q
      where q.company_id = ${company_id} and q.webhook_id = w.id and q.next_attempt_at is not null
      order by q.next_attempt_at limit 1) as at) d
    where w.company_id = ${company_id} and s.is_active and d.at is not null`.execute(db)
  return rows[0]!.next
}

/** Takes or renews the lease. Undefined if another process sends for it, or if it must not send now. */
export async function lease(db: Db, vault: Vault, { company_id, id, leased_by }: Leased, now: Date) {
  const leasedMs = performance.now()
  const { rows } = await sql<Row>`
    update webhooks t set ${leases.taking(leased_by)} from subscriptions s
    where t.company_id = ${company_id} and t.id = ${id} and s.company_id = ${company_id} and s.id = ${id} and s.is_active
      and (t.retry_at is null or t.retry_at <= ${now}) and (${isFree} or t.leased_by = ${leased_by})
    returning t.company_id, t.id, t.target_url, t.is_ordered, s.owner_id, t.secret, t.old_secret, t.old_secret_expires_at,
      t.headers, t.failures, t.failing_since`.execute(db)
  return rows[0] && opened(vault, rows[0], now, leasedMs)
}

function opened(vault: Vault, row: Row, now: Date, leasedMs: number): Endpoint {
  const { secret, old_secret, old_secret_expires_at: until, headers, ...endpoint } = row
  const isOldValid = old_secret && until && until > now
  const secrets = [secret, isOldValid ? old_secret : null].filter((one) => one !== null)
  return {
    ...endpoint,
    keys: secrets.map((sealed) => signingKey(vault.open(sealed, placeOf('secret', row)))),
    headers: headers ? JSON.parse(vault.open(headers, placeOf('headers', row))) : {},
    retry_at: null,
    disabled: null,
    last: null,
    leasedMs,
  }
}

export const isLeaseFresh = ({ leasedMs }: Endpoint) => performance.now() - leasedMs < freshMs

/** What to send next, oldest first. After failures in a row only one, to find out whether the receiver is back. */
export async function nextDeliveries(db: Db, { company_id, id, is_ordered, failures }: Endpoint, now: Date) {
  const limit = failures >= mostFailures ? 1 : batchSize
  const isFirst = is_ordered
    ? sql`and not exists (select from webhook_deliveries e where e.company_id = ${company_id} and e.webhook_id = ${id}
        and e.record_id = d.record_id and e.version < d.version and e.next_attempt_at is not null)`
    : sql``
  const { rows } = await sql<Delivery>`
    select d.id, d.event_id, d.object_id, d.record_id, d.body, d.attempts from webhook_deliveries d
    where d.company_id = ${company_id} and d.webhook_id = ${id} and d.next_attempt_at <= ${now} ${isFirst}
    order by d.next_attempt_at, d.change_set_id, d.position, d.event_type desc limit ${limit}`.execute(db)
  return rows
}

/** The deliveries about records that the owner may no longer read, or all of them if there is no owner. */
export async function unreadable(db: Db, owner: Actor | undefined, deliveries: Delivery[]) {
  if (!owner) return deliveries
  const { company_id } = owner
  const schema = await schemaOf(db, owner)
  const hidden = await hiddenConversations(db, owner, deliveries)
  const limited = deliveries.filter(({ object_id }) => {
    if (object_id === inboxObjectId) return false
    const object = schema.byId.get(object_id)
    return !object || rightsFor(owner, object.key).read !== 'all'
  })
  if (!limited.length) return hidden
  const params = new Params()
  const conditions = [...schema.objects.values()].map((object) => {
    const limit = readable(owner, object, 'r', params)
    return `(r.object_id = ${params.add(object.id, 'uuid')}${limit && ` and ${limit}`})`
  })
  const ids = limited.map(({ record_id }) => record_id)
  const rows = await run<{ id: string }>(
    db,
    `select r.id from records r where r.company_id = ${params.add(company_id, 'uuid')}
      and r.id = any(${params.add(ids, 'uuid[]')}) and (${conditions.join(' or ')})`,
    params,
  )
  const seen = new Set(rows.map(({ id }) => id))
  return [...hidden, ...limited.filter(({ record_id }) => !seen.has(record_id))]
}
