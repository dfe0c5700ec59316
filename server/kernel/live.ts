// Tells the open pages of this process what happened anywhere, and closes them when their session is over.
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { rightsOn } from '../../contract/access.ts'
import { isUnavailable } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { AppError } from './app-error.ts'
import type { Actor } from './context.ts'
import { createListener, type LiveMessage } from './live-channel.ts'

export { announce, type LiveMessage } from './live-channel.ts'

/** One open page. `data` is JSON. */
export type LiveStream = { send(event: string, data: string): void; end(): void }
export type LiveHub = ReturnType<typeof createLiveHub>
export type LiveLimits = typeof liveLimits

const liveLimits = {
  streamsPerUser: 20,
  streams: 2000,
  /** Every session is looked up again at least this often. */
  checkMs: 30_000,
  heartbeatMs: 20_000,
  /** What may wait for a slow reader. */
  unreadBytes: 256 * 1024,
}
const checksAtOnce = 4

type Session = { token: string; actor: Actor; streams: Set<LiveStream>; dueAt: number }
type Parts = {
  connection: pg.ClientConfig
  log: Log
  /** Must not count as use of the session: a forgotten page would keep it alive. */
  findActor(token: string): Promise<Actor | null>
  limits?: Partial<LiveLimits>
}

export function createLiveHub({ connection, log, findActor, ...more }: Parts) {
  const limits = { ...liveLimits, ...more.limits }
  const sessions = new Map<string, Session>()
  /** In the order in which they came. */
  const streams = new Map<LiveStream, Session>()
  const toCheck = new Set<Session>()
  let checks = 0
  let isOpen = true
  const listener = createListener({ connection, log, heard: (messages) => messages.forEach(pass), listening: resync })
  const sweep = setInterval(checkDue, limits.checkMs / 30).unref()

  /** Adds an open page; the answer takes it away again. */
  function add(token: string, actor: Actor, stream: LiveStream) {
    if (!isOpen) throw unavailable('Kith is stopping.')
    const own = [...streams.keys()].filter((one) => streams.get(one)?.actor.user_id === actor.user_id)
    if (own.length < limits.streamsPerUser && streams.size >= limits.streams)
      throw unavailable('Too many pages are open.')
    const tooMany = Math.max(0, own.length + 1 - limits.streamsPerUser)
    for (const oldest of own.slice(0, tooMany)) end(oldest, 'replaced')
    const session = sessions.get(token) ?? { token, actor, streams: new Set(), dueAt: 0 }
    session.streams.add(stream)
    sessions.set(token, session)
    streams.set(stream, session)
    // Now that messages reach it: its rights may have changed since the request came.
    check([session])
    return () => remove(stream)
  }

  function remove(stream: LiveStream) {
    const session = streams.get(stream)
    if (!session) return
    streams.delete(stream)
    session.streams.delete(stream)
    if (session.streams.size) return
    sessions.delete(session.token)
    toCheck.delete(session)
  }

  function end(stream: LiveStream, event?: string) {
    remove(stream)
    if (event) stream.send(event, '{}')
    stream.end()
  }

  function pass({ company_id, user_id, event, data = {} }: LiveMessage) {
    const isMeant = ({ actor }: Session) =>
      actor.company_id === company_id && (user_id === undefined || actor.user_id === user_id)
    const meant = [...sessions.values()].filter(isMeant)
    if (event === 'access') return check(meant)
    const text = JSON.stringify(data)
    for (const session of meant) if (mayKnow(session.actor, data)) send(session, event, text)
  }

  const send = (session: Session, event: string, data = '{}') => {
    for (const stream of session.streams) stream.send(event, data)
  }

  function resync() {
    for (const session of sessions.values()) send(session, 'resync')
    check(sessions.values())
  }

  function checkDue() {
    const now = performance.now()
    check([...sessions.values()].filter(({ dueAt }) => dueAt <= now))
  }

  function check(some: Iterable<Session>) {
    for (const session of some) toCheck.add(session)
    while (checks < checksAtOnce && checks < toCheck.size) void checkAll()
  }

  async function checkAll() {
    checks++
    for (const session of toCheck) {
      // Taken off first: a message that comes during the look-up must lead to another one.
      toCheck.delete(session)
      session.dueAt = performance.now() + limits.checkMs * (0.5 + Math.random() / 2)
      await checkOne(session).catch((error) => {
        if (!isUnavailable(error)) log.warn({ err: error }, 'the session of an open page could not be checked')
      })
    }
    checks--
  }

  async function checkOne(session: Session) {
    const actor = await findActor(session.token)
    if (!actor) {
      for (const stream of [...session.streams]) end(stream, 'signed-out')
    } else if (!isDeepStrictEqual(actor, session.actor)) {
      session.actor = actor
      send(session, 'access')
    }
  }

  return {
    limits,
    add,
    start: listener.start,
    async stop() {
      isOpen = false
      clearInterval(sweep)
      for (const stream of [...streams.keys()]) end(stream)
      await listener.stop()
    },
  }
}

/** An object that someone may not read does not exist for them, so nothing happens in it either. */
const mayKnow = (actor: Actor, { object }: Record<string, unknown>) =>
  typeof object !== 'string' || actor.is_admin || rightsOn(actor.records, object).read !== 'none'

const unavailable = (why: string) => new AppError('unavailable', `${why} Try again in a moment.`, { retryAfter: 5 })
