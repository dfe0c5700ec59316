import { api } from '../../client/api.ts'

/** Records of these objects, or of any, by a part of the title. */
export async function findTitled(objects: string[], search: string, limit = 50, signal?: AbortSignal) {
  const options = signal && { signal }
  const [object] = objects
  if (!object || objects.length > 1) {
    const found = search ? (await api.searchRecords({ q: search, limit }, options)).items : []
    return found.filter((one) => !object || objects.includes(one.object))
  }
  const filter = search ? { field: 'title', op: 'contains' as const, value: search } : undefined
  const { records } = await api.queryRecords({ object, filter, sort: ['title'], fields: ['title'], limit }, options)
  return records.map(({ id, title }) => ({ object, id, title: String(title) }))
}
