import { useMutation, useQueryClient } from '@tanstack/react-query'
import { mostRecords } from '../../contract/records.ts'
import { api } from '../client/api.ts'
import { complain } from '../ui/notices.tsx'
import { dropFromCache, recordsChanged, recordsChangedSoon } from './record-cache.ts'
import { saidAndUndoable } from './undo-toast.ts'

/** Gone from every list at once, and back by "Undo" or when the server refuses. At most a hundred. */
export function useDeleteRecords(object: string, said: (count: number) => string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[]) => api.deleteRecords({ object, ids: ids.slice(0, mostRecords) }),
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey: ['records', object] })
      dropFromCache(client, object, new Set(ids))
    },
    onSuccess: ({ records, change_set_id }) => saidAndUndoable(said(records.length), change_set_id),
    onError: (error) => complain('Nothing was deleted', error),
    onSettled: () => recordsChangedSoon(client, object),
  })
}

export function useRestoreRecords(object: string, said: (count: number) => string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[]) => api.restoreRecords({ object, ids }),
    onSuccess: ({ records, change_set_id }) => saidAndUndoable(said(records.length), change_set_id),
    onError: (error) => complain('Nothing was restored', error),
    onSettled: () => void recordsChanged(client, object),
  })
}
