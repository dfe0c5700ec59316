import type { FastifyReply } from 'fastify'
import { AppError } from '../kernel/app-error.ts'

export type RateLimit = { perSecond: number; burst: number }
type Bucket = { left: number; at: number }

const mostBuckets = 10_000

/** A bucket of tokens a key, in this process: good enough to keep one client from starving the others. */
export function createRateLimit({ perSecond, burst }: RateLimit, now = () => performance.now()) {
  const buckets = new Map<string, Bucket>()
  const policy = `"key";q=${perSecond};w=1`

  return function take(key: string, reply: FastifyReply) {
    const bucket = buckets.get(key) ?? { left: burst, at: now() }
    const moment = now()
    bucket.left = Math.min(burst, bucket.left + ((moment - bucket.at) / 1000) * perSecond)
    bucket.at = moment
    if (buckets.size >= mostBuckets && !buckets.has(key)) forgetFull()
    buckets.set(key, bucket)
    if (bucket.left >= 1) {
      bucket.left--
      return
    }
    const retryAfter = Math.max(1, Math.ceil((1 - bucket.left) / perSecond))
    reply.header('ratelimit-policy', policy).header('ratelimit', `"key";r=0;t=${retryAfter}`)
    throw new AppError(
      'too_many_requests',
      `This key may make ${perSecond} requests a second. Wait ${retryAfter} s, then go on more slowly.`,
      { retryAfter },
    )
  }

  /** Those that have filled up again carry nothing worth keeping. */
  function forgetFull() {
    for (const [key, bucket] of buckets) {
      if (bucket.left + ((now() - bucket.at) / 1000) * perSecond >= burst) buckets.delete(key)
    }
  }
}
