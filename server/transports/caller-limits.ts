// Rate limits per kind of caller. Unknown callers in the same network do not affect a caller who was recognized recently.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keyRate } from '../../contract/shared/limits.ts'
import type { Actor } from '../kernel/context.ts'
import { createShares } from '../kernel/fair-shares.ts'
import { type Share, unshared } from '../kernel/shared-limits.ts'
import { network } from '../platform/network.ts'
import { sha256 } from '../platform/secrets.ts'
import { createBuckets, type RateLimit } from '../platform/token-buckets.ts'
import { createOpenRequests, type OpenLimits } from './open-requests.ts'
import { tooOften } from './too-often.ts'

export type RateLimits = {
  key: RateLimit
  session: RateLimit
  company: RateLimit
  /** Calls without a valid session, per network. */
  stranger: RateLimit
  /** Calls with an invalid key, per network. */
  wrongKey: RateLimit
  /** Calls under /public, by network. */
  outsider: RateLimit
  /** Signed calls of gateways, by network. */
  gateway: RateLimit
}
const defaults: RateLimits = {
  key: keyRate,
  session: { perSecond: 100, burst: 300 },
  company: { perSecond: 400, burst: 1000 },
  stranger: { perSecond: 20, burst: 200 },
  wrongKey: { perSecond: 5, burst: 50 },
  outsider: { perSecond: 5, burst: 50 },
  gateway: { perSecond: 100, burst: 1000 },
}
const mostKnown = 10_000
const largeBody = 100_000
/** Uploads mostly wait for their senders, so several may run at the same time. */
const uploads = { perUser: 2, perCompany: 4, mostWaiting: 20, patienceMs: 10_000 }
const largeBodies = { perUser: 1, perCompany: 1, mostWaiting: 50, patienceMs: 10_000 }
/** Of all gateways together, because such a body is kept whole before its signature can be verified; one per company. */
const largePosts = { perUser: 1, perCompany: 8, mostWaiting: 20, patienceMs: 10_000 }

export type Limits = ReturnType<typeof createLimits>

/** Rates hold for all processes together. Open requests and large bodies are limited in each, to protect its memory. */
export function createLimits(given: Partial<RateLimits> = {}, open: Partial<OpenLimits> = {}, share: Share = unshared) {
  const limits = { ...defaults, ...given }
  const bucketsOf = (kind: keyof RateLimits) => share(kind, createBuckets(limits[kind]))
  const callers = { key: bucketsOf('key'), session: bucketsOf('session') }
  const companies = bucketsOf('company')
  const strangers = {
    stranger: bucketsOf('stranger'),
    wrongKey: bucketsOf('wrongKey'),
    outsider: bucketsOf('outsider'),
    gateway: bucketsOf('gateway'),
  }
  const known = new Set<string>()
  const large = createShares(largeBodies)
  const uploading = createShares(uploads)
  const posting = createShares(largePosts)
  const openRequests = createOpenRequests(open)

  return {
    open: openRequests,
    /** Counts one call against the limits of the key or user and of the company. */
    take(kind: 'key' | 'session', { api_key_id, user_id, company_id }: Actor, reply: FastifyReply) {
      const wait = callers[kind].take(api_key_id ?? user_id)
      if (wait) throw tooOften(reply, kind, limits[kind], wait)
      const companyWait = companies.take(company_id)
      if (companyWait) throw tooOften(reply, 'company', limits.company, companyWait)
    },
    /** Processes a company's large bodies one at a time, because parsing one blocks everyone else. */
    async takeTurn({ company_id, user_id }: Actor, request: FastifyRequest, { raw }: FastifyReply) {
      const isUpload = request.routeOptions.config.body === 'upload'
      if (!isUpload && !isLarge(request)) return
      const giveBack = await (isUpload ? uploading : large)(company_id, user_id)
      if (raw.destroyed) giveBack()
      else raw.once('close', giveBack)
    },
    /** Few large bodies of gateways are read at a time, and one per company. */
    async takePost(request: FastifyRequest, { raw }: FastifyReply, channel: { company_id: string; id: string }) {
      openRequests.asGateway(request, channel, isLarge(request))
      if (!isLarge(request)) return
      const giveBack = await posting('gateways', channel.company_id)
      if (raw.destroyed) giveBack()
      else raw.once('close', giveBack)
    },
    /** Called before a key or token is looked up, to limit lookups by unknown callers. */
    refuseStranger(kind: 'stranger' | 'wrongKey', secret: string, ip: string, reply: FastifyReply) {
      const wait = strangers[kind].waitOf(network(ip))
      if (wait && !known.has(digest(secret))) throw tooOften(reply, 'network', limits[kind], wait)
    },
    /** A name for the session or key, if it was valid lately. It gives no access. */
    recognized: (secret: string) => (known.has(digest(secret)) ? digest(secret) : null),
    remember(secret: string) {
      if (known.size >= mostKnown) known.clear()
      known.add(digest(secret))
    },
    takeFromNetwork(kind: keyof typeof strangers, ip: string, reply: FastifyReply) {
      const wait = strangers[kind].take(network(ip))
      if (wait) throw tooOften(reply, 'network', limits[kind], wait)
    },
  }
}

export const isLarge = ({ headers, routeOptions }: FastifyRequest) =>
  routeOptions.bodyLimit >= largeBody &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) >= largeBody)

/** Only shows that a key or token was valid once. It is looked up again at each call. */
const digest = (secret: string) => sha256(secret).toString('base64')
