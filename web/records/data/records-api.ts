// Records as the web app reads and writes them.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { contract } from '../../../contract/index.ts'
import type { Input, Output } from '../../../contract/operation.ts'
import { mostRecords } from '../../../contract/records.ts'
import { api } from '../../client/api.ts'
import { pagesOf } from '../../client/pages.ts'
import { queryClient } from '../../client/queries.ts'
import { complain } from '../../ui/basics/notices.tsx'
import { dropFromCache, listedRecord, pagesKey, recordKey, recordsChanged, recordsChangedSoon } from './record-cache.ts'
import type { FieldShape } from './schema.ts'
import { saidAndUndoable } from './undo.ts'
import type { Values } from './update-record.ts'

export type RecordShape = Output<typeof contract.getRecord>

/** `isFromEnd`: of a list that is read backwards. `isOld`: out of sight when the list was reloaded. */
export type RecordPage = Output<typeof contract.queryRecords> & { isFromEnd?: boolean; isOld?: boolean }

/** `backwards`: from the end of the list, which is how one jumps there. */
export type Question = {
  object: string
  filter?: string | undefined
  sort?: string[] | undefined
  fields?: string[] | undefined
  is_deleted?: boolean | undefined
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
  pagesOf([...pagesKey(object), question], (cursor, signal) => fetchPage({ object, ...question }, cursor, signal))

export async function fetchPage(
  question: Question,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<RecordPage> {
  const { filter, sort, backwards = false, limit = pageSize } = question
  const asked = { ...question, filter: filter || undefined, sort: sort?.length ? sort : undefined, limit, cursor }
  return { ...(await api.listRecords(asked, { signal })), isFromEnd: backwards }
}

/** Quick up to 10,000; `exact` counts the rest too. */
export const countQuery = ({ object, filter, is_deleted }: Question, is_exact = false) =>
  queryOptions({
    queryKey: ['records', object, 'count', { filter, is_deleted, is_exact }] as const,
    queryFn: ({ signal }) => api.countRecords({ object, filter, is_deleted, is_exact }, { signal }),
  })

/** Counts, sums and groups of the records that match. */
export const aggregateQuery = ({ object, ...asked }: Input<typeof contract.aggregateRecords>) =>
  queryOptions({
    queryKey: ['records', object, 'aggregate', asked] as const,
    queryFn: ({ signal }) => api.aggregateRecords({ object, ...asked }, { signal }),
  })

export { useUpdateRecord } from './update-record.ts'

// The titles of related records. Answers bring them along; only a record that was just chosen, or that a filter names, is
// looked up.

/** `is_private`: this user cannot open it. */
export type Titled = { object: string; id: string; title: string; is_private?: true | undefined }

/** null: deleted. `known` is used until something changes. */
export const titleQuery = (id: string, known?: Titled | null) =>
  queryOptions({
    queryKey: ['record-titles', id],
    queryFn: async (): Promise<Titled | null> => (await api.getRecordTitles({ ids: [id] })).items[0] ?? null,
    staleTime: 60_000,
    ...(known !== undefined && { initialData: known }),
  })

export const useTitle = (id: string, known?: Titled | null) => useQuery(titleQuery(id, known))

// Related records as responses contain them, with titles, or as the user just chose them, by ID.

export type Related = string | { id: string; title?: string; object?: string; is_private?: true }

export const relatedIn = (value: unknown) => [value ?? []].flat() as Related[]

export const idOf = (related: Related) => (typeof related === 'string' ? related : related.id)

/** What the answer says of it. null: deleted. Nothing: it must be looked up. */
export function titledIn(related: Related, { to_objects }: Pick<FieldShape, 'to_objects'>): Titled | null | undefined {
  if (typeof related === 'string') return undefined
  const { id, title, object = to_objects?.[0], is_private } = related
  return title === undefined || object === undefined ? null : { object, id, title, ...(is_private && { is_private }) }
}

/** Gone from every list at once, and back by "Undo" or when the server refuses. At most a hundred. */
export function useDeleteRecords(object: string, said: (count: number) => string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[]) => api.deleteRecords({ object, ids: ids.slice(0, mostRecords) }),
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey: ['records', object] })
      return dropFromCache(client, object, new Set(ids))
    },
    onSuccess: ({ records, change_set_id }, ids) => saidAndUndoable(said(records.length), change_set_id, ids),
    onError: (error, _, takeBack) => {
      takeBack?.()
      complain('Nothing was deleted', error)
    },
    onSettled: () => recordsChangedSoon(client, object),
  })
}

export function useRestoreRecords(object: string, said: (count: number) => string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[]) => api.restoreRecords({ object, ids }),
    onSuccess: ({ records, change_set_id }, ids) => saidAndUndoable(said(records.length), change_set_id, ids),
    onError: (error) => complain('Nothing was restored', error),
    onSettled: () => void recordsChanged(client, object),
  })
}

type Created = { record: RecordShape; change_set_id: string | null }

/**
 * Field errors of a refusal have the path `records.0.<field>`: the form shows them, or a notice if the form was closed.
 * `onCreated` is called even if the form was closed before the answer came.
 */
export function useCreateRecord(object: string, onCreated: (created: Created) => void = () => {}) {
  const client = useQueryClient()
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useMutation({
    mutationFn: async (values: Values): Promise<Created> => {
      const { records, change_set_id } = await api.createRecords({ object, records: [values], return: 'record' })
      return { record: records[0]!, change_set_id }
    },
    onSuccess: (created) => {
      client.setQueryData(recordKey(object, created.record.id), created.record)
      void recordsChanged(client, object)
      onCreated(created)
    },
    onError: (error) => {
      if (!isShown.current) complain('Not saved. Your draft is still here', error)
    },
  })
}
