// Records that are probably the same.
import { type InfiniteData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../contract/index.ts'
import type { Input, Output } from '../../../contract/operation.ts'
import { api } from '../../client/api.ts'
import { pagesOf } from '../../client/pages.ts'
import { complain } from '../../ui/basics/notices.tsx'
import { recordsChangedSoon, whileSaving } from './record-cache.ts'
import { type Different, differentAndUndoable, markDifferent } from './undo.ts'

export type DuplicatePage = Output<typeof contract.getDuplicates>
export type DuplicateGroup = DuplicatePage['items'][number]
export type Duplicate = DuplicateGroup['duplicates'][number]
export type GroupFilter = Pick<Input<typeof contract.getDuplicates>, 'likeness' | 'is_dismissed'>

export const groupsKey = (object: string) => ['records', object, 'duplicates', 'groups'] as const

export const groupsQuery = (object: string, filter: GroupFilter) =>
  pagesOf(
    [...groupsKey(object), filter],
    (cursor, signal): Promise<DuplicatePage> => api.getDuplicates({ object, ...filter, cursor }, { signal }),
  )

/** Without the records that are no longer duplicates. Answers with a way to take it back. */
export function dropFromGroups(
  client: QueryClient,
  object: string,
  isGone: (group: DuplicateGroup, id: string) => boolean,
) {
  const before = client.getQueriesData({ queryKey: groupsKey(object) })
  const kept = (group: DuplicateGroup) => {
    const left = group.duplicates.filter(({ id }) => !isGone(group, id))
    return group.id && left.length && !isGone(group, group.id) ? [{ ...group, duplicates: left }] : []
  }
  client.setQueriesData<InfiniteData<DuplicatePage>>({ queryKey: groupsKey(object) }, (old) => {
    if (!old) return old
    const pages = old.pages.map((page) => ({ ...page, items: page.items.flatMap(kept) }))
    const gone = countIn(old.pages) - countIn(pages)
    return { ...old, pages: pages.map((page) => ({ ...page, total: page.total - gone })) }
  })
  return () => {
    for (const [key, data] of before) client.setQueryData(key, data)
  }
}

const countIn = (pages: DuplicatePage[]) => pages.reduce((sum, { items }) => sum + items.length, 0)

/** Those of one record, the likeliest first. */
export const duplicatesQuery = (object: string, id: string) =>
  queryOptions({
    queryKey: ['records', object, 'duplicates', 'of', id] as const,
    queryFn: async ({ signal }) => (await api.getDuplicates({ object, id }, { signal })).items[0]?.duplicates ?? [],
  })

/** "Same email address ada@example.com, same name" */
export function reasonsOf({ reasons }: Pick<Duplicate, 'reasons'>) {
  const text = reasons.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Each of them is different from every other one. */
export const allPairs = (ids: string[]): Different['pairs'] => ids.slice(0, -1).map((id, i) => [id, ids.slice(i + 1)])

type Marking = { pairs: Different['pairs']; said: string }

/** `hide`: takes them off the screen at once, and answers with a way to take that back. */
export function useMarkDifferent(object: string, hide: (marking: Marking) => () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ pairs }: Marking) => whileSaving(object, () => markDifferent({ object, pairs })),
    onMutate: async (marking) => {
      await client.cancelQueries({ queryKey: groupsKey(object) })
      return hide(marking)
    },
    onSuccess: (_, { pairs, said }) => differentAndUndoable(said, { object, pairs }),
    onError: (error, _, putBack) => {
      putBack?.()
      complain('They were not marked as different', error)
    },
    onSettled: () => recordsChangedSoon(client, object),
  })
}
