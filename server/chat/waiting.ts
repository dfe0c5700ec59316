// Polls that wait for news. All of a company are looked up together, several times a second, so that a waiting visitor
// holds no connection and costs almost nothing, whichever process an answer comes from.
import type { Db } from '../platform/db.ts'
import { cursorsOf } from './visitor.ts'

const lookMs = 400
export const mostWaiting = { ofCompany: 300, ofNetwork: 30, ofAll: 3000 }

type Waiting = { company_id: string; network: string; visitor_id: string; cursor: string; wake: () => void }

export function createWaiting(limits = mostWaiting) {
  const waiting = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  const count = (is: (one: Waiting) => boolean) => [...waiting].filter(is).length

  async function look(db: Db) {
    if (isLooking) return
    isLooking = true
    try {
      for (const [company_id, some] of Map.groupBy(waiting, (one) => one.company_id)) {
        const cursors = await cursorsOf(db, company_id, [...new Set(some.map(({ visitor_id }) => visitor_id))])
        for (const one of some) if (cursors.get(one.visitor_id) !== one.cursor) one.wake()
      }
    } catch {
      // The next look may succeed; a poll ends by itself otherwise.
    } finally {
      isLooking = false
    }
  }

  return {
    /** False if too many wait already: then the page asks again later. */
    async forNews(db: Db, about: Omit<Waiting, 'wake'>, ms: number): Promise<boolean> {
      const isFull =
        waiting.size >= limits.ofAll ||
        count(({ company_id }) => company_id === about.company_id) >= limits.ofCompany ||
        count(({ network }) => network === about.network) >= limits.ofNetwork
      if (isFull) return false
      timer ??= setInterval(() => void look(db), lookMs).unref()
      await new Promise<void>((resolve) => {
        const late = setTimeout(done, ms).unref()
        const one = { ...about, wake: done }
        waiting.add(one)
        function done() {
          clearTimeout(late)
          waiting.delete(one)
          resolve()
        }
      })
      if (!waiting.size) {
        clearInterval(timer)
        timer = undefined
      }
      return true
    },
    /** The process stops: pages ask another one, or again after the start. */
    release() {
      for (const one of waiting) one.wake()
    },
  }
}
export type ChatWaiting = ReturnType<typeof createWaiting>
