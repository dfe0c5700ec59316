import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { api } from '../client/api.ts'
import { conversationPage } from '../client/areas.ts'
import { nameOfOther, subjectOf } from '../conversations/inbox.ts'
import type { Command } from './commands.ts'

const pauseMs = 200
const fewest = 3
const most = 4

/** Conversations with these words, after everything else. */
export function useFoundConversations(query: string): Command[] {
  const navigate = useNavigate()
  const [q] = useDebouncedValue(query.trim(), pauseMs)
  const isAsked = q.length >= fewest && q.length <= 200
  const { data = [] } = useQuery({
    queryKey: ['inbox', 'found', q],
    queryFn: async ({ signal }) => (await api.listConversations({ q, limit: most }, { signal })).items,
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  if (!isAsked || query.trim().length < fewest) return []
  return data.map((one) => ({
    id: `conversation ${one.id}`,
    group: 'Conversations',
    label: `${nameOfOther(one)}: ${subjectOf(one)}`,
    icon: MessagesSquare,
    run: () => void navigate({ to: conversationPage, params: { id: one.id } }),
  }))
}
