import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { liveState } from './live.ts'
import { useStore } from './store.ts'

type Page = { next_cursor: string | null }
type Ask<P> = (cursor: string | undefined, signal: AbortSignal) => Promise<P>

/** A list that comes page by page, each with the cursor of the next. */
export const pagesOf = <P extends Page>(queryKey: QueryKey, ask: Ask<P>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

/** `isOld`: it was out of sight when something changed. */
type Kept = Page & { isOld?: boolean }

/**
 * Of a long list, a reload fetches only the pages in sight. The others stay as they are, marked as old, and are fetched
 * when they come into sight. One for each list; `sizeOf`: how many rows a page has.
 */
export function pagesInSight<P extends Kept>(sizeOf: (page: P) => number) {
  let inSight = { from: 0, to: 0 }
  const places = new Map<string, number>()
  const placeOf = (pages: P[], cursor: string) =>
    places.get(cursor) ?? pages.findIndex(({ next_cursor }) => next_cursor === cursor) + 1

  /** The page with this row, counted as they were fetched. */
  function pageOf(pages: P[], row: number) {
    let left = row
    const place = pages.findIndex((page) => {
      left -= sizeOf(page)
      return left < 0
    })
    return place < 0 ? Math.max(0, pages.length - 1) : place
  }

  return {
    /** `pages`: those that are known. */
    async fetch(pages: P[], cursor: string | undefined, ask: () => Promise<P>): Promise<P> {
      const place = cursor === undefined ? 0 : placeOf(pages, cursor)
      const old = place < inSight.from || place > inSight.to ? pages[place] : undefined
      const page = old ? { ...old, isOld: true } : await ask()
      if (page.next_cursor !== null) places.set(page.next_cursor, place + 1)
      return page
    },
    /** Takes the first and the last row on screen. Answers whether something old is among them. */
    see(pages: P[], first: number, last: number) {
      inSight = { from: pageOf(pages, first), to: pageOf(pages, last) }
      return pages.slice(inSight.from, inSight.to + 1).some(({ isOld }) => isOld)
    },
  }
}

type Sight<P> = {
  sizeOf: (page: P) => number
  /** Without live updates, what others do is asked for. */
  askAgainMs: number
}

/** While another question is under way, the last response stays visible, marked as old. */
export function usePagesInSight<P extends Kept>(queryKey: QueryKey, ask: Ask<P>, { sizeOf, askAgainMs }: Sight<P>) {
  const client = useQueryClient()
  const isLive = useStore(liveState) === 'open'
  const [sight] = useState(() => pagesInSight(sizeOf))
  const query = useInfiniteQuery({
    ...pagesOf(queryKey, (cursor, signal) => {
      const pages = client.getQueryData<InfiniteData<P>>(queryKey)?.pages ?? []
      return sight.fetch(pages, cursor, () => ask(cursor, signal))
    }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
    refetchInterval: isLive ? false : askAgainMs,
  })
  const { data, isFetching, isError, isPlaceholderData, hasNextPage, fetchNextPage, refetch } = query
  return {
    query,
    isWhole: data !== undefined && !hasNextPage,
    /** Takes the first and the last row on screen, and whether the end of what is loaded is near. */
    seen(first: number, last: number, isNearEnd: boolean) {
      if (!data || isPlaceholderData) return
      const hasOld = sight.see(data.pages, first, last)
      if (isFetching || isError) return
      if (hasOld) void refetch()
      else if (hasNextPage && isNearEnd) void fetchNextPage()
    },
  }
}
