// Sends the messages that are due. Each channel and each company sends a few at a time, so that one that hangs delays no
// other.
import { setTimeout as sleep } from 'node:timers/promises'
import { own } from '../../../contract/shared/own.ts'
import type { Files } from '../../files/queries.ts'
import type { Work } from '../../kernel/worker.ts'
import { type Db, isUnavailable } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Vault } from '../../platform/vault.ts'
import type { ChannelKinds, Outgoing } from '../channels/channel.ts'
import { abandon, type Claimed, claim, type Due, dueMessages, nextDue, type Result } from './claim.ts'
import { delayed, leases } from './message-state.ts'
import { MissingFile, outgoingOf } from './outgoing-message.ts'
import { writeResult } from './write-result.ts'

const ofChannel = 4
const ofCompany = 16
/** After an error of ours. */
const pauseMs = 60_000

export type SenderServices = { channelKinds: ChannelKinds; files: Files; vault: Vault; baseUrl: URL }
type Parts = { db: Db; log: Log; clock: () => Date; services: SenderServices }

export function messageWork({ db, log, clock, services }: Parts): Work<Due> {
  const { channelKinds } = services

  /** A channel that is sending nothing may always send one, up to twice the usual number of its company. */
  async function find(company_id: string, limit: number, now: Date, running: Due[]) {
    const begun = [...running]
    const inChannel = (id: string) => begun.filter(({ channel_id }) => channel_id === id).length
    const without = running.map(({ channel_id }) => channel_id).filter((id) => inChannel(id) >= ofChannel)
    for (const due of await dueMessages(db, channelKinds, company_id, now, { ofChannel, without })) {
      const ofSame = inChannel(due.channel_id)
      const isFree = ofSame < ofChannel && (begun.length < ofCompany || !ofSame)
      const isNew = running.every(({ id }) => id !== due.id)
      if (isFree && isNew && begun.length - running.length < limit) begun.push(due)
    }
    return begun.slice(running.length)
  }

  async function perform(due: Due, signal: AbortSignal) {
    if (due.state === 'sending') return abandon(db, channelKinds, due, clock())
    const claimed = await claim(db, channelKinds, due, clock())
    if (!claimed) return
    const about = { company_id: due.company_id, message_id: due.id, channel_id: due.channel_id }
    const result = await send(db, services, claimed, (err, problem) => log.error({ err, ...about }, problem))
    await writing(() => writeResult(db, claimed, result, clock()), signal)
  }

  return {
    queue: 'messages',
    atOnce: 64,
    most: 128,
    ofCompany: 2 * ofCompany,
    find,
    perform,
    nextDue: (company_id, now) => nextDue(db, company_id, now),
    renewing: { everyMs: 8000, renew: (due) => leases.renew(db, due) },
    // What may have been sent is decided when its lease ends.
    giveBack: async (due, error) => {
      if (!isUnavailable(error)) await delayed(db, due, new Date(clock().getTime() + pauseMs))
    },
    failure: 'a message could not be sent',
    graceMs: 10_000,
    // It becomes unknown.
    isLeftBehind: true,
  }
}

/** The message was sent: what is known about it must not get lost while the database restarts. */
async function writing(write: () => Promise<unknown>, signal: AbortSignal) {
  for (let attempt = 1; ; attempt++)
    try {
      return await write()
    } catch (error) {
      if (!isUnavailable(error) || attempt === 20 || signal.aborted) throw error
      await sleep(1000)
    }
}

/** Errors before the channel was called leave no doubt: nothing was sent. */
async function send(
  db: Db,
  services: SenderServices,
  claimed: Claimed,
  report: (error: unknown, problem: string) => void,
): Promise<Result> {
  const { channel } = claimed
  const kind = own(services.channelKinds, channel.kind)
  if (!kind) return { state: 'failed', reason: 'This server does not support this type of channel.' }
  let outgoing: Outgoing
  try {
    outgoing = await outgoingOf(db, services, claimed)
  } catch (error) {
    if (error instanceof MissingFile) return { state: 'failed', reason: error.message }
    report(error, 'a message could not be prepared for sending')
    return { state: 'again', afterSeconds: 0, reason: 'Kith could not read the message from its database.' }
  }
  try {
    return await kind.send(channel, outgoing)
  } catch (error) {
    // A channel reports errors as results. This one does not know itself how far it came.
    report(error, 'a channel failed while it sent a message')
    return { state: 'unknown', reason: 'The connection failed while sending. The message may have been delivered.' }
  }
}
