// Conversations as the web app reads them. Every key begins with ['inbox'].

import { queryOptions } from '@tanstack/react-query'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { nameOrAddress } from '../../contract/shared/visitor-address.ts'
import { api } from '../client/api.ts'
import { allItems } from '../client/pages.ts'

export type Conversation = Output<typeof contract.listConversations>['items'][number]
export type Thread = Output<typeof contract.getConversation>
export type Message = Thread['messages'][number]
export type Label = Output<typeof contract.listConversationLabels>['items'][number]
export type InboxView = Output<typeof contract.listInboxViews>['items'][number]
export type Template = Output<typeof contract.listMessageTemplates>['items'][number]
export type Draft = Output<typeof contract.listMessageDrafts>['items'][number]
export type Proposal = Output<typeof contract.getProposal>

export const listKey = ['inbox', 'list'] as const
export const threadKey = (id: string) => ['inbox', 'thread', id] as const
export const draftsKey = ['inbox', 'drafts'] as const

export const countsQuery = queryOptions({
  queryKey: ['inbox', 'counts'],
  queryFn: ({ signal }) => api.countConversations({}, { signal }),
  staleTime: 30_000,
})

export const labelsQuery = queryOptions({
  queryKey: ['inbox', 'labels'],
  queryFn: async ({ signal }) => allItems((cursor) => api.listConversationLabels({ cursor }, { signal })),
  staleTime: 60_000,
})

export const templatesQuery = queryOptions({
  queryKey: ['inbox', 'templates'],
  queryFn: async ({ signal }) => allItems((cursor) => api.listMessageTemplates({ cursor }, { signal })),
})

export const viewsQuery = queryOptions({
  queryKey: ['inbox', 'views'],
  queryFn: async ({ signal }) => (await api.listInboxViews({}, { signal })).items,
  staleTime: 60_000,
})

/** What the color of someone's initials follows from: the same as on the record of a person. */
export const seedOf = (participants: Conversation['participants'], address: string | null | undefined) => {
  const known = participants.find((one) => one.address.toLowerCase() === address?.toLowerCase())
  return known?.person_id ?? known?.address ?? address ?? undefined
}

/** Of someone in a conversation: as in Kith, as they call themselves, or what they are reached by. */
export const nameOf = (
  { address, name }: { address: string | null; name: string | null },
  participants: Conversation['participants'] = [],
) => {
  const known = participants.find((one) => one.address === address)
  return nameOrAddress((known?.person_id && known.name) || name || known?.name, address) ?? 'Someone'
}

/** Who a conversation is with. */
export function nameOfOther({ participants, subject }: Pick<Conversation, 'participants' | 'subject'>) {
  const [first, ...others] = participants
  if (!first) return subject || 'No one yet'
  const name = nameOf(first)
  return others.length ? `${name}, +${others.length}` : name
}

export const subjectOf = ({ subject }: { subject: string }) => subject || '(no subject)'
