import type { InfiniteData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usePagesInSight } from '../../client/pages.ts'
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
 * come above.
 */
export function useRows(question: Question) {
  const { query, isWhole, ...pages } = usePagesInSight<RecordPage>(
    recordPagesQuery(question).queryKey,
    (cursor, signal) => fetchPage(question, cursor, signal),
    { sizeOf: ({ records }) => records.length, askAgainMs },
  )
  const { data, error, isFetching, isError, isPlaceholderData, fetchNextPage, refetch } = query
  const shown = useMemo(() => shownOf(data), [data])

  /** Takes which rows are on screen, by their place in `rows`. */
  const seen = (first: number, last: number) => {
    const count = shown.rows.length
    const [near, far] = shown.isFromEnd ? [count - 1 - last, count - 1 - first] : [first, last]
    pages.seen(near - nearSight, far + nearSight, far > count - ahead(near))
  }

  return {
    ...shown,
    isWhole,
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
