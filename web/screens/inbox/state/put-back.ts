import type { Conversation } from '../../../conversations/inbox.ts'
import type { Pages } from './use-conversations.ts'

/** Rows that a change took out of `known` are put back where they were; those that `now` still has become `back`. */
export function putBack(now: Pages, known: Pages, ids: ReadonlySet<string>, back: (one: Conversation) => Conversation) {
  const there = new Set(now.pages.flatMap(({ items }) => items.map(({ id }) => id)))
  const pages = now.pages.map((page, at) => {
    const items = page.items.map((one) => (ids.has(one.id) ? back(one) : one))
    const before = known.pages[at]?.items ?? []
    for (const [i, one] of before.entries()) {
      if (!ids.has(one.id) || there.has(one.id)) continue
      const left = before.slice(0, i).findLast(({ id }) => items.some((other) => other.id === id))
      items.splice(left ? items.findIndex(({ id }) => id === left.id) + 1 : 0, 0, one)
    }
    return { ...page, items }
  })
  return { ...now, pages }
}
