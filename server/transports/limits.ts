// How often each kind of caller may call. Someone who was recognised lately is never held up by strangers next door.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keyRate } from '../../contract/limits.ts'
import type { Actor } from '../kernel/context.ts'
import { createShares } from '../kernel/shares.ts'
import { network } from '../platform/network.ts'
import { sha256 } from '../platform/secrets.ts'
import { createBuckets, type RateLimit, tooOften } from './rate-limit.ts'

export type RateLimits = {
  key: RateLimit
  session: RateLimit
  company: RateLimit
  /** Calls without a session, or with one that has ended, by network. */
  stranger: RateLimit
  /** Keys that do not exist, by network. */
  wrongKey: RateLimit
}
const defaults: RateLimits = {
  key: keyRate,
  session: { perSecond: 100, burst: 300 },
  company: { perSecond: 400, burst: 1000 },
  stranger: { perSecond: 20, burst: 200 },
  wrongKey: { perSecond: 5, burst: 50 },
}
const mostKnown = 10_000
const largeBody = 100_000
const largeBodies = { perUser: 1, perCompany: 1, mostWaiting: 50, patienceMs: 10_000 }

export type Limits = ReturnType<typeof createLimits>

export function createLimits(given: Partial<RateLimits> = {}) {
  const limits = { ...defaults, ...given }
  const callers = { key: createBuckets(limits.key), session: createBuckets(limits.session) }
  const companies = createBuckets(limits.company)
  const strangers = { stranger: createBuckets(limits.stranger), wrongKey: createBuckets(limits.wrongKey) }
  const known = new Set<string>()
  const large = createShares(largeBodies)

  return {
    /** Takes one call from what this key or user, and this company, may do in a second. */
    take(kind: 'key' | 'session', { api_key_id, user_id, company_id }: Actor, reply: FastifyReply) {
      const wait = callers[kind].take(api_key_id ?? user_id)
      if (wait) throw tooOften(reply, kind, limits[kind], wait)
      const companyWait = companies.take(company_id)
      if (companyWait) throw tooOften(reply, 'company', limits.company, companyWait)
    },
    /** A company's large bodies are worked on one after the other: to read one holds up everybody else. */
    async takeTurn({ company_id, user_id }: Actor, { headers }: FastifyRequest, { raw }: FastifyReply) {
      const isSmall = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) < largeBody
      if (isSmall) return
      const giveBack = await large(company_id, user_id)
      if (raw.destroyed) giveBack()
      else raw.once('close', giveBack)
    },
    /** Before a key or token is looked up, which a stranger could otherwise make us do without end. */
    refuseStranger(kind: 'stranger' | 'wrongKey', secret: string, ip: string, reply: FastifyReply) {
      const wait = strangers[kind].waitOf(network(ip))
      if (wait && !known.has(digest(secret))) throw tooOften(reply, 'network', limits[kind], wait)
    },
    remember(secret: string) {
      if (known.size >= mostKnown) known.clear()
      known.add(digest(secret))
    },
    takeFromNetwork(kind: 'stranger' | 'wrongKey', ip: string, reply: FastifyReply) {
      const wait = strangers[kind].take(network(ip))
      if (wait) throw tooOften(reply, 'network', limits[kind], wait)
    },
  }
}

/** Says only that a caller was right once, never that they still are: who they are is looked up at each call. */
const digest = (secret: string) => sha256(secret).toString('base64')
