// When a gateway was last heard of, whether it works, and what went wrong last.
import { type RawBuilder, sql } from 'kysely'
import { channelChanged } from '../../inbox/access/announce.ts'
import { asChannel } from '../../inbox/channels/act-as.ts'
import type { ChannelRow } from '../../inbox/channels/channel.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import { announce } from '../../kernel/live-channel.ts'
import type { Db } from '../../platform/db.ts'
import { sendWaiting } from './send-waiting.ts'

type ChannelRef = Pick<ChannelRow, 'company_id' | 'id'>
type Named = ChannelRef & { name: string }
type Row = Parameters<typeof channelChanged>[0]
type Direction = 'receiving' | 'sending'

/** Gateways are away for a while now and then; people are notified if it lasts. */
const notifyAfterMs = 5 * 60_000
/** The same problem again is no news. */
const sameMs = 60_000
const longest = 500

const columns = sql`company_id, id, owner_id, is_shared`
const at = ({ company_id, id }: ChannelRef) => sql`company_id = ${company_id} and id = ${id}`
const recovered = (about: Direction, now: Date): RawBuilder<unknown> =>
  sql`recovered_at = case when last_error_about = ${about} then coalesce(recovered_at, ${now}::timestamptz) else recovered_at end`

/** In the transaction of what was received. */
export const noteReceived = (tx: Db, channel: ChannelRef, now: Date) =>
  sql`update channels set last_received_at = ${now}, state = case when state = 'connecting' then 'synced' else state end,
    ${recovered('receiving', now)} where ${at(channel)}`.execute(tx)

export async function noteDelivered(db: Db, channel: ChannelRef, now: Date) {
  await sql`update channels set last_delivered_at = ${now}, ${recovered('sending', now)} where ${at(channel)}`.execute(
    db,
  )
  await noteWorking(db, channel, 'sending', now)
}

/** After an outage, what waits is sent: after a long one at once, otherwise it is due soon anyway. */
export async function noteWorking(db: Db, channel: ChannelRef, about: Direction, now: Date) {
  const { rows } = await sql<Row & { was_long: boolean }>`
    with before as materialized (select state = 'failing' and state_at <= ${new Date(now.getTime() - notifyAfterMs)} as was_long
      from channels where ${at(channel)} and state in ('connecting', 'failing') for update)
    update channels set state = 'synced', state_reason = null, state_at = ${now}, failure_told_at = null,
      ${recovered(about, now)}
    from before where ${at(channel)} returning ${columns}, was_long`.execute(db)
  await announce(db, rows.map(channelChanged))
  if (rows[0]?.was_long) await sendAgain(db, channel, now)
}

/** A person saw that it works. */
export async function noteTested(db: Db, channel: ChannelRef, now: Date) {
  await noteWorking(db, channel, 'sending', now)
  await sendAgain(db, channel, now)
}

const sendAgain = (db: Db, channel: ChannelRef, now: Date) =>
  asChannel(db, { ...channel, name: '' }, now, (context) => sendWaiting(context, channel))

type How = { about?: Direction; needsHelp?: boolean }

/** The gateway cannot be reached or refuses everything. `needsHelp`: this does not pass by itself. */
export async function noteFailure(db: Db, channel: Named, reason: string, now: Date, how: How = {}) {
  const { about = 'sending', needsHelp = false } = how
  const { rows } = await sql<Row & { is_due: boolean }>`
    update channels set last_error = ${reason}, last_error_at = ${now}, last_error_about = ${about}, recovered_at = null,
      state_reason = ${reason}, state_at = case when state = 'failing' then state_at else ${now} end,
      state = case when state in ('connecting', 'synced') then 'failing' else state end
    where ${at(channel)} and state not in ('paused', 'disconnected')
    returning ${columns}, ${isDue(needsHelp, now)} as is_due`.execute(db)
  await announce(db, rows.map(channelChanged))
  if (rows[0]?.is_due) await announceFailure(db, channel, reason, needsHelp, now)
}

const isDue = (needsHelp: boolean, now: Date) =>
  sql`failure_told_at is null and (${needsHelp} or state_at <= ${new Date(now.getTime() - notifyAfterMs)})`

/** Once for an outage. */
const announceFailure = (db: Db, channel: Named, reason: string, needsHelp: boolean, now: Date) =>
  asChannel(db, channel, now, async (context) => {
    const { rows } = await sql`update channels set failure_told_at = ${now}
      where ${at(channel)} and state = 'failing' and ${isDue(needsHelp, now)} returning id`.execute(context.db)
    if (rows.length) context.emit('channel.failing', { channel_id: channel.id, reason })
  })

const writeProblem = async (db: Db, channel: ChannelRef, about: Direction, reason: string, now: Date) => {
  const { rows } = await sql<Row>`
    update channels set last_error = ${reason.slice(0, longest)}, last_error_at = ${now}, last_error_about = ${about},
      recovered_at = null
    where ${at(channel)} and (last_error is distinct from ${reason.slice(0, longest)} or recovered_at is not null
      or last_error_at < ${new Date(now.getTime() - sameMs)}) returning ${columns}`.execute(db)
  return rows
}

/** Something about one message or one post. The channel itself works. */
export const noteProblem = async (db: Db, channel: ChannelRef, about: Direction, reason: string, now: Date) =>
  announce(db, (await writeProblem(db, channel, about, reason, now)).map(channelChanged))

/** What became of a message, in the transaction of the report. */
export async function noteOutcome(context: Context, channel: ChannelRef, failure: string | null) {
  const { db, now } = context
  if (failure === null) await sql`update channels set last_delivered_at = ${now} where ${at(channel)}`.execute(db)
  const changed =
    failure === null
      ? await sql`update channels set ${recovered('sending', now)} where ${at(channel)} and last_error_about = 'sending'
          and recovered_at is null and state <> 'failing' returning id`.execute(db)
      : { rows: await writeProblem(db, channel, 'sending', failure, now) }
  if (changed.rows.length)
    context.emit('channel.changed', { channel_id: channel.id, user_id: null }, channel.company_id)
}

export const failureOf = (reason: string | null) =>
  `A message was not delivered. ${reason ?? 'The gateway gave no reason.'}`

/** Notes why a post was refused. */
export async function noting<T>(
  { db, now }: Pick<Context, 'db' | 'now'>,
  channel: ChannelRef,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.status < 500)
      await noteProblem(db, channel, 'receiving', `A request was refused. ${error.message}`, now)
    throw error
  }
}
