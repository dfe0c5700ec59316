import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { api } from '../../../client/api.ts'
import { liveState } from '../../../client/live.ts'
import { useStore } from '../../../client/store.ts'
import { type Conversation, type Thread, threadKey } from '../../../conversations/inbox.ts'
import { isRecordId } from '../../../records/data/records-api.ts'
import { markRead } from './changes.ts'

export type ThreadPages = InfiniteData<Thread, string | undefined>

/** Without live updates, what others do is asked for. */
const askAgainMs = 10_000

/** A conversation with its messages, the newest last; older ones come page by page. */
export function useThread(id: string) {
  const isLive = useStore(liveState) === 'open'
  const query = useInfiniteQuery({
    queryKey: threadKey(id),
    queryFn: ({ pageParam: cursor, signal }) => api.getConversation({ id, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: isLive ? false : askAgainMs,
    // A new message has none yet.
    enabled: isRecordId(id),
  })
  const messages = useMemo(() => query.data?.pages.toReversed().flatMap((page) => page.messages) ?? [], [query.data])
  return { query, first: query.data?.pages[0], messages }
}

export const proposalsQuery = (conversation_id: string) => ({
  queryKey: ['inbox', 'proposals', conversation_id],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await api.listProposals({ conversation_id, limit: 20 }, { signal })).items,
})

export const useProposals = (id: string) => useQuery(proposalsQuery(id))

/** So long a conversation is looked at before it counts as read. */
const readMs = 700

export function useReading(conversation: Conversation | undefined) {
  const { id, is_unread } = conversation ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: by ID; marking it unread again must not mark it read at once
  useEffect(() => {
    if (!conversation || !is_unread) return
    const timer = setTimeout(() => void markRead([conversation], true), readMs)
    return () => clearTimeout(timer)
  }, [id, conversation?.message_count])
}

const visitMs = 20_000
/** Someone who types counts as typing for a little longer. */
const typingMs = 6000

/** Tells others that one is here, and whether one types; answers who else is. */
export function useVisit(id: string, isTyping: boolean, known: Thread['visits']) {
  const [visits, setVisits] = useState(known)
  useEffect(() => setVisits(known), [known])
  useEffect(() => {
    let isHere = true
    const visit = () =>
      document.hidden ||
      api.visitConversation({ id, is_typing: isTyping }).then(
        (answer) => isHere && setVisits(answer.visits),
        () => {},
      )
    void visit()
    const timer = setInterval(visit, isTyping ? typingMs : visitMs)
    return () => {
      isHere = false
      clearInterval(timer)
    }
  }, [id, isTyping])
  useEffect(() => () => void api.visitConversation({ id, has_left: true }).catch(() => {}), [id])
  return visits
}
