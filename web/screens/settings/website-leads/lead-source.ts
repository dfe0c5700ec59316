// Lead sources and submissions as the web app reads them. Every key begins with ['website-leads'].

import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../../contract/index.ts'
import { spamDays } from '../../../../contract/leads.ts'
import type { Input, Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { pagesOf } from '../../../client/pages.ts'
import { useBuiltIn } from '../../../records/data/built-in.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import type { Tone } from '../../../ui/basics/status.tsx'

export type LeadSource = Output<typeof contract.getLeadSource>
export type FormField = LeadSource['fields'][number]
export type Draft = Omit<Input<typeof contract.previewLeadForm>, 'id'>
export type Submission = Output<typeof contract.listLeadSubmissions>['items'][number]
export type SubmissionDetails = Output<typeof contract.getLeadSubmission>
export type LeadSettings = Output<typeof contract.getLeadSettings>

/** Submissions arrive from visitors, and jobs process them: the figures are asked for now and then. */
const figuresMs = 10_000
const tailMs = 3000
/** Further pages are read for what is past. */
const mostFollowed = 2

export const sourcesQuery = queryOptions({
  queryKey: ['website-leads', 'sources'],
  queryFn: async () => (await api.listLeadSources({})).items,
  refetchInterval: figuresMs,
})

export const sourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['website-leads', 'source', id],
    queryFn: () => api.getLeadSource({ id }),
    refetchInterval: figuresMs,
  })

export const previewQuery = (id: string, draft: Draft) =>
  queryOptions({
    queryKey: ['website-leads-preview', id, draft],
    queryFn: ({ signal }) => api.previewLeadForm({ id, ...draft }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  })

export const consentTextsQuery = (id: string) =>
  queryOptions({
    queryKey: ['website-leads', 'consent', id],
    queryFn: async () => (await api.listConsentTexts({ id })).items,
  })

export type SubmissionFilter = { source_id?: string | undefined; state?: Submission['state'] | undefined }

export const submissionsQuery = (filter: SubmissionFilter) => ({
  ...pagesOf(['website-leads', 'submissions', filter], (cursor, signal) =>
    api.listLeadSubmissions({ ...filter, limit: 50, cursor }, { signal }),
  ),
  placeholderData: keepPreviousData,
  refetchInterval: ({ state: { data } }: { state: { data?: { pages: unknown[] } | undefined } }) =>
    (data?.pages.length ?? 0) <= mostFollowed ? tailMs : (false as const),
})

export const submissionQuery = (id: string) =>
  queryOptions({
    queryKey: ['website-leads', 'submission', id],
    queryFn: () => api.getLeadSubmission({ id }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'received' ? 1000 : false),
  })

export const leadSettingsQuery = queryOptions({
  queryKey: ['website-leads', 'settings'],
  queryFn: () => api.getLeadSettings({}),
})

export function useLeadsChanged() {
  const client = useQueryClient()
  return (changed?: LeadSource) => {
    if (changed) client.setQueryData(sourceQuery(changed.id).queryKey, changed)
    return client.invalidateQueries({ queryKey: ['website-leads'] })
  }
}

/** Nothing if the object is archived or not for this user. */
export const useLeadsObject = (): ObjectShape | undefined => useBuiltIn('leads')

export function stateOf({ is_active, problem }: LeadSource): { tone: Tone; word: string } {
  if (!is_active) return { tone: 'quiet', word: 'Closed' }
  return problem ? { tone: 'bad', word: 'Needs attention' } : { tone: 'ok', word: 'Active' }
}

export const stateWords: Record<Submission['state'], { word: string; tone: Tone }> = {
  lead: { word: 'Lead', tone: 'ok' },
  received: { word: 'Waiting', tone: 'quiet' },
  unconfirmed: { word: 'Not confirmed', tone: 'warn' },
  failed: { word: 'Failed', tone: 'bad' },
  spam: { word: 'Spam', tone: 'warn' },
  expired: { word: 'Expired', tone: 'quiet' },
}

const outcomes = {
  created: 'Created a lead',
  updated: 'Filled empty fields of an existing lead',
  noted: 'Added a note to an existing lead',
}

/** What became of a submission, in a few words. */
export function outcomeOf({ state, outcome }: Submission) {
  if (outcome) return outcomes[outcome]
  if (state === 'received') return 'Waiting to be processed'
  if (state === 'unconfirmed') return 'Waiting for the person to confirm their email address'
  if (state === 'expired') return 'Never confirmed'
  return state === 'spam' ? `Kept as spam, deleted after ${spamDays} days` : 'Could not become a lead'
}

export const viaWords: Record<Submission['via'], string> = {
  script: 'Embedded form',
  page: 'Hosted page',
  html: 'Plain HTML form',
  api: 'API',
}
