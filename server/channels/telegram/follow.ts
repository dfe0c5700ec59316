// Asks Telegram for updates of bots that it cannot post to, because the installation has no public https address.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { holdWork, leasesOfChannels } from '../../inbox/channels/hold.ts'
import type { Reading } from '../../inbox/receiving/read-messages.ts'
import type { Leased } from '../../kernel/leases.ts'
import type { Work } from '../../kernel/worker.ts'
import type { Db } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { OutboundError } from '../../platform/public-fetch.ts'
import { type ProviderAccess, textAt } from '../gateway/call-provider.ts'
import type { GatewayChannel } from '../gateway/find-channel.ts'
import { noteFailure, noteWorking } from '../gateway/health.ts'
import { createPostStore } from '../gateway/store-posts.ts'
import { ask, botOf, settingsOf } from './bot.ts'
import { itemsOf, type Update } from './read.ts'

const leases = leasesOfChannels(60)
const waitSeconds = 20
const againMs = 5000
const soonMs = 500

type Parts = {
  db: Db
  log: Log
  clock: () => Date
  reading: Reading
  provider: Omit<ProviderAccess, 'db' | 'clock' | 'baseUrl'>
}
type Held = GatewayChannel & Leased

const failed = (status: number, description?: string) =>
  new OutboundError(status === 401 || status === 404 ? 'refused' : 'unreachable', `Telegram: ${description ?? status}`)

export function telegramWork({ db, log, clock, reading, provider }: Parts): Work<Held> {
  const take = createPostStore({ ...reading, log })

  async function hold(channel: Held, signal: AbortSignal) {
    const bot = botOf(provider, channel)
    // Rejects only when it is stopped.
    const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})
    if (!bot) return pause(againMs)
    let offset = settingsOf(channel).offset ?? 0
    let isFailing = channel.state === 'failing'
    try {
      while (!signal.aborted) {
        const began = performance.now()
        try {
          const input = { offset, timeout: waitSeconds, allowed_updates: ['message', 'edited_message'] }
          const patience = { timeoutMs: (waitSeconds + 10) * 1000, signal }
          const { status, json } = await ask(bot, 'getUpdates', input, patience)
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
          if (signal.aborted) return
          if (!(error instanceof OutboundError)) throw error
          isFailing = true
          await noteFailure(db, channel, error.message, clock(), {
            about: 'receiving',
            needsHelp: error.code === 'refused',
          })
          await pause(againMs)
        }
        // What was taken is known to Telegram by the next offset.
        if (!(await noteOffset(channel, offset))) return
      }
    } catch (error) {
      await pause(againMs)
      throw error
    }
  }

  /** False: the bot is not for this process any more. */
  const noteOffset = (channel: Held, offset: number) =>
    leases.renew(db, channel, sql`settings = settings || ${JSON.stringify({ offset })}::jsonb`)

  return holdWork(
    { db, clock },
    {
      queue: 'bots',
      leases,
      where: sql`t.kind = 'telegram' and t.settings ->> 'is_followed' = 'true'`,
      columns: sql`t.kind, t.name, t.address, t.owner_id, t.settings, t.secrets, t.state, t.is_polled, t.is_shared`,
      renewMs: 15_000,
      most: 500,
      hold,
      failure: 'a Telegram bot could not be followed',
    },
  )
}
