// Holds mailboxes.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { firstSyncDays } from '../../../contract/channels.ts'
import { asChannel } from '../../inbox/channels/act-as.ts'
import { holdWork } from '../../inbox/channels/hold.ts'
import { LostLease } from '../../kernel/leases.ts'
import type { Work } from '../../kernel/worker.ts'
import { isUnavailable } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import { openMailbox } from './connect.ts'
import { credentialsOf } from './credentials.ts'
import { followMailbox, type Pace, usualPace } from './follow.ts'
import { imapPorts, mailboxOf } from './mailbox.ts'
import { MailboxError } from './mailbox-error.ts'
import { type HeldChannel, leases, type Parts } from './session.ts'
import { noteState } from './state.ts'
import { createSuspects, type Suspects } from './suspects.ts'

export type HoldPace = Pace & {
  silenceMs?: number
  /** After a connection that ended; doubled each time, up to the second. */
  againMs: [number, number]
  /** When only someone's help would change something, such as another password. */
  helplessMs: number
}
const usual: HoldPace = { ...usualPace, againMs: [1000, 5 * 60_000], helplessMs: 60 * 60_000 }

export function mailboxWork(parts: Parts & { pace?: Partial<HoldPace> }): Work<HeldChannel> {
  const { db, log } = parts
  const pace = { ...usual, ...parts.pace }

  async function hold(channel: HeldChannel, signal: AbortSignal) {
    const suspects = createSuspects()
    let [waitMs] = pace.againMs
    while (!signal.aborted) {
      const failure = await connectAndFollow(channel, signal, suspects, () => {
        waitMs = pace.againMs[0]
      })
      if (signal.aborted || failure instanceof LostLease) return
      const isHelpless = await noteFailure(channel, failure, waitMs)
      // Rejects only when it is stopped.
      await sleep(isHelpless ? pace.helplessMs : waitMs, undefined, { signal }).catch(() => {})
      waitMs = Math.min(waitMs * 2, pace.againMs[1])
    }
  }

  async function connectAndFollow(channel: HeldChannel, signal: AbortSignal, suspects: Suspects, synced: () => void) {
    const { services } = parts
    const mailbox = mailboxOf(channel)
    try {
      const way = await services.wayTo(db, imapPorts)
      const credentials = await credentialsOf(db, services, mailbox)
      const open = (known = credentials) => openMailbox(mailbox.imap, known, way, pace)
      const client = await open().catch(async (error) => {
        // A token can be revoked before it expires.
        if (!('accessToken' in credentials) || !(error instanceof MailboxError) || error.needs !== 'sign_in')
          throw error
        return open(await credentialsOf(db, services, mailbox, credentials.accessToken))
      })
      const close = () => client.close()
      signal.addEventListener('abort', close, { once: true })
      try {
        const since = new Date(channel.created_at.getTime() - firstSyncDays * dayMs)
        await followMailbox(
          { ...parts, channel, client, since, suspects, signal, comparisons: new Map() },
          pace,
          synced,
        )
      } finally {
        signal.removeEventListener('abort', close)
        client.close()
      }
    } catch (error) {
      return error
    }
    return undefined
  }

  /** A connection that ends now and then is no failure; one that cannot be made again is. True: someone must help. */
  async function noteFailure(channel: HeldChannel, failure: unknown, waitMs: number) {
    if (failure instanceof MailboxError) {
      const state = failure.needs === 'sign_in' ? 'sign_in' : 'failing'
      const isNew = await noteState(db, channel, state, failure.message, parts.clock())
      // Servers are away for a while now and then; people are notified if it lasts.
      if (failure.needs ? isNew : isLong(waitMs)) await tellOwner(channel, failure.message)
      return failure.needs !== null
    }
    if (isConnectionError(failure)) {
      const reason = 'The connection keeps dropping. Retrying.'
      if (waitMs > pace.againMs[0]) await noteState(db, channel, 'failing', reason, parts.clock())
    } else if (!isUnavailable(failure))
      log.error({ err: failure, company_id: channel.company_id, channel_id: channel.id }, 'a mailbox could not be read')
    return false
  }

  const isLong = (waitMs: number) => waitMs <= pace.againMs[1] / 2 && waitMs * 4 > pace.againMs[1]

  const tellOwner = (channel: HeldChannel, reason: string) =>
    asChannel(db, channel, parts.clock(), async (context) =>
      context.emit('channel.failing', { channel_id: channel.id, reason }),
    )

  return holdWork(parts, {
    queue: 'mailboxes',
    leases,
    where: sql`t.kind = 'email'`,
    columns: sql`t.kind, t.name, t.address, t.owner_id, t.settings, t.secrets, t.created_at, t.state`,
    renewMs: 4000,
    most: 500,
    hold,
    failure: 'a mailbox was let go',
  })
}

/** The library's errors of a connection that has ended. */
const isConnectionError = (error: unknown) => {
  const { code, message } = error as { code?: string; message?: string }
  return (
    /connection/i.test(message ?? '') ||
    /^(NoConnection|EConnectionClosed|ETIMEOUT|ECONNRESET|EPIPE|ETIMEDOUT)$/.test(code ?? '')
  )
}
