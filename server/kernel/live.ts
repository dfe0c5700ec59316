// Sends live messages to the open pages of this process, and closes their streams when the session ends.
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { rightsOn } from '../../contract/shared/access.ts'
import { isUnavailable } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { AppError } from './app-error.ts'
import type { Actor } from './context.ts'
import { createListener, type Listening, type LiveMessage } from './live-channel.ts'

export { announce, type LiveMessage } from './live-channel.ts'

/** One open page. `data` is JSON. */
export type LiveStream = { send(event: string, data: string): void; end(): void }
export type LiveHub = ReturnType<typeof createLiveHub>
export type LiveLimits = typeof liveLimits

const liveLimits = {
  streamsPerUser: 20,
  streamsPerCompany: 1000,
  streams: 2000,
  /** Every session is checked at least this often. */
  checkMs: 30_000,
  heartbeatMs: 20_000,
  /** How much may be buffered for a slow reader. */
  unreadBytes: 256 * 1024,
}
const checksAtOnce = 4
/** What pages that were still loading have missed: so long, and so much of it, is remembered. */
const rememberedMs = 30_000
const mostRemembered = 5000

type Session = { token: string; actor: Actor; streams: Set<LiveStream>; dueAt: number }
type LiveHubParts = {
  connection: pg.ClientConfig
  log: Log
  /** Must not count as activity, otherwise a forgotten page would keep the session alive. */
  findActor(token: string): Promise<Actor | null>
  limits?: Partial<LiveLimits>
  /** Heard on the same connection. */
  also?: Listening['also']
}

export function createLiveHub({ connection, log, findActor, also, ...options }: LiveHubParts) {
  const limits = { ...liveLimits, ...options.limits }
  const sessions = new Map<string, Session>()
  /** Oldest first. */
  const streams = new Map<LiveStream, Session>()
  const toCheck = new Set<Session>()
  /** Oldest first. */
  let recent: { at: number; message: LiveMessage }[] = []
  let checks = 0
  let isOpen = true
  const heard = (messages: LiveMessage[]) => messages.forEach(hear)
  const listener = createListener({ connection, log, heard, listening: resync, also })
  const sweep = setInterval(checkDue, limits.checkMs / 30).unref()

  /** Adds an open page. Returns a function that removes it. */
  function add(token: string, actor: Actor, stream: LiveStream) {
    if (!isOpen) throw unavailable('The server is stopping.')
    const ofUser = [...streams.keys()].filter((open) => streams.get(open)?.actor.user_id === actor.user_id)
    if (ofUser.length < limits.streamsPerUser) {
      if (streams.size >= limits.streams) throw unavailable('Too many pages are open on this server.')
      if (ofCompany(actor) >= limits.streamsPerCompany) throw unavailable('Your company has too many pages open.')
    }
    const tooMany = Math.max(0, ofUser.length + 1 - limits.streamsPerUser)
    for (const oldest of ofUser.slice(0, tooMany)) end(oldest, 'replaced')
    const session = sessions.get(token) ?? { token, actor, streams: new Set(), dueAt: 0 }
    session.streams.add(stream)
    sessions.set(token, session)
    streams.set(stream, session)
    // Check again now that messages arrive, because rights may have changed since the request.
    check([session])
    return () => remove(stream)
  }

  const ofCompany = ({ company_id }: Actor) =>
    sessions.values().reduce((sum, { actor, streams }) => sum + (actor.company_id === company_id ? streams.size : 0), 0)

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

  function hear(message: LiveMessage) {
    recent.push({ at: performance.now(), message })
    if (recent.length > 2 * mostRemembered) recent = recent.slice(-mostRemembered)
    const recipients = [...sessions.values()].filter((session) => isFor(session, message))
    if (message.event === 'access') return check(recipients)
    const text = JSON.stringify(message.data ?? {})
    for (const session of recipients) send(session, message.event, text)
  }

  /** What was said since a page began to load `ms` ago: it may have fetched its data before. */
  function catchUp(stream: LiveStream, ms: number) {
    const since = performance.now() - Math.min(ms, rememberedMs)
    const session = streams.get(stream)
    for (const { at, message } of session ? recent : [])
      if (at >= since && message.event !== 'access' && isFor(session!, message))
        stream.send(message.event, JSON.stringify(message.data ?? {}))
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
    recent = recent.filter(({ at }) => at > now - rememberedMs)
    check([...sessions.values()].filter(({ dueAt }) => dueAt <= now))
  }

  function check(due: Iterable<Session>) {
    for (const session of due) toCheck.add(session)
    while (checks < checksAtOnce && checks < toCheck.size) void checkAll()
  }

  async function checkAll() {
    checks++
    for (const session of toCheck) {
      // Removed first, so that a message that arrives during the check causes another one.
      toCheck.delete(session)
      session.dueAt = performance.now() + limits.checkMs * (0.5 + Math.random() / 2)
      await checkSession(session).catch((error) => {
        if (!isUnavailable(error)) log.warn({ err: error }, 'the session of an open page could not be checked')
      })
    }
    checks--
  }

  async function checkSession(session: Session) {
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
    catchUp,
    start: listener.start,
    async stop() {
      isOpen = false
      clearInterval(sweep)
      for (const stream of [...streams.keys()]) end(stream)
      await listener.stop()
    },
  }
}

const isFor = ({ actor }: Session, { company_id, user_id, data }: LiveMessage) =>
  actor.company_id === company_id && (user_id === undefined || actor.user_id === user_id) && mayKnow(actor, data ?? {})

/** Users must not learn about changes to objects that they may not read. */
const mayKnow = (actor: Actor, { object }: Record<string, unknown>) =>
  typeof object !== 'string' || actor.is_admin || rightsOn(actor.records, object).read !== 'none'

const unavailable = (why: string) =>
  new AppError('unavailable', `${why} Try again in a few seconds.`, { retryAfter: 5 })
