// Limits that hold for all processes on one database together. Each counts by itself and soon tells the others what it
// gave out, so a burst to several processes at the same moment can exceed a limit, but not what follows.
import { randomBytes } from 'node:crypto'
import type { Db } from '../platform/db.ts'
import type { Buckets } from '../platform/token-buckets.ts'
import { type Listening, notify } from './live-channel.ts'

const channel = 'kith_limits'
const tellMs = 200
/** Who was heard of is there for so long: until the listener counts again. */
const presentMs = 30_000

/** Limits with the same name are the same limit. */
export type Share = (name: string, buckets: Buckets) => Buckets
export const unshared: Share = (_name, buckets) => buckets

export function createSharedLimits(db: Db, now = () => performance.now()) {
  const me = randomBytes(6).toString('base64url')
  const limits = new Map<string, Buckets>()
  const taken = new Map<string, { name: string; id: string; count: number }>()
  let presentUntil = 0
  let telling: NodeJS.Timeout | undefined

  function tell() {
    telling = undefined
    const texts = [...taken.values()].map(({ name, id, count }) => JSON.stringify([me, name, id, count]))
    taken.clear()
    // Lost if the database does not respond; the limits of each process still hold.
    notify(db, channel, texts).catch(() => {})
  }

  const share: Share = (name, buckets) => {
    limits.set(name, buckets)
    function take(id: string) {
      const wait = buckets.take(id)
      if (!wait && now() < presentUntil) {
        const key = `${name} ${id}`
        taken.set(key, { name, id, count: (taken.get(key)?.count ?? 0) + 1 })
        telling ??= setTimeout(tell, tellMs).unref()
      }
      return wait
    }
    return { ...buckets, take }
  }

  function heard(items: unknown[]) {
    for (const [from, name, id, count] of items as [string, string, string, number][]) {
      if (from === me) continue
      presentUntil = now() + presentMs
      if (count > 0) limits.get(name)?.takenElsewhere(id, count)
    }
  }

  return {
    share,
    listening: {
      channel,
      heard,
      counted: (processes) => {
        if (processes > 1) presentUntil = now() + presentMs
      },
    } satisfies Listening['also'],
    stop: () => clearTimeout(telling),
  }
}
