// What the cache holds of records, changed in place wherever a record is shown. Every key begins with ['records', object].
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { isBuiltIn } from './built-in.ts'
import type { RecordPage, RecordShape, Titled } from './records-api.ts'
import { schemaQuery } from './schema.ts'

type Pages = InfiniteData<RecordPage, string | undefined>
type Entry = { record?: RecordShape }
type Timeline = InfiniteData<{ items: Entry[]; next_steps: Entry[] }>
type Change = (record: RecordShape) => RecordShape

export const recordKey = (object: string, id: string) => ['records', object, 'one', id] as const
export const pagesKey = (object: string) => ['records', object, 'pages'] as const
/** Among the changes, because it is about records of any object. */
export const timelineKey = ['changes', 'timeline'] as const
/** The figures of dashboards, which are about records of any object, too. */
export const dashboardsKey = ['dashboards', 'answer'] as const

/** Only answers that contain the record change; the others keep their identity and are not rendered again. */
export function changeInCache(client: QueryClient, object: string, id: string, change: Change) {
  client.setQueryData<RecordShape>(recordKey(object, id), (old) => old && change(old))
  const isThere = ({ records }: RecordPage) => records.some((one) => one.id === id)
  const changed = (page: RecordPage) =>
    isThere(page) ? { ...page, records: page.records.map((one) => (one.id === id ? change(one) : one)) } : page
  changePages(client, object, (pages) => (pages.some(isThere) ? pages.map(changed) : pages))
  changeTimelines(client, (entries) =>
    entries.some(({ record }) => record?.id === id)
      ? entries.map((entry) => (entry.record?.id === id ? { ...entry, record: change(entry.record) } : entry))
      : entries,
  )
}

/** Answers with a way to take it back. */
export function dropFromCache(client: QueryClient, object: string, ids: Set<string>) {
  const before = [pagesKey(object), timelineKey].flatMap((queryKey) => client.getQueriesData({ queryKey }))
  const kept = (page: RecordPage) => ({ ...page, records: page.records.filter(({ id }) => !ids.has(id)) })
  changePages(client, object, (pages) => pages.map(kept))
  changeTimelines(client, (entries) => entries.filter(({ record }) => !record || !ids.has(record.id)))
  return () => {
    for (const [key, data] of before) client.setQueryData(key, data)
  }
}

function changePages(client: QueryClient, object: string, change: (pages: RecordPage[]) => RecordPage[]) {
  client.setQueriesData<Pages>({ queryKey: pagesKey(object) }, (old) => old && { ...old, pages: change(old.pages) })
}

function changeTimelines(client: QueryClient, change: (entries: Entry[]) => Entry[]) {
  client.setQueriesData<Timeline>(
    { queryKey: timelineKey },
    (old) =>
      old && {
        ...old,
        pages: old.pages.map((page) => ({
          ...page,
          items: change(page.items),
          next_steps: change(page.next_steps),
        })),
      },
  )
}

/** The newest form of the record in the cache. */
export function cachedRecord(client: QueryClient, object: string, id: string): RecordShape | undefined {
  const alone = client.getQueryData<RecordShape>(recordKey(object, id))
  const all = [alone ?? [], ...listed(client, object, id), ...inTimelines(client, id)].flat()
  return all.sort((a, b) => b.version - a.version)[0]
}

const inTimelines = (client: QueryClient, id: string) =>
  client
    .getQueriesData<Timeline>({ queryKey: timelineKey })
    .flatMap(([, data]) => data?.pages ?? [])
    .flatMap(({ items, next_steps }) => [...items, ...next_steps])
    .flatMap(({ record }) => (record?.id === id ? record : []))

/** The whole record, as a list has it; lists that ask for some fields only do not count. */
export const listedRecord = (client: QueryClient, object: string, id: string): RecordShape | undefined =>
  listed(client, object, id, (question) => !question.fields || question.fields.includes('*'))[0]

type Asked = { fields?: string[] }
function listed(client: QueryClient, object: string, id: string, isMeant: (question: Asked) => boolean = () => true) {
  const lists = client.getQueriesData<Pages>({ queryKey: pagesKey(object) })
  const meant = lists.filter(([key]) => isMeant(key[3] as Asked))
  return meant.flatMap(([, data]) => data?.pages.flatMap(({ records }) => records.filter((one) => one.id === id)) ?? [])
}

/** Reloads what shows records of this object, or of any. What is on screen stays until the answer is there. */
export async function recordsChanged(client: QueryClient, object?: string) {
  void client.invalidateQueries({
    queryKey: ['record-titles'],
    predicate: ({ state }) => object === undefined || !state.data || (state.data as Titled).object === object,
  })
  void client.invalidateQueries({ queryKey: ['changes'] })
  dashboardsChangedSoon(client)
  // They are the last activity of the records that they are about.
  const shape = client.getQueryData(schemaQuery.queryKey)?.find(({ key }) => key === object)
  if (shape && isBuiltIn(shape, 'notes', 'activities', 'tasks'))
    void client.invalidateQueries({ queryKey: ['records'], predicate: ({ queryKey }) => queryKey[2] === 'one' })
  await client.invalidateQueries({ queryKey: object === undefined ? ['records'] : ['records', object] })
}

/** Changes come in bursts and include your own, so changes close together cause one reload. */
const gatherMs = 400
const gathering = new Map<string, ReturnType<typeof setTimeout>>()

export function recordsChangedSoon(client: QueryClient, object: string) {
  if (gathering.has(object)) return
  const reload = () => {
    if (isSaving(object)) return void gathering.set(object, setTimeout(reload, gatherMs))
    gathering.delete(object)
    void recordsChanged(client, object)
  }
  gathering.set(object, setTimeout(reload, gatherMs))
}

/** What is being saved, by object, and until when reloads wait for it. */
const saving = new Map<string, Set<{ until: number }>>()
/** A dialog may be open meanwhile. */
const mostWaitMs = 10_000
const isSaving = (object: string) => [...(saving.get(object) ?? [])].some(({ until }) => until > performance.now())

/** For changes that are on screen before they are saved: a reload in between would take them back for a while. */
export async function whileSaving<T>(object: string, save: () => Promise<T>): Promise<T> {
  const all = saving.get(object) ?? new Set()
  const own = { until: performance.now() + mostWaitMs }
  saving.set(object, all.add(own))
  try {
    return await save()
  } finally {
    all.delete(own)
  }
}

/** A dashboard asks much of the server: at most once in this time, and not again before the answer is there. */
const dashboardMs = 1000
let dashboardTimer: ReturnType<typeof setTimeout> | undefined

function dashboardsChangedSoon(client: QueryClient) {
  if (dashboardTimer !== undefined) return
  dashboardTimer = setTimeout(() => {
    dashboardTimer = undefined
    if (client.isFetching({ queryKey: dashboardsKey })) dashboardsChangedSoon(client)
    else void client.invalidateQueries({ queryKey: dashboardsKey })
  }, dashboardMs)
}

/** With ids in the place of related records: two values are the same if these are. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}
