// Sends live messages between processes with NOTIFY and LISTEN, on one channel of the shared database.
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
/** PostgreSQL accepts payloads of less than 8000 bytes. */
const mostBytes = 7900
const firstWaitMs = 100
const longestWaitMs = 5000
const pingMs = 15_000
const goodbyeMs = 1000

/** Do not use this in ordinary transactions: PostgreSQL commits notifying transactions one at a time. */
export async function announce(db: Db, messages: LiveMessage[]) {
  if (!messages.length) return
  await sql`select pg_notify(${channel}, payload) from unnest(${payloadsOf(messages)}::text[]) payload`.execute(db)
}

function payloadsOf(messages: LiveMessage[]) {
  const payloads: string[] = []
  let waiting: string[] = []
  let size = 0
  const pack = () => {
    if (waiting.length) payloads.push(`[${waiting.join(',')}]`)
    waiting = []
    size = 0
  }
  for (const text of new Set(messages.map(textOf))) {
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

type Listening = {
  connection: pg.ClientConfig
  log: Log
  heard(messages: LiveMessage[]): void
  /** Called when listening starts or resumes. Earlier messages were missed. */
  listening(): void
}

/** A connection that listens and reconnects when it is lost. */
export function createListener({ connection, log, heard, listening }: Listening) {
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
    const client = new pg.Client({ ...connection, ...limits, keepAlive: true, application_name: 'kith live' })
    client.on('error', () => {}) // Without a listener, an error while closing would end the process.
    client.on('notification', ({ payload }) => heard(messagesIn(payload, log)))
    const hangUp = async () => {
      clearInterval(ping)
      // The connection is broken, or the process stops: a failure to close it changes nothing.
      await Promise.race([client.end(), sleep(goodbyeMs, undefined, { ref: false })]).catch(() => {})
    }
    // A connection can break without an error, which only a query detects.
    const ping = setInterval(() => client.query('select 1').catch(hangUp), pingMs).unref()
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
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
function messagesIn(payload: string | undefined, log: Log): LiveMessage[] {
  try {
    const parsed: unknown = JSON.parse(payload ?? '')
    if (Array.isArray(parsed)) return parsed.filter(isMessage)
  } catch {
    // Logged below, without its content.
  }
  log.warn('a live message could not be read and was ignored')
  return []
}

const isMessage = (value: Partial<LiveMessage> | null): value is LiveMessage =>
  typeof value?.company_id === 'string' && typeof value.event === 'string' && /^[\w.-]+$/.test(value.event)
