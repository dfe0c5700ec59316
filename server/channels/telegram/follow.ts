// Asks Telegram for updates of bots that it cannot post to, because the installation has no public https address. One
// process follows each bot: it has a lease, which it renews.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Reading } from '../../inbox/receiving/read-messages.ts'
import { companiesWith } from '../../kernel/companies.ts'
import { polling } from '../../kernel/polling.ts'
import { type Db, isUnavailable } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { OutboundError } from '../../platform/public-fetch.ts'
import { type ProviderParts, textAt } from '../gateway/call-provider.ts'
import type { GatewayChannel } from '../gateway/find-channel.ts'
import { noteFailure, noteWorking } from '../gateway/health.ts'
import { createTaking } from '../gateway/store-posts.ts'
import { ask, botOf, settingsOf } from './bot.ts'
import { itemsOf, type Update } from './read.ts'

const leaseSeconds = 60
const waitSeconds = 20
const againMs = 5000
const soonMs = 500

type Parts = {
  db: Db
  log: Log
  clock: () => Date
  reading: Reading
  provider: Omit<ProviderParts, 'db' | 'clock' | 'baseUrl'>
}
type Held = GatewayChannel & { leased_by: string }

const failed = (status: number, description?: string) =>
  new OutboundError(status === 401 || status === 404 ? 'refused' : 'unreachable', `Telegram: ${description ?? status}`)

export function startTelegramFollower({ db, log, clock, reading, provider }: Parts) {
  const take = createTaking({ ...reading, log })
  const held = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  const poll = polling({ look, log, failure: 'Telegram bots could not be looked up' })

  const isFree = sql`d.kind = 'telegram' and d.disconnected_at is null and d.deleted_at is null and d.state <> 'paused'
    and d.settings ->> 'is_followed' = 'true' and (d.leased_until is null or d.leased_until < now())`

  async function look() {
    for (const company_id of await companiesWith(db, 'channels', isFree)) {
      const { rows } = await sql<Held>`
        update channels c set leased_by = ${randomUUID()}, leased_until = now() + make_interval(secs => ${leaseSeconds})
        from (select d.id from channels d where d.company_id = ${company_id} and ${isFree} for update skip locked) free
        where c.company_id = ${company_id} and c.id = free.id
        returning c.company_id, c.id, c.kind, c.name, c.address, c.owner_id, c.settings, c.secrets, c.state, c.is_polled,
          c.is_shared, c.leased_by`.execute(db)
      for (const channel of rows)
        held.set(
          channel.leased_by,
          follow(channel).finally(() => held.delete(channel.leased_by)),
        )
    }
  }

  // Rejects only when the process stops.
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {})

  async function follow(channel: Held) {
    const bot = botOf(provider, channel)
    let offset = settingsOf(channel).offset ?? 0
    let isFailing = channel.state === 'failing'
    try {
      while (bot && !stopping.signal.aborted) {
        const began = performance.now()
        try {
          const input = { offset, timeout: waitSeconds, allowed_updates: ['message', 'edited_message'] }
          const { status, json } = await ask(bot, 'getUpdates', input, (waitSeconds + 10) * 1000)
          if (status !== 200) throw failed(status, textAt(json, 'description'))
          if (isFailing) await noteWorking(db, channel, 'receiving', clock())
          isFailing = false
          const updates = (json.result as Update[] | undefined) ?? []
          for (const update of updates) {
            const items = await itemsOf(bot, update)
            const post = { id: null, digest: Buffer.alloc(0), items }
            if (items.length) await take({ db, channel, post, now: clock() })
            offset = update.update_id + 1
          }
          // A server that does not wait for updates must not be asked without a pause.
          if (!updates.length && performance.now() - began < soonMs) await pause(soonMs)
        } catch (error) {
          if (!(error instanceof OutboundError)) throw error
          isFailing = true
          await noteFailure(db, channel, error.message, clock(), {
            about: 'receiving',
            needsHelp: error.code === 'refused',
          })
          await pause(againMs)
        }
        if (!(await renew(channel, offset))) return
      }
    } catch (error) {
      if (!isUnavailable(error))
        log.error({ err: error, channel_id: channel.id }, 'a Telegram bot could not be followed')
      await pause(againMs)
    } finally {
      await release(channel).catch((error) => {
        // The lease ends after a while even if it is not released.
        if (!isUnavailable(error)) log.error({ err: error, channel_id: channel.id }, 'a Telegram bot was not released')
      })
    }
  }

  /** False: the bot is not for this process any more. What was taken is known to Telegram by the next offset. */
  async function renew({ company_id, id, leased_by }: Held, offset: number) {
    const { rows } = await sql`update channels set leased_until = now() + make_interval(secs => ${leaseSeconds}),
        settings = settings || jsonb_build_object('offset', ${offset}::int8)
      where company_id = ${company_id} and id = ${id} and leased_by = ${leased_by} and disconnected_at is null
        and state <> 'paused' returning id`.execute(db)
    return rows.length > 0
  }

  const release = ({ company_id, id, leased_by }: Held) =>
    sql`update channels set leased_by = null, leased_until = null
      where company_id = ${company_id} and id = ${id} and leased_by = ${leased_by}`.execute(db)

  poll.wake()
  return {
    wake: poll.wake,
    async stop() {
      stopping.abort()
      await poll.stop()
      // What Telegram has not been told about is asked for again.
      await Promise.race([Promise.allSettled(held.values()), sleep(2000)])
    },
  }
}
