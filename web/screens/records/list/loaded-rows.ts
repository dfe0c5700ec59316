// The rows of a list that have come so far, page after page. Only what is in sight is ever fetched again.
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { pageSize, type Question, type RecordPage } from '../../../records/records-api.ts'

/** `cursor`: where it begins. `at`: when it was fetched. */
export type LoadedPage = RecordPage & { cursor: string | undefined; at: number }
export type Loaded = { pages: LoadedPage[] }

export const rowsKey = ({ object, filter, sort, backwards }: Question) =>
  ['record-rows', object, { filter, sort, backwards }] as const

/** Asked for once, even when it is wanted before there is a list to show it. */
export const firstRows = (question: Question) =>
  queryOptions({
    queryKey: rowsKey(question),
    queryFn: async (): Promise<Loaded> => append(undefined, await fetchPage(question)),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
  })

export async function fetchPage({ object, filter, sort, backwards }: Question, cursor?: string) {
  const at = Date.now()
  const page = await api.listRecords({
    object,
    filter: filter || undefined,
    sort: sort?.length ? sort : undefined,
    backwards,
    limit: pageSize,
    cursor,
  })
  return { ...page, cursor, at }
}

export const countOf = ({ pages }: Loaded) => pages.reduce((sum, { records }) => sum + records.length, 0)

export const append = (loaded: Loaded | undefined, page: LoadedPage): Loaded => {
  const known = new Set(loaded?.pages.flatMap(({ records }) => records.map(({ id }) => id)))
  // A record whose value changed meanwhile may come a second time, further down.
  const records = page.records.filter(({ id }) => !known.has(id))
  return { pages: [...(loaded?.pages ?? []), { ...page, records }] }
}

/** New pages in the place of old ones. Where they end elsewhere, the rest is fetched anew when one gets there. */
export function replaced({ pages }: Loaded, from: number, fresh: LoadedPage[]): Loaded {
  const last = pages[from + fresh.length - 1]
  const endsSame = last?.records.at(-1)?.id === fresh.at(-1)?.records.at(-1)?.id && last?.next_cursor !== null
  const before = pages.slice(0, from)
  const after = endsSame ? pages.slice(from + fresh.length) : []
  const known = new Set(fresh.flatMap(({ records }) => records.map(({ id }) => id)))
  const rest = (page: LoadedPage) => ({ ...page, records: page.records.filter(({ id }) => !known.has(id)) })
  return { pages: [...before.map(rest), ...fresh, ...after.map(rest)] }
}
