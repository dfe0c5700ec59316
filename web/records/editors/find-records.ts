import { api } from '../../client/api.ts'
import type { Titled } from '../titles.ts'

export async function findRecords(objects: string[], search: string, signal?: AbortSignal): Promise<Titled[]> {
  const options = signal && { signal }
  if (objects.length === 1) {
    const object = objects[0]!
    const filter = search ? { field: 'title', op: 'contains' as const, value: search } : undefined
    const sort = search ? ['title'] : ['-updated_at']
    const { records } = await api.queryRecords({ object, filter, sort, fields: ['title'], limit: 30 }, options)
    return records.map(({ id, title }) => ({ object, id, title: String(title) }))
  }
  if (!search) return []
  const { items } = await api.searchRecords({ q: search, limit: 30 }, options)
  return items.filter(({ object }) => !objects.length || objects.includes(object))
}
