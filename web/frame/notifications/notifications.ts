import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { api } from '../../client/api.ts'

export type Notification = Output<typeof contract.listNotifications>['items'][number]

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: () => api.listNotifications({ limit: 30 }),
  refetchInterval: 60_000,
  refetchOnWindowFocus: 'always',
})

/** Marks these as read, or all. It shows at once. */
export function useMarkRead() {
  const client = useQueryClient()
  const { queryKey } = notificationsQuery
  return useMutation({
    mutationFn: (ids?: string[]) => api.markNotificationsRead({ ids }),
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (old) => {
        if (!old) return old
        const items = old.items.map((item) => (ids && !ids.includes(item.id) ? item : { ...item, is_read: true }))
        const before = old.items.filter((item, index) => !item.is_read && items[index]!.is_read).length
        return { ...old, items, unread_count: ids ? Math.max(0, old.unread_count - before) : 0 }
      })
    },
    // Also after a failure: then the server's truth takes it back.
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
