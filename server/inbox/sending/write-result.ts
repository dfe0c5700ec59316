// What a channel reported about a message that it was given.
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { retryAt } from '../../platform/retry.ts'
import { asChannel } from '../channels/act-as.ts'
import type { StoredMessage } from '../thread/find-readable.ts'
import { type Claimed, type Result, refundQuota } from './claim.ts'
import { advance, notSent } from './message-state.ts'

/** Seconds after each failed attempt; then a message has failed. */
const waits = [60, 300, 1800, 7200, 21_600]
const mostLaterSeconds = 24 * 60 * 60

export const writeResult = (db: Db, claimed: Claimed, result: Result, now: Date) =>
  asChannel(db, claimed.channel, now, async (context) => {
    const { message, leased_by } = claimed
    if (result.state === 'again' || result.state === 'later') return tryAgain(context, claimed, result)
    if (result.state === 'sent' && result.thread !== undefined) await noteThread(context.db, message, result.thread)
    if (result.state === 'sent' && result.isCopyDue) await noteCopyDue(context, message)
    const named = 'key' in result ? { key: result.key, providerId: result.providerId } : {}
    const state = result.state === 'sent' ? (result.final ?? 'sent') : result.state
    const reason = result.reason ?? null
    await advance(context, message, { state, reason, at: now, leased_by, ...named })
  })

type Waiting = Extract<Result, { state: 'again' | 'later' }>

async function tryAgain(context: Context, { message, channel, leased_by }: Claimed, result: Waiting) {
  const { db, now } = context
  const { company_id } = message
  const isLater = result.state === 'later'
  const seconds = Math.min(Math.max(result.afterSeconds, 1), mostLaterSeconds)
  const later = new Date(now.getTime() + seconds * 1000)
  const again = isLater ? later : retryAt(waits, message.attempts, now, { askedMs: result.afterSeconds * 1000 })
  const attempt = { leased_by, reason: result.reason, again: again ?? null, isCounted: !isLater }
  if (!(await notSent(context, message, attempt))) return
  await refundQuota(db, channel, now)
  if (isLater) {
    await sql`update channels set retry_at = ${later} where company_id = ${company_id} and id = ${channel.id}`.execute(
      db,
    )
    await sql`update messages set send_at = ${later} where company_id = ${company_id} and channel_id = ${channel.id}
      and state = 'waiting' and send_at < ${later}`.execute(db)
  }
}

/** How long the process that sent a message tries to put a copy of it into Sent. */
const copyMs = 2 * 60 * 1000

/** Together with its state, so that it is done whenever a process ends. */
const noteCopyDue = ({ db, now }: Context, { company_id, channel_id, id }: StoredMessage) =>
  sql`insert into sent_copies (company_id, channel_id, message_id, due_at)
    values (${company_id}, ${channel_id}, ${id}, ${new Date(now.getTime() + copyMs)}) on conflict do nothing`.execute(
    db,
  )

/** Answers in this chat belong to this conversation. */
export const noteThread = (
  db: Db,
  { company_id, channel_id, conversation_id }: Pick<StoredMessage, 'company_id' | 'channel_id' | 'conversation_id'>,
  thread: string,
) =>
  sql`insert into conversation_threads (company_id, channel_id, thread, conversation_id)
    values (${company_id}, ${channel_id}, ${thread.slice(0, 300)}, ${conversation_id}) on conflict do nothing`.execute(
    db,
  )
