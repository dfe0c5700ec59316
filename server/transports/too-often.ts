import type { FastifyReply } from 'fastify'
import { AppError } from '../kernel/app-error.ts'
import type { RateLimit } from '../platform/token-buckets.ts'

type LimitKind = 'key' | 'session' | 'company' | 'network'

/** Names the limit that was exceeded, and when to retry. */
export function tooOften(reply: FastifyReply, kind: LimitKind, { perSecond }: RateLimit, retryAfter: number) {
  reply.header('ratelimit-policy', `"${kind}";q=${perSecond};w=1`).header('ratelimit', `"${kind}";r=0;t=${retryAfter}`)
  const wait = `Retry in ${retryAfter} s and send requests more slowly.`
  return new AppError('too_many_requests', `${sentences[kind](perSecond)} ${wait}`, { retryAfter })
}

const sentences: Record<LimitKind, (perSecond: number) => string> = {
  key: (perSecond) => `This API key is limited to ${perSecond} requests per second.`,
  session: (perSecond) => `You are limited to ${perSecond} requests per second.`,
  company: (perSecond) => `Your company is limited to ${perSecond} requests per second.`,
  network: () => 'Too many requests without a valid sign-in came from your network.',
}
