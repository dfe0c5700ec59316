// What attempts mean for their delivery and for the webhook, and how that is written.
import { sql } from 'kysely'
import { renewSubscriptions } from '../engine/subscriptions/save.ts'
import { emitIn } from '../kernel/outbox.ts'
import { joining, Params, run } from '../kernel/statement.ts'
import { type Db, transaction } from '../platform/db.ts'
import type { Attempt } from './attempt.ts'
import type { Delivery, Endpoint } from './endpoint.ts'
import { mostFailingMs, nextAttempt, pauseAfter } from './schedule.ts'

export type Result = {
  company_id: string
  id: string
  webhook_id: string
  state: 'waiting' | 'delivered' | 'failed' | 'cancelled'
  attempts: number
  next_attempt_at: Date | null
  last_attempt_at: Date
  last_status: number | null
  last_ms: number
  reason: string | null
  log: object[]
}

export function resultOf(
  { company_id, id: webhook_id }: Endpoint,
  delivery: Delivery,
  made: Attempt,
  now: Date,
): Result {
  const { retryAfterMs, isAborted, isGone, ...entry } = made
  const attempts = delivery.attempts + 1
  const next = made.is_success || isAborted || isGone ? null : nextAttempt(attempts, now, retryAfterMs)
  const reason = isAborted ? `${made.reason} The receiver asked not to resend this event.` : made.reason
  return {
    company_id,
    id: delivery.id,
    webhook_id,
    state: made.is_success ? 'delivered' : next ? 'waiting' : 'failed',
    attempts,
    next_attempt_at: next,
    last_attempt_at: now,
    last_status: made.status,
    last_ms: made.ms,
    reason,
    log: [{ ...entry, number: attempts, reason, next_attempt_at: next?.toISOString() ?? null }],
  }
}

/** For one that must no longer be sent. */
export const cancelled = ({ company_id, id: webhook_id }: Endpoint, { id }: Delivery, now: Date): Result => ({
  company_id,
  id,
  webhook_id,
  state: 'cancelled',
  attempts: 0,
  next_attempt_at: null,
  last_attempt_at: now,
  last_status: null,
  last_ms: 0,
  reason: 'Not sent, because the owner of the webhook can no longer see this record.',
  log: [],
})

/** What an attempt means for those that follow. */
export function noteAttempt(endpoint: Endpoint, made: Attempt, now: Date) {
  endpoint.last = { at: now, status: made.status }
  // A receiver that declines a single event works.
  if (made.is_success || made.isAborted) {
    Object.assign(endpoint, { failures: 0, failing_since: null, retry_at: null })
    return
  }
  endpoint.failures++
  endpoint.failing_since ??= now
  const pause = pauseAfter(endpoint.failures, now)
  const isThrottled = made.retryAfterMs > 0 && (made.status === 429 || made.status === 503)
  const asked = isThrottled ? new Date(now.getTime() + made.retryAfterMs) : null
  endpoint.retry_at = pause && asked && asked > pause ? asked : (pause ?? asked)
  if (made.isGone) endpoint.disabled = 'The receiver responded with 410: it no longer accepts events.'
  else if (now.getTime() - endpoint.failing_since.getTime() >= mostFailingMs)
    endpoint.disabled = 'Nothing could be delivered for five days.'
}

/** All results of one company in one statement. */
export async function writeResults(db: Db, results: Result[]) {
  const params = new Params()
  const { from, where } = joining('webhook_deliveries', results, { id: 'uuid' }, params)
  // One that was deleted or sent by another process meanwhile stays as it is, but the attempt is logged.
  await run(
    db,
    `update webhook_deliveries t set state = case when t.state = 'waiting' then x.state else t.state end,
      next_attempt_at = case when t.state = 'waiting' then x.next_attempt_at end,
      attempts = greatest(t.attempts, x.attempts), last_attempt_at = x.last_attempt_at, last_status = x.last_status,
      last_ms = x.last_ms, reason = x.reason, log = t.log || x.log
      from ${from} where ${where}`,
    params,
  )
}

export async function writeState(db: Db, { company_id, id, failures, failing_since, retry_at, last }: Endpoint) {
  await sql`update webhooks set failures = ${failures}, failing_since = ${failing_since}, retry_at = ${retry_at},
      last_attempt_at = coalesce(${last?.at ?? null}::timestamptz, last_attempt_at),
      last_status = case when ${last !== null}::boolean then ${last?.status ?? null}::int else last_status end
    where company_id = ${company_id} and id = ${id}`.execute(db)
}

/** What still waits is not sent when the webhook is resumed, unless someone sends it again. */
export async function disable(
  db: Db,
  { company_id, id }: Pick<Endpoint, 'company_id' | 'id'>,
  reason: string,
  now: Date,
) {
  await transaction(db, async (tx) => {
    await renewSubscriptions(tx, company_id)
    await sql`update webhooks set disabled_at = ${now}, disabled_reason = ${reason}
      where company_id = ${company_id} and id = ${id}`.execute(tx)
    await sql`update subscriptions set is_active = false where company_id = ${company_id} and id = ${id}`.execute(tx)
    await sql`update webhook_deliveries set state = 'failed', next_attempt_at = null,
        reason = coalesce(reason, 'Not sent, because the webhook was disabled.')
      where company_id = ${company_id} and webhook_id = ${id} and next_attempt_at is not null`.execute(tx)
    const payload = { webhook_id: id, reason }
    await emitIn(tx, [{ event: 'webhook.disabled', company_id, payload, at: now, request_id: id }])
  })
}
