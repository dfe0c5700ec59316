export type RateLimit = { perSecond: number; burst: number }
type Bucket = { left: number; at: number }

const mostBuckets = 10_000

export type Buckets = ReturnType<typeof createBuckets>

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

  function kept(id: string) {
    const bucket = filled(id)
    if (!buckets.has(id) && buckets.size >= mostBuckets) forgetFull()
    buckets.set(id, bucket)
    return bucket
  }

  return {
    /** Takes a token and returns 0, or returns the seconds to wait. */
    take(id: string) {
      const bucket = kept(id)
      if (bucket.left < 1) return secondsUntil(bucket)
      bucket.left--
      return 0
    },
    /** The same without taking a token. */
    waitOf(id: string) {
      const bucket = filled(id)
      return bucket.left < 1 ? secondsUntil(bucket) : 0
    },
    /** What another process gave out is missing here too: at most one burst, however many processes there are. */
    takenElsewhere(id: string, count: number) {
      const bucket = kept(id)
      bucket.left = Math.max(-burst, bucket.left - count)
    },
  }

  function secondsUntil({ left }: Bucket) {
    return Math.max(1, Math.ceil((1 - left) / perSecond))
  }
}
