// What the cache holds of records, changed in place wherever a record is shown.
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { RecordPage, RecordShape } from './records-api.ts'

type Pages = InfiniteData<RecordPage, string | undefined>
type Change = (record: RecordShape) => RecordShape

/** Pages that come one after the other, and the rows of a list, which fetches only what is in sight again. */
const pageKeys = (object: string) => [
  ['records', object, 'pages'],
  ['record-rows', object],
]
const recordKey = (object: string, id: string) => ['records', object, 'one', id]

/** One object of all answers that hold the record; the others keep their identity, so that they are not drawn again. */
export function changeInCache(client: QueryClient, object: string, ids: Set<string>, change: Change) {
  for (const id of ids) {
    client.setQueryData<RecordShape>(recordKey(object, id), (old) => old && change(old))
  }
  changePages(client, object, (old) => {
    if (!old.pages.some((page) => page.records.some(({ id }) => ids.has(id)))) return old
    return { ...old, pages: old.pages.map((page) => changedPage(page, ids, change)) }
  })
}

function changePages(client: QueryClient, object: string, change: (pages: Pages) => Pages) {
  for (const queryKey of pageKeys(object)) client.setQueriesData<Pages>({ queryKey }, (old) => old && change(old))
}

function changedPage(page: RecordPage, ids: Set<string>, change: Change): RecordPage {
  if (!page.records.some(({ id }) => ids.has(id))) return page
  return { ...page, records: page.records.map((record) => (ids.has(record.id) ? change(record) : record)) }
}

export function dropFromCache(client: QueryClient, object: string, ids: Set<string>) {
  const kept = (page: RecordPage) => ({ ...page, records: page.records.filter(({ id }) => !ids.has(id)) })
  changePages(client, object, (old) => ({ ...old, pages: old.pages.map(kept) }))
}

/** The record as some answer in the cache has it. */
export function cachedRecord(client: QueryClient, object: string, id: string): RecordShape | undefined {
  const alone = client.getQueryData<RecordShape>(recordKey(object, id))
  const lists = pageKeys(object).flatMap((queryKey) => client.getQueriesData<Pages>({ queryKey }))
  const listed = lists.flatMap(([, data]) =>
    data?.pages.flatMap(({ records }) => records.filter((one) => one.id === id)),
  )
  const all = [alone, ...listed].filter((one) => one !== undefined)
  return all.sort((a, b) => b.version - a.version)[0]
}

/** The whole record, as a list has it; related ones are held only in part. */
export function listedRecord(client: QueryClient, object: string, id: string): RecordShape | undefined {
  const lists = client.getQueriesData<Pages>({ queryKey: ['record-rows', object] })
  return lists.flatMap(([, data]) => data?.pages.flatMap(({ records }) => records) ?? []).find((one) => one.id === id)
}

/** Asks again behind the scenes: what is on screen stays until the answer is there. */
export async function recordsChanged(client: QueryClient, object: string) {
  void client.invalidateQueries({ queryKey: ['record-titles'] })
  void client.invalidateQueries({ queryKey: ['changes'] })
  tellOfChange(object)
  await client.invalidateQueries({ queryKey: ['records', object] })
}

const changes = new EventTarget()
const heardAt = new Map<string, number>()
function tellOfChange(object: string) {
  heardAt.set(object, Date.now())
  changes.dispatchEvent(new CustomEvent('change', { detail: object }))
}
/** After a while without news: anything may have changed. */
export const anythingMayHaveChanged = () => tellOfChange('*')

/** What was fetched before this moment may be out of date. */
export const lastChangeOf = (object: string) => Math.max(heardAt.get(object) ?? 0, heardAt.get('*') ?? 0)

/** For lists that fetch again only what is in sight. */
export function onRecordsChanged(object: string, act: () => void) {
  const hear = (event: Event) => {
    const { detail } = event as CustomEvent<string>
    if (detail === object || detail === '*') act()
  }
  changes.addEventListener('change', hear)
  return () => changes.removeEventListener('change', hear)
}
