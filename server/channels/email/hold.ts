// Holds mailboxes. Exactly one process holds each: it has a lease, which it renews. If it ends, another one takes over.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { firstSyncDays } from '../../../contract/channels.ts'
import { asChannel } from '../../inbox/channels/act-as.ts'
import { companiesWith } from '../../kernel/companies.ts'
import { polling } from '../../kernel/polling.ts'
import { isUnavailable } from '../../platform/db.ts'
import { openMailbox } from './connect.ts'
import { credentialsOf } from './credentials.ts'
import { followMailbox, type Pace, usualPace } from './follow.ts'
import { imapPorts, mailboxOf } from './mailbox.ts'
import { MailboxError } from './mailbox-error.ts'
import { type HeldChannel, LostLease, type Parts } from './session.ts'
import { noteState } from './state.ts'
import { createSuspects, type Suspects } from './suspects.ts'

/** How long a process may be silent before another one takes over. */
const leaseSeconds = 15
const renewMs = 4000
const mostMailboxes = 500
const day = 86_400_000

export type HoldPace = Pace & {
  silenceMs?: number
  /** After a connection that ended; doubled each time, up to the second. */
  againMs: [number, number]
  /** When only someone's help would change something, such as another password. */
  helplessMs: number
}
const usual: HoldPace = { ...usualPace, againMs: [1000, 5 * 60_000], helplessMs: 60 * 60_000 }

type Holding = { work: Promise<void>; stop: AbortController }

export type MailboxRunner = ReturnType<typeof startMailboxRunner>

export function startMailboxRunner(parts: Parts & { pace?: Partial<HoldPace> }) {
  const { db, log } = parts
  const pace = { ...usual, ...parts.pace }
  const held = new Map<string, Holding>()
  const poll = polling({ look, log, failure: 'mailboxes could not be looked up' })

  async function look() {
    for (const company_id of await companiesWith(db, 'channels', isFree))
      for (const channel of await claim(company_id)) {
        const stop = new AbortController()
        const work = hold(channel, stop).finally(() => held.delete(channel.leased_by))
        held.set(channel.leased_by, { work, stop })
      }
  }

  const isFree = sql`d.kind = 'email' and d.disconnected_at is null and d.deleted_at is null and d.state <> 'paused'
    and (d.leased_until is null or d.leased_until < now())`

  async function claim(company_id: string) {
    const { rows } = await sql<HeldChannel>`
      with free as materialized (
        select d.id from channels d where d.company_id = ${company_id} and ${isFree}
        order by d.id limit ${Math.max(0, mostMailboxes - held.size)} for update skip locked)
      update channels c set leased_by = ${randomUUID()}, leased_until = now() + make_interval(secs => ${leaseSeconds}),
        wanted_at = null
      from free where c.company_id = ${company_id} and c.id = free.id
      returning c.company_id, c.id, c.kind, c.name, c.address, c.owner_id, c.settings, c.secrets, c.created_at, c.state,
        c.leased_by`.execute(db)
    return rows
  }

  /** Until the process stops, the lease is lost or the settings change; after that, it is claimed again. */
  async function hold(channel: HeldChannel, stop: AbortController) {
    const suspects = createSuspects()
    const renewing = setInterval(() => void renew(channel, stop), renewMs)
    let [waitMs] = pace.againMs
    try {
      while (!stop.signal.aborted) {
        const failure = await connectAndFollow(channel, stop.signal, suspects, () => {
          waitMs = pace.againMs[0]
        })
        if (stop.signal.aborted || failure instanceof LostLease) return
        const isHelpless = await noteFailure(channel, failure, waitMs)
        // Rejects only when it is stopped.
        await sleep(isHelpless ? pace.helplessMs : waitMs, undefined, { signal: stop.signal }).catch(() => {})
        waitMs = Math.min(waitMs * 2, pace.againMs[1])
      }
    } catch (error) {
      if (!isUnavailable(error)) log.error({ err: error, channel_id: channel.id }, 'a mailbox was let go')
    } finally {
      clearInterval(renewing)
      await release(channel)
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
        const since = new Date(channel.created_at.getTime() - firstSyncDays * day)
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
      const reason = 'The connection ends again and again. It is tried again.'
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

  async function renew({ company_id, id, leased_by }: HeldChannel, stop: AbortController) {
    const { rows } = await sql<{ is_wanted: boolean }>`
      update channels set leased_until = now() + make_interval(secs => ${leaseSeconds})
      where company_id = ${company_id} and id = ${id} and leased_by = ${leased_by} and disconnected_at is null
        and deleted_at is null and state <> 'paused'
      returning wanted_at is not null as is_wanted`
      .execute(db)
      .catch((error) => {
        if (!isUnavailable(error)) log.error({ err: error }, 'a mailbox could not be kept')
        return { rows: [{ is_wanted: false }] }
      })
    if (!rows[0] || rows[0].is_wanted) stop.abort()
  }

  const release = ({ company_id, id, leased_by }: HeldChannel) =>
    sql`update channels set leased_by = null, leased_until = null
      where company_id = ${company_id} and id = ${id} and leased_by = ${leased_by}`
      .execute(db)
      .catch((error) => {
        // The lease ends after a while even if it is not released.
        if (!isUnavailable(error)) log.error({ err: error, channel_id: id }, 'the lease of a mailbox was not released')
      })

  poll.wake()
  return {
    wake: poll.wake,
    async stop() {
      await poll.stop()
      for (const { stop } of held.values()) stop.abort()
      await Promise.allSettled([...held.values()].map(({ work }) => work))
    },
  }
}

/** The library's errors of a connection that has ended. */
const isConnectionError = (error: unknown) => {
  const { code, message } = error as { code?: string; message?: string }
  return (
    /connection/i.test(message ?? '') ||
    /^(NoConnection|EConnectionClosed|ETIMEOUT|ECONNRESET|EPIPE|ETIMEDOUT)$/.test(code ?? '')
  )
}
