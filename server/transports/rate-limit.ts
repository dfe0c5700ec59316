import type { FastifyReply } from 'fastify'
import { AppError } from '../kernel/app-error.ts'

export type RateLimit = { perSecond: number; burst: number }
type Bucket = { left: number; at: number }

const mostBuckets = 10_000

/** Buckets of tokens in this process: good enough to keep one client from starving the others. */
export function createBuckets({ perSecond, burst }: RateLimit, now = () => performance.now()) {
  const buckets = new Map<string, Bucket>()

  function filled(id: string) {
    const time = now()
    const bucket = buckets.get(id) ?? { left: burst, at: time }
    bucket.left = Math.min(burst, bucket.left + ((time - bucket.at) / 1000) * perSecond)
    bucket.at = time
    return bucket
  }

  /** Those that have filled up again carry nothing worth keeping. */
  function forgetFull() {
    for (const id of buckets.keys()) if (filled(id).left >= burst) buckets.delete(id)
    // More clients at once than that: the ones that came first begin again.
    for (const id of buckets.keys()) if (buckets.size >= mostBuckets) buckets.delete(id)
  }

  return {
    /** Seconds to wait, or 0 if the token was there and was taken. */
    take(id: string) {
      const bucket = filled(id)
      if (!buckets.has(id) && buckets.size >= mostBuckets) forgetFull()
      buckets.set(id, bucket)
      if (bucket.left < 1) return secondsUntil(bucket)
      bucket.left--
      return 0
    },
    /** The same without taking one. */
    waitOf(id: string) {
      const bucket = filled(id)
      return bucket.left < 1 ? secondsUntil(bucket) : 0
    },
  }

  function secondsUntil({ left }: Bucket) {
    return Math.max(1, Math.ceil((1 - left) / perSecond))
  }
}

type Who = 'key' | 'session' | 'company' | 'network'

/** Says who asked too often, and when to come back. */
export function tooOften(reply: FastifyReply, who: Who, { perSecond }: RateLimit, retryAfter: number) {
  reply.header('ratelimit-policy', `"${who}";q=${perSecond};w=1`).header('ratelimit', `"${who}";r=0;t=${retryAfter}`)
  const wait = `Wait ${retryAfter} s, then go on more slowly.`
  return new AppError('too_many_requests', `${sentences[who](perSecond)} ${wait}`, { retryAfter })
}

const sentences: Record<Who, (perSecond: number) => string> = {
  key: (perSecond) => `This key may make ${perSecond} requests a second.`,
  session: (perSecond) => `You may make ${perSecond} requests a second.`,
  company: (perSecond) => `Your company may make ${perSecond} requests a second.`,
  network: () => 'Too many requests that were not signed in came from your network.',
}
