import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'

export type Chat = Output<typeof contract.getChat>
export type ChatVisitor = NonNullable<Output<typeof contract.getConversationChat>['visitor']>

export const chatQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'channel', id, 'chat'],
    queryFn: ({ signal }) => api.getChat({ id }, { signal }),
  })

/** What is written counts as being written for some seconds, so it is asked for again until it ends. */
const askAgainMs = 3000
const typingMs = 3000

export const chatVisitorQuery = (conversation_id: string) =>
  queryOptions({
    queryKey: ['inbox', 'chat', conversation_id],
    queryFn: async ({ signal }) => (await api.getConversationChat({ id: conversation_id }, { signal })).visitor,
  })

/** Who a chat is with. Tells them while one types. */
export function useChatVisitor(conversation_id: string, isChat: boolean, isTyping: boolean) {
  const { data } = useQuery({
    ...chatVisitorQuery(conversation_id),
    enabled: isChat,
    refetchInterval: ({ state }) => (state.data?.is_typing ? askAgainMs : false),
  })
  useEffect(() => {
    if (!isChat || !isTyping) return
    const tell = () => void api.reportTyping({ id: conversation_id }).catch(() => {})
    tell()
    const timer = setInterval(tell, typingMs)
    return () => clearInterval(timer)
  }, [conversation_id, isChat, isTyping])
  return data ?? undefined
}
