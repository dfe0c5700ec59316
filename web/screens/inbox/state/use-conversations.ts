import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../../client/api.ts'
import { liveState } from '../../../client/live.ts'
import { pagesInSight, pagesOf } from '../../../client/pages.ts'
import { useStore } from '../../../client/store.ts'
import { type Conversation, listKey } from '../../../conversations/inbox.ts'

const pageSize = 50
/** The next page is asked for so many rows before the end. */
const ahead = 25
/** Without live updates, what others do is asked for. */
const askAgainMs = 20_000

/** `isOld`: it was out of sight when something changed. */
type Page = { items: Conversation[]; next_cursor: string | null; isOld?: boolean }
export type Pages = InfiniteData<Page, string | undefined>
export type Question = { filter?: string | undefined; q?: string | undefined; sort?: 'due' | undefined }

export type Conversations = ReturnType<typeof useConversations>

/** The conversations of a view, page by page as one scrolls. After a change, only pages in sight are fetched again. */
export function useConversations(question: Question) {
  const client = useQueryClient()
  const isLive = useStore(liveState) === 'open'
  const [sight] = useState(() => pagesInSight<Page>(({ items }) => items.length))
  const options = pagesOf(
    [...listKey, question],
    (cursor, signal) => api.listConversations({ ...question, limit: pageSize, cursor }, { signal }) as Promise<Page>,
  )
  const query = useInfiniteQuery({
    ...options,
    queryFn: ({ pageParam: cursor, signal }) => {
      const pages = client.getQueryData(options.queryKey)?.pages ?? []
      return sight.fetch(pages, cursor, () =>
        api.listConversations({ ...question, limit: pageSize, cursor }, { signal }),
      )
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
    refetchInterval: isLive ? false : askAgainMs,
  })
  const { data, hasNextPage, isFetching, fetchNextPage, refetch } = query
  const rows = useMemo(() => {
    const all = data?.pages.flatMap(({ items }) => items) ?? []
    return [...new Map(all.map((one) => [one.id, one])).values()]
  }, [data])
  const seen = (first: number, last: number) => {
    if (!data || query.isPlaceholderData) return
    const hasOld = sight.see(data.pages, first, last)
    if (isFetching || query.isError) return
    if (hasOld) void refetch()
    else if (hasNextPage && last > rows.length - ahead) void fetchNextPage()
  }
  return {
    rows,
    query,
    seen,
    isWhole: data !== undefined && !hasNextPage,
    isOld: query.isPlaceholderData,
  }
}
