// What the list shows is its address: a view, a further filter, words and an order.
export type InboxSearch = { view?: string; filter?: string; q?: string; sort?: 'due' }

const text = (given: unknown, most: number) =>
  typeof given === 'string' && given.trim() ? given.slice(0, most) : undefined

export function readInboxSearch(search: Record<string, unknown>): InboxSearch {
  const view = text(search.view, 100)
  const filter = text(search.filter, 10_000)
  const q = text(search.q, 200)
  return {
    ...(view && { view }),
    ...(filter && { filter }),
    ...(q && { q }),
    ...(search.sort === 'due' && { sort: 'due' }),
  }
}
