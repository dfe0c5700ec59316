import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { liveState } from '../../client/live.ts'
import { pagesInSight } from '../../client/pages.ts'
import { useStore } from '../../client/store.ts'
import { fetchPage, type Question, type RecordPage, recordPagesQuery } from '../data/records-api.ts'

/** The next page is requested so many rows before the end of what is loaded: more for those who scroll far. */
const ahead = (first: number) => Math.min(500, 150 + first)

/** How many rows beyond the screen count as visible. */
const nearSight = 30

/** Without live updates, what others do is asked for. */
const askAgainMs = 30_000

export type Rows = ReturnType<typeof useRows>

/**
 * The rows of one question, from its beginning or, `backwards`, from its end: then they are turned around, and more
 * come above. While another question is under way, the last response stays visible, marked as old.
 */
export function useRows(question: Question) {
  const client = useQueryClient()
  const options = recordPagesQuery(question)
  const isLive = useStore(liveState) === 'open'
  const [sight] = useState(() => pagesInSight<RecordPage>(({ records }) => records.length))
  const query = useInfiniteQuery({
    ...options,
    queryFn: ({ pageParam, signal }) => {
      const pages = client.getQueryData(options.queryKey)?.pages ?? []
      return sight.fetch(pages, pageParam, () => fetchPage(question, pageParam, signal))
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
    refetchInterval: isLive ? false : askAgainMs,
  })
  const { data, error, isFetching, isError, isPlaceholderData, hasNextPage, fetchNextPage, refetch } = query
  const shown = useMemo(() => shownOf(data), [data])

  /** Takes which rows are on screen, by their place in `rows`. */
  const seen = (first: number, last: number) => {
    if (!data || isPlaceholderData) return
    const count = shown.rows.length
    const [near, far] = shown.isFromEnd ? [count - 1 - last, count - 1 - first] : [first, last]
    const hasOld = sight.see(data.pages, near - nearSight, far + nearSight)
    if (isFetching || isError) return
    if (hasOld) void refetch()
    else if (hasNextPage && far > count - ahead(near)) void fetchNextPage()
  }

  return {
    ...shown,
    isWhole: data !== undefined && !hasNextPage,
    /** Are all rows as of now? */
    isCurrent: data?.pages.every(({ isOld }) => !isOld) ?? false,
    isLoading: data === undefined,
    isOld: isPlaceholderData,
    isFetching,
    error: isError ? error : undefined,
    seen,
    retry: () => void (query.isFetchNextPageError ? fetchNextPage() : refetch()),
  }
}

/** A record whose value changed meanwhile may come twice. */
function shownOf(data: InfiniteData<RecordPage> | undefined) {
  const pages = data?.pages ?? []
  const rows = [...new Map(pages.flatMap(({ records }) => records.map((one) => [one.id, one] as const))).values()]
  const isFromEnd = pages[0]?.isFromEnd ?? false
  return { rows: isFromEnd ? rows.reverse() : rows, isFromEnd }
}
