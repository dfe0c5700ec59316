import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { isId } from '../../../contract/shared/ids.ts'
import { api } from '../../client/api.ts'
import { plain } from './record-cache.ts'
import { type Titled, titleQuery } from './records-api.ts'
import { type FieldShape, type ObjectShape, useSchema } from './schema.ts'
import type { Values } from './update-record.ts'

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
  const { items } = await api.searchRecords({ q: search, limit, ...(object && { objects }) }, options)
  return items
}

const pauseMs = 150

/** The other values of the form, so that the records of a chosen organization can be offered first. */
export const FormValues = createContext<{ object: ObjectShape; values: Values } | undefined>(undefined)

const mostNear = 20

/** Records that belong to one that is chosen in the same form: the people of the deal's organization. */
export function useNearRecords(field: FieldShape, text: string) {
  const form = useContext(FormValues)
  const schema = useSchema()
  const [to, ...others] = field.to_objects ?? []
  const target = others.length ? undefined : schema.find(({ key }) => key === to)
  const [link] = target && form ? linksBetween(form, field, target) : []
  const { data: linked } = useQuery({ ...titleQuery(link?.id ?? ''), enabled: link !== undefined })
  const { data = [] } = useQuery({
    queryKey: ['record-titles', 'near', to, link, text],
    queryFn: async ({ signal }) => {
      const belongs = { field: link!.key, op: link!.op, value: link!.op === 'eq' ? link!.id : [link!.id] }
      const named = text ? [{ field: 'title', op: 'contains' as const, value: text }] : []
      const question = { object: to!, filter: { and: [belongs, ...named] }, fields: ['title'], limit: mostNear }
      const { records } = await api.queryRecords(question, { signal })
      return records.map(({ id, title }): Titled => ({ object: to!, id, title: String(title) }))
    },
    enabled: link !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
  return { near: link ? data : [], nearTitle: linked?.title }
}

function linksBetween(
  { object, values }: { object: ObjectShape; values: Values },
  field: FieldShape,
  target: ObjectShape,
) {
  return object.fields.flatMap((other) => {
    const id = plain(values[other.key])
    if (other.type !== 'relation' || other.key === field.key || typeof id !== 'string' || !isId(id)) return []
    const back = target.fields.find(({ type, to_objects }) => {
      const [only, ...more] = to_objects ?? []
      return type === 'relation' && !more.length && only !== undefined && other.to_objects?.includes(only)
    })
    return back ? [{ key: back.key, id, op: back.is_multi ? ('has_any' as const) : ('eq' as const) }] : []
  })
}

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
