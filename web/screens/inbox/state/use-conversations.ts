import type { InfiniteData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../../client/api.ts'
import { usePagesInSight } from '../../../client/pages.ts'
import { type Conversation, listKey } from '../../../conversations/inbox.ts'

const pageSize = 50
/** The next page is asked for so many rows before the end. */
const ahead = 25
const askAgainMs = 20_000

type Page = { items: Conversation[]; next_cursor: string | null; isOld?: boolean }
export type Pages = InfiniteData<Page, string | undefined>
export type Question = { filter?: string | undefined; q?: string | undefined; sort?: 'due' | undefined }

export type Conversations = ReturnType<typeof useConversations>

/** The conversations of a view, page by page as one scrolls. After a change, only pages in sight are fetched again. */
export function useConversations(question: Question) {
  const { query, isWhole, ...pages } = usePagesInSight<Page>(
    [...listKey, question],
    (cursor, signal) => api.listConversations({ ...question, limit: pageSize, cursor }, { signal }),
    { sizeOf: ({ items }) => items.length, askAgainMs },
  )
  const { data } = query
  const rows = useMemo(() => {
    const all = data?.pages.flatMap(({ items }) => items) ?? []
    return [...new Map(all.map((one) => [one.id, one])).values()]
  }, [data])
  const seen = (first: number, last: number) => pages.seen(first, last, last > rows.length - ahead)
  return { rows, query, seen, isWhole, isOld: query.isPlaceholderData }
}
