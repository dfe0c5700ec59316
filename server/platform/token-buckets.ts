export type RateLimit = { perSecond: number; burst: number }
type Bucket = { left: number; at: number }

const mostBuckets = 10_000

/** Token buckets per process, which is enough to keep one client from starving the others. */
export function createBuckets({ perSecond, burst }: RateLimit, now = () => performance.now()) {
  const buckets = new Map<string, Bucket>()

  function filled(id: string) {
    const time = now()
    const bucket = buckets.get(id) ?? { left: burst, at: time }
    bucket.left = Math.min(burst, bucket.left + ((time - bucket.at) / 1000) * perSecond)
    bucket.at = time
    return bucket
  }

  /** Full buckets carry no information. */
  function forgetFull() {
    for (const id of buckets.keys()) if (filled(id).left >= burst) buckets.delete(id)
    // With too many active clients, the oldest buckets start again.
    for (const id of buckets.keys()) if (buckets.size >= mostBuckets) buckets.delete(id)
  }

  return {
    /** Takes a token and returns 0, or returns the seconds to wait. */
    take(id: string) {
      const bucket = filled(id)
      if (!buckets.has(id) && buckets.size >= mostBuckets) forgetFull()
      buckets.set(id, bucket)
      if (bucket.left < 1) return secondsUntil(bucket)
      bucket.left--
      return 0
    },
    /** The same without taking a token. */
    waitOf(id: string) {
      const bucket = filled(id)
      return bucket.left < 1 ? secondsUntil(bucket) : 0
    },
  }

  function secondsUntil({ left }: Bucket) {
    return Math.max(1, Math.ceil((1 - left) / perSecond))
  }
}
