// Records as the web app reads and writes them.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { queryClient } from '../client/queries.ts'
import { listedRecord, pagesKey, recordKey } from './record-cache.ts'

export type RecordShape = Output<typeof contract.getRecord>
/** `isFromEnd`: of a list that is read backwards. `isOld`: out of sight when the list was reloaded. */
export type RecordPage = Output<typeof contract.queryRecords> & { isFromEnd?: boolean; isOld?: boolean }
/** `backwards`: from the end of the list, which is how one jumps there. */
export type Question = {
  object: string
  filter?: string | undefined
  sort?: string[] | undefined
  fields?: string[] | undefined
  deleted?: boolean | undefined
  backwards?: boolean | undefined
  limit?: number | undefined
}

export const pageSize = 100

/** What is no id leads nowhere: the server need not be asked. */
export const isRecordId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

export const recordQuery = (object: string, id: string) =>
  queryOptions({
    queryKey: recordKey(object, id),
    queryFn: ({ signal }): Promise<RecordShape> => api.getRecord({ object, id }, { signal }),
    // At once as some list has it; the answer follows.
    placeholderData: () => listedRecord(queryClient, object, id),
  })

/** Page by page as one scrolls; each goes on exactly where the last one ended. */
export const recordPagesQuery = ({ object, ...question }: Question) =>
  infiniteQueryOptions({
    queryKey: [...pagesKey(object), question] as const,
    queryFn: ({ pageParam, signal }) => fetchPage({ object, ...question }, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

export async function fetchPage(question: Question, cursor: string | undefined, signal: AbortSignal) {
  const { filter, sort, backwards = false, limit = pageSize } = question
  const asked = { ...question, filter: filter || undefined, sort: sort?.length ? sort : undefined, limit, cursor }
  const page: RecordPage = await api.listRecords(asked, { signal })
  return { ...page, isFromEnd: backwards }
}

/** Quick up to 10,000; `exact` counts the rest too. */
export const countQuery = ({ object, filter, deleted }: Question, exact = false) =>
  queryOptions({
    queryKey: ['records', object, 'count', { filter, deleted, exact }] as const,
    queryFn: ({ signal }) => api.countRecords({ object, filter, deleted, exact }, { signal }),
  })

export { useDeleteRecords, useRestoreRecords } from './delete-records.ts'
export { useUpdateRecord } from './update-record.ts'
