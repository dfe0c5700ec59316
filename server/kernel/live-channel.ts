// Sends messages between processes with NOTIFY and LISTEN on the shared database: live messages, and what limits have counted.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'

/** Contains only names and ids, never content. Without user_id it goes to the whole company. */
export type LiveMessage = {
  company_id: string
  user_id?: string
  event: string
  data?: Record<string, unknown>
}

const channel = 'kith_live'
const application = 'kith live'
/** PostgreSQL accepts payloads of less than 8000 bytes. */
const mostBytes = 7900
const firstWaitMs = 100
const longestWaitMs = 5000
const pingMs = 15_000
const goodbyeMs = 1000

/** Do not use this in ordinary transactions: PostgreSQL commits notifying transactions one at a time. */
export async function announce(db: Db, messages: LiveMessage[]) {
  if (!messages.length) return
  await notify(db, channel, new Set(messages.map(textOf)))
}

/** Sends JSON texts, as few lists as possible. */
export const notify = (db: Db, to: string, texts: Iterable<string>) =>
  sql`select pg_notify(${to}, payload) from unnest(${payloadsOf(texts)}::text[]) payload`.execute(db)

function payloadsOf(texts: Iterable<string>) {
  const payloads: string[] = []
  let waiting: string[] = []
  let size = 0
  const pack = () => {
    if (waiting.length) payloads.push(`[${waiting.join(',')}]`)
    waiting = []
    size = 0
  }
  for (const text of texts) {
    const bytes = Buffer.byteLength(text) + 1
    if (size + bytes > mostBytes) pack()
    waiting.push(text)
    size += bytes
  }
  pack()
  return payloads
}

/** A message that is too long is replaced by one that asks pages to reload everything. */
function textOf(message: LiveMessage) {
  const text = JSON.stringify(message)
  if (Buffer.byteLength(text) < mostBytes) return text
  const { company_id, user_id } = message
  return JSON.stringify({ company_id, user_id, event: 'resync' })
}

export type Listening = {
  connection: pg.ClientConfig
  log: Log
  heard(messages: LiveMessage[]): void
  /** Called when listening starts or resumes. Earlier messages were missed. */
  listening(): void
  /** What is said on other channels, and how many processes listen. */
  also?: { channel: string; heard(items: unknown[]): void; counted(processes: number): void } | undefined
}

/** A connection that listens and reconnects when it is lost. */
export function createListener({ connection, log, heard, listening, also }: Listening) {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  async function keepListening(tried: () => void) {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await using line = await listen()
        if (failures) log.info('live updates have resumed')
        failures = 0
        listening()
        tried()
        await once(line.client, 'end', { signal })
      } catch (error) {
        if (!failures && !signal.aborted)
          log.warn({ err: error }, 'live updates have paused: the database does not respond')
        tried()
      }
      await sleep(waitAfter(failures), undefined, { signal }).catch(() => {}) // Stopped.
    }
  }

  async function listen() {
    const limits = { connectionTimeoutMillis: 5000, query_timeout: 10_000 }
    const client = new pg.Client({ ...connection, ...limits, keepAlive: true, application_name: application })
    client.on('error', () => {}) // Without a listener, an error while closing would end the process.
    client.on('notification', ({ channel: on, payload }) => {
      const items = itemsIn(payload, log)
      if (on === channel) heard(items.filter(isMessage))
      else also?.heard(items)
    })
    const hangUp = async () => {
      clearInterval(ping)
      // The connection is broken, or the process stops: a failure to close it changes nothing.
      await Promise.race([client.end(), sleep(goodbyeMs, undefined, { ref: false })]).catch(() => {})
    }
    // A connection can break without an error, which only a query detects.
    const ping = setInterval(() => count().catch(hangUp), pingMs).unref()
    async function count() {
      const { rows } = await client.query<{ listening: number }>(
        `select count(*)::int as listening from pg_stat_activity
          where application_name = '${application}' and datname = current_database()`,
      )
      also?.counted(rows[0]!.listening)
    }
    try {
      await client.connect()
      for (const name of [channel, ...(also ? [also.channel] : [])]) await client.query(`listen ${name}`)
      await count()
    } catch (error) {
      await hangUp()
      throw error
    }
    return { client, [Symbol.asyncDispose]: hangUp }
  }

  return {
    /** Resolves after the first attempt, even if it failed. */
    async start() {
      const { promise, resolve } = Promise.withResolvers<void>()
      running ??= keepListening(resolve)
      await promise
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const waitAfter = (failures: number) => Math.min(firstWaitMs * 2 ** failures, longestWaitMs) * (0.5 + Math.random() / 2)

/** Anyone with access to the database can send anything on the channel. */
function itemsIn(payload: string | undefined, log: Log): unknown[] {
  try {
    const parsed: unknown = JSON.parse(payload ?? '')
    if (Array.isArray(parsed)) return parsed
  } catch {
    // Logged below, without its content.
  }
  log.warn('a live message could not be read and was ignored')
  return []
}

function isMessage(value: unknown): value is LiveMessage {
  const { company_id, event } = (value ?? {}) as Partial<LiveMessage>
  return typeof company_id === 'string' && typeof event === 'string' && /^[\w.-]+$/.test(event)
}
