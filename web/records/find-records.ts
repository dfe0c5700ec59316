import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../client/api.ts'
import type { Titled } from './records-api.ts'

type Options = { limit?: number; signal?: AbortSignal }

/** Records of these objects, or of any, by a part of the title. Of one object, the latest before anything is typed. */
export async function findRecords(objects: string[], search: string, { limit = 50, signal }: Options = {}) {
  const options = signal && { signal }
  const [object] = objects
  if (object && objects.length === 1) {
    const filter = search ? { field: 'title', op: 'contains' as const, value: search } : undefined
    const sort = search ? ['title'] : ['-updated_at']
    const { records } = await api.queryRecords({ object, filter, sort, fields: ['title'], limit }, options)
    return records.map(({ id, title }): Titled => ({ object, id, title: String(title) }))
  }
  if (!search) return []
  const { items } = await api.searchRecords({ q: search, limit }, options)
  return items.filter((one) => !object || objects.includes(one.object))
}

const pauseMs = 150

/** What is found while one types. `isCurrent`: it answers what stands there now. */
export function useFoundRecords(objects: string[], text: string) {
  const [search] = useDebouncedValue(text, pauseMs)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['record-titles', 'found', objects, search],
    queryFn: ({ signal }) => findRecords(objects, search, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
  return { found: data, isCurrent: search === text && !isPlaceholderData }
}
