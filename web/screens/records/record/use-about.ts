import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { recordPagesQuery } from '../../../records/records-api.ts'
import { type ObjectShape, useObject } from '../../../records/schema.ts'
import { leadingTo, leadsTo } from './related/relations.ts'

export type AboutObject = 'notes' | 'tasks' | 'activities'
const hasNone = new Set<string>(['notes', 'tasks', 'activities'])

/** The object whose records can be about this one. Nothing: it is archived, or not for this user. */
export function useAboutObject(key: AboutObject, object: ObjectShape) {
  const about = useObject(key)
  if (hasNone.has(object.key) || !about || about.rights.read === 'none' || !about.byKey.has('about')) return undefined
  return about
}

type Asked = { sort?: string[]; limit?: number }

/** The records of it that are about this one. */
export function useAbout(about: ObjectShape, object: ObjectShape, id: string, { sort, limit }: Asked = {}) {
  const fields = ['about', 'people'].flatMap((key) => about.byKey.get(key) ?? [])
  const leading = fields.filter((field) => field.type === 'relation' && leadsTo(field, object.key))
  const filter = leading.map((field) => leadingTo(field, id)).join(' or ')
  const query = useInfiniteQuery({
    ...recordPagesQuery({ object: about.key, filter, sort, limit }),
    placeholderData: keepPreviousData,
  })
  return { query, filter, records: query.data?.pages.flatMap((page) => page.records) ?? [] }
}
