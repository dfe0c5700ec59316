// Records as the web app reads and writes them. Every key begins with ['records', object].
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../api.ts'
import { queryClient } from '../queries.ts'
import { listedRecord } from './record-cache.ts'

export type RecordShape = Output<typeof contract.getRecord>
export type RecordPage = Output<typeof contract.queryRecords>
/** `backwards`: from the end of the list, which is how one jumps there. */
export type Question = {
  object: string
  filter?: string | undefined
  sort?: string[] | undefined
  fields?: string[] | undefined
  deleted?: boolean | undefined
  backwards?: boolean | undefined
}

export const pageSize = 100

/** What is no id leads nowhere: the server need not be asked. */
export const isRecordId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

export const recordKey = (object: string, id: string) => ['records', object, 'one', id] as const
export const pagesKey = (object: string) => ['records', object, 'pages'] as const

export const recordQuery = (object: string, id: string) =>
  queryOptions({
    queryKey: recordKey(object, id),
    queryFn: (): Promise<RecordShape> => api.getRecord({ object, id }),
    // At once as some list has it; the answer follows.
    placeholderData: () => listedRecord(queryClient, object, id),
  })

/** Page by page as one scrolls; each goes on exactly where the last one ended. */
export const recordPagesQuery = ({ object, ...question }: Question) =>
  infiniteQueryOptions({
    queryKey: [...pagesKey(object), question] as const,
    queryFn: ({ pageParam, signal }): Promise<RecordPage> => {
      signal.throwIfAborted()
      return api.listRecords({ object, ...question, limit: pageSize, cursor: pageParam })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

/** Quick up to 10,000; `exact` counts the rest too. */
export const countQuery = ({ object, filter, deleted }: Question, exact = false) =>
  queryOptions({
    queryKey: ['records', object, 'count', { filter, deleted, exact }] as const,
    queryFn: () => api.countRecords({ object, filter, deleted, exact }),
  })

export { useDeleteRecords, useRestoreRecords } from './delete-records.ts'
export { useUpdateRecord, useUpdateRecords } from './update-record.ts'
