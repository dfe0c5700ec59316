import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'

type Page = { items: unknown[]; next_cursor: string | null }

/** A list that comes page by page, each with the cursor of the next. */
export const pagesOf = <P extends Page>(queryKey: QueryKey, ask: (cursor: string | undefined) => Promise<P>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => ask(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

/** Where to go after signing in: a path of this app, or nothing. Keeps others from sending people elsewhere. */
export function nextPage(wish: unknown): string | undefined {
  if (typeof wish !== 'string' || !/^\/[^/\\]/.test(wish)) return undefined
  // The browser drops tabs and line breaks while reading an address, so ask it where this really leads.
  const url = URL.parse(wish, location.origin)
  return url?.origin === location.origin ? url.pathname + url.search : undefined
}
