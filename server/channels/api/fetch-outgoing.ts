// Outgoing messages that a gateway fetches. What it does not acknowledge in time is offered again, with the same ID.
import { sql } from 'kysely'
import { fetchedSeconds } from '../../../contract/gateways.ts'
import { abandon, claim, dueMessages } from '../../inbox/sending/claim.ts'
import { MissingFile, outgoingOf } from '../../inbox/sending/outgoing-message.ts'
import type { SenderServices } from '../../inbox/sending/worker.ts'
import { writeResult } from '../../inbox/sending/write-result.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import type { GatewayChannel } from '../gateway/find-channel.ts'
import { noteWorking } from '../gateway/health.ts'
import { outgoingJson } from './send.ts'
import { noteFetched } from './silent-gateways.ts'
import type { GatewayWaiting } from './waiting-gateways.ts'

type FetchInput = { limit: number; wait_seconds: number }

export async function waitForOutgoing(
  context: Context,
  services: SenderServices & { gatewayWaiting: GatewayWaiting },
  channel: GatewayChannel,
  wanted: FetchInput,
) {
  const { company_id, id: channel_id } = channel
  let isGone = false
  const stop = context.onDisconnect?.(() => {
    isGone = true
  })
  try {
    await noteFetched(context.db, channel, context.now)
    const began = Date.now()
    const end = began + wanted.wait_seconds * 1000
    // What is queued while it waits is due, too.
    const clock = () => new Date(context.now.getTime() + Date.now() - began)
    for (;;) {
      const items = await fetchSome({ ...context, now: clock() }, services, channel, wanted.limit)
      // Whether they are delivered, the gateway reports.
      if (items.length) await noteWorking(context.db, channel, 'sending', context.now)
      const left = end - Date.now()
      if (items.length || isGone || left <= 0) return items
      const poll = { company_id, channel_id, clock }
      if (!(await services.gatewayWaiting.wait(context.db, poll, left, context.onDisconnect))) return items
    }
  } finally {
    stop?.()
  }
}

async function fetchSome({ db, now }: Context, services: SenderServices, channel: GatewayChannel, limit: number) {
  const { channelKinds } = services
  const items: ReturnType<typeof outgoingJson>[] = []
  const wanted = { ofChannel: limit, fetchedBy: channel.id }
  for (const due of await dueMessages(db, channelKinds, channel.company_id, now, wanted)) {
    if (due.state === 'sending') await abandon(db, channelKinds, due, now)
    const claimed = await claim(db, channelKinds, due, now, fetchedSeconds)
    if (!claimed) continue
    try {
      items.push(outgoingJson(channel.id, await outgoingOf(db, services, claimed)))
    } catch (error) {
      if (!(error instanceof MissingFile)) throw error
      await writeResult(db, claimed, { state: 'failed', reason: error.message }, now)
    }
  }
  return items
}

/** A request that someone caught and sends again must not get messages. */
export async function refuseReplay(
  db: Db,
  { company_id, id }: GatewayChannel,
  post_id: string,
  digest: Buffer,
  now: Date,
) {
  const { rows } = await sql`insert into gateway_posts (company_id, channel_id, post_id, digest, answer, at)
    values (${company_id}, ${id}, ${post_id}, ${digest}, '[]', ${now}) on conflict do nothing returning post_id`.execute(
    db,
  )
  if (!rows.length) throw new AppError('conflict', 'This webhook-id was already used. Use a new ID for each request.')
}
