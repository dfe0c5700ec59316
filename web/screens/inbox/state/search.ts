// What the list shows is its address: a view, a further filter, words and an order. Also whom a new message is for.
export type InboxSearch = { view?: string; filter?: string; q?: string; sort?: 'due'; to?: string }

const text = (given: unknown, most: number) =>
  typeof given === 'string' && given.trim() ? given.slice(0, most) : undefined

export function readInboxSearch(search: Record<string, unknown>): InboxSearch {
  const view = text(search.view, 100)
  const filter = text(search.filter, 10_000)
  const q = text(search.q, 200)
  const to = text(search.to, 254)
  const sort = search.sort === 'due' ? search.sort : undefined
  return { ...(view && { view }), ...(filter && { filter }), ...(q && { q }), ...(sort && { sort }), ...(to && { to }) }
}
