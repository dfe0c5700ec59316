// How live messages travel between processes: NOTIFY in, LISTEN out, on one channel of the shared database.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'

/** Says that something happened, never what is in it: names and ids only. Without user_id, to the whole company. */
export type LiveMessage = {
  company_id: string
  user_id?: string
  event: string
  data?: Record<string, unknown>
}

const channel = 'kith_live'
/** PostgreSQL takes payloads of less than 8000 bytes. */
const mostBytes = 7900
const firstWaitMs = 100
const longestWaitMs = 5000
const pingMs = 15_000
const goodbyeMs = 1000

/** Not for a business transaction: transactions that notify commit one after the other, in the whole database. */
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

/** What is too long to be told becomes the request to fetch everything again. */
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
  /** Listening has begun, or begun again: whatever was said before was not heard. */
  listening(): void
}

/** One connection that listens, made again whenever it is lost. */
export function createListener({ connection, log, heard, listening }: Listening) {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  async function keepListening(tried: () => void) {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await using line = await listen()
        if (failures) log.info('live updates flow again')
        failures = 0
        listening()
        tried()
        await once(line.client, 'end', { signal })
      } catch (error) {
        if (!failures && !signal.aborted) log.warn({ err: error }, 'live updates pause: the database does not answer')
        tried()
      }
      await sleep(waitAfter(failures), undefined, { signal }).catch(() => {})
    }
  }

  async function listen() {
    const limits = { connectionTimeoutMillis: 5000, query_timeout: 10_000 }
    const client = new pg.Client({ ...connection, ...limits, keepAlive: true, application_name: 'kith live' })
    client.on('error', () => {}) // Unheard, a report that comes while we hang up would end the process.
    client.on('notification', ({ payload }) => heard(messagesIn(payload, log)))
    const hangUp = async () => {
      clearInterval(ping)
      await Promise.race([client.end(), sleep(goodbyeMs, undefined, { ref: false })]).catch(() => {})
    }
    // A connection can die on the way without a word; only asking finds out.
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
    /** Resolves after the first try, whether or not the database answered. */
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

/** Whoever may use the database can say anything on the channel. */
function messagesIn(payload: string | undefined, log: Log): LiveMessage[] {
  try {
    const said: unknown = JSON.parse(payload ?? '')
    if (Array.isArray(said)) return said.filter(isMessage)
  } catch {}
  log.warn('a live message could not be read and was left out')
  return []
}

const isMessage = (said: Partial<LiveMessage> | null): said is LiveMessage =>
  typeof said?.company_id === 'string' && typeof said.event === 'string' && /^[\w.-]+$/.test(said.event)
