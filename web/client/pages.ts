import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'

export type Page = { next_cursor: string | null }
export type Ask<P> = (cursor: string | undefined, signal: AbortSignal) => Promise<P>

/** Every item of a list that comes page by page. */
export async function allItems<Item>(ask: (cursor?: string) => Promise<Page & { items: Item[] }>) {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await ask(cursor)
    items.push(...page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return items
}

/** A list that comes page by page, each with the cursor of the next. */
export const pagesOf = <P extends Page>(queryKey: QueryKey, ask: Ask<P>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
