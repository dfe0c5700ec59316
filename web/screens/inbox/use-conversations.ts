import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { api } from '../../client/api.ts'
import { liveState } from '../../client/live.ts'
import { pagesOf } from '../../client/pages.ts'
import { useStore } from '../../client/store.ts'
import { type Conversation, listKey } from '../../inbox/inbox.ts'

const pageSize = 50
/** The next page is asked for so many rows before the end. */
const ahead = 25
/** Without live updates, what others do is asked for. */
const askAgainMs = 20_000

type Page = { items: Conversation[]; next_cursor: string | null }
export type Pages = InfiniteData<Page, string | undefined>
export type Question = { filter?: string | undefined; q?: string | undefined; sort?: 'due' | undefined }

export type Conversations = ReturnType<typeof useConversations>

/** The conversations of a view, page by page as one scrolls. After a change, only pages in sight are fetched again. */
export function useConversations(question: Question) {
  const client = useQueryClient()
  const isLive = useStore(liveState) === 'open'
  const inSight = useRef({ from: 0, to: 0 })
  const options = pagesOf([...listKey, question], (cursor, signal) =>
    api.listConversations({ ...question, limit: pageSize, cursor }, { signal }),
  )
  const query = useInfiniteQuery({
    ...options,
    queryFn: async (asked) => {
      const { pageParam: cursor, signal } = asked
      const pages = client.getQueryData<Pages>(options.queryKey)?.pages ?? []
      const place = cursor ? pages.findIndex(({ next_cursor }) => next_cursor === cursor) + 1 : 0
      const { from, to } = inSight.current
      const known = pages[place]
      if (known && (place < from || place > to)) return known
      return api.listConversations({ ...question, limit: pageSize, cursor }, { signal })
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
    refetchInterval: isLive ? false : askAgainMs,
  })
  const { data, hasNextPage, isFetching, fetchNextPage } = query
  const rows = useMemo(() => {
    const all = data?.pages.flatMap(({ items }) => items) ?? []
    return [...new Map(all.map((one) => [one.id, one])).values()]
  }, [data])
  const seen = (first: number, last: number) => {
    inSight.current = { from: Math.floor(first / pageSize), to: Math.floor(last / pageSize) }
    if (hasNextPage && !isFetching && !query.isError && last > rows.length - ahead) void fetchNextPage()
  }
  return {
    rows,
    query,
    seen,
    isWhole: data !== undefined && !hasNextPage,
    isOld: query.isPlaceholderData,
  }
}
