import { queryClient } from '../../client/queries.ts'
import { knownUsersQuery } from '../../users/users.ts'
import { recordPagesQuery } from '../data/records-api.ts'
import { type ObjectShape, schemaQuery } from '../data/schema.ts'
import {
  askedFields,
  askedFilter,
  type Column,
  type ListSearch,
  lastList,
  readColumns,
  readSort,
  viewsQuery,
} from './list-search.ts'
import { navigationQuery, ordered } from './navigation.ts'

const mayRead = ({ rights }: ObjectShape) => rights.read !== 'none'

/** The first object of the sidebar. */
export async function firstList() {
  const [objects, navigation] = await Promise.all([
    queryClient.ensureQueryData(schemaQuery),
    queryClient.ensureQueryData(navigationQuery),
  ])
  const all = ordered(objects, navigation)
  const object = all.find(({ key }) => !navigation.hidden.includes(key)) ?? all[0]
  if (!object) return
  const search = lastList(object.key)
  // Its answers must not wait behind the scripts of the page.
  void askAhead(object.key, search)
  return { params: { object: object.key }, search }
}

/** What fails here is asked for again by the page, which says so. */
export const askAhead = (key: string, search: ListSearch) => ask(key, search).catch(() => {})

export async function ask(key: string, search: ListSearch) {
  void queryClient.prefetchQuery(knownUsersQuery)
  const object = (await queryClient.ensureQueryData(schemaQuery)).find((one) => one.key === key && mayRead(one))
  // Nothing of an object that does not exist.
  if (!object) return
  const views = queryClient.ensureQueryData(viewsQuery(key))
  const view = search.view === undefined ? undefined : (await views).find(({ id }) => id === search.view)
  const filter = askedFilter(search.filter ?? view?.filter ?? '', search.q)
  const sort = search.sort === undefined ? (view?.sort ?? []) : readSort(search.sort)
  const columns = search.columns === undefined ? ((view?.columns ?? []) as Column[]) : readColumns(search.columns)
  const fields = askedFields(columns.filter((column) => object.byKey.has(column.key)))
  void queryClient.prefetchInfiniteQuery(recordPagesQuery({ object: key, filter, sort, ...(fields && { fields }) }))
  await views
}
