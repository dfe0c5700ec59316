import { type InfiniteData, type Query, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { rememberVisit } from '../../records/data/kept.ts'
import { pagesKey } from '../../records/data/record-cache.ts'
import {
  isRecordId,
  type RecordPage as PageOfRecords,
  type Question,
  type RecordShape,
  recordQuery,
} from '../../records/data/records-api.ts'
import { type ObjectShape, useObject } from '../../records/data/schema.ts'
import { Offline } from '../../records/forms/offline.tsx'
import { wayBack } from '../../records/lists/list-search.ts'
import { useArrival } from '../../ui/basics/keyboard.ts'
import { useKeys } from '../../ui/basics/keys.ts'
import { isMissing, Loaded } from '../../ui/basics/loaded.tsx'
import { say } from '../../ui/basics/notices.tsx'
import { Page } from '../../ui/basics/page.tsx'
import { useIsUpTo } from '../../ui/basics/screen.ts'
import { Missing, PageSkeleton } from '../../ui/basics/states.tsx'
import { Gone } from './gone.tsx'
import css from './record.module.css'
import type { Steps } from './record-panel.tsx'
import { RecordView } from './record-view.tsx'
import { type RecordSearch, readRecordSearch } from './tabs.ts'

const route = getRouteApi('/frame/records/$object/$id')

/** /records/:object/:id */
export function RecordPage() {
  const { object: key, id } = route.useParams()
  const object = useObject(key)
  if (!object || object.rights.read === 'none') return <Missing what="kind of record" back="/records" />
  if (!isRecordId(id)) return <Missing what="record" back="/records" />
  return <OfObject key={id} object={object} id={id} />
}

function OfObject({ object, id }: { object: ObjectShape; id: string }) {
  const query = useQuery(recordQuery(object.key, id))
  if (isMissing(query.error))
    return (
      <Page title="Not found">
        <Gone object={object} id={id} />
      </Page>
    )
  return (
    <Loaded
      query={query}
      waiting={<PageSkeleton />}
      failed={(failure) => <Page title="Something went wrong">{failure}</Page>}
    >
      {(record) =>
        record.id === id ? <Found object={object} record={record} /> : <Merged object={object} record={record} />
      }
    </Loaded>
  )
}

type FoundProps = { object: ObjectShape; record: RecordShape }

function Found({ object, record }: FoundProps) {
  const search = route.useSearch()
  const navigate = useNavigate()
  const isNarrow = useIsUpTo('laptop')
  useArrival()
  const title = String(record.title)
  useEffect(() => rememberVisit({ object: object.key, id: record.id, title }), [object.key, record.id, title])
  const go = (id: string, search: RecordSearch, replace: boolean) =>
    void navigate({
      to: '/records/$object/$id',
      params: { object: object.key, id },
      search: readRecordSearch(search),
      replace,
      resetScroll: !replace,
    })
  const { previous, next } = useNeighbours(object.key, record.id)
  const step = (id: string | undefined) => id && (() => go(id, search, false))
  const steps: Steps = { onPrevious: step(previous) || undefined, onNext: step(next) || undefined }
  useKeys({ 'Alt+ArrowUp': steps.onPrevious, 'Alt+ArrowDown': steps.onNext })
  return (
    <>
      <title>{`${title} · Kith`}</title>
      <Offline />
      <div className={css.page}>
        <RecordView
          object={object}
          record={record}
          search={search}
          onSearch={(search) => go(record.id, search, true)}
          isSlim={isNarrow}
          steps={steps}
        />
      </div>
    </>
  )
}

/** The address is that of a record that was merged into this one. */
function Merged({ object, record }: FoundProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const search = route.useSearch()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the address that was opened
  useEffect(() => {
    const { merged_from: _, ...kept } = record
    client.setQueryData(recordQuery(object.key, record.id).queryKey, kept)
    say('Merged into this record')
    void navigate({ to: '/records/$object/$id', params: { object: object.key, id: record.id }, search, replace: true })
  }, [record.id])
  return <PageSkeleton />
}

/** The records before and after this one in the list that one came from, else in any other, as far as that is loaded. */
function useNeighbours(object: string, id: string) {
  const client = useQueryClient()
  const lists = client.getQueryCache().findAll({ queryKey: pagesKey(object) })
  const { asked, sort } = wayBack(object)
  const isWayBack = ({ queryKey: [, , , question] }: Query) => {
    const { filter = '', sort: by = [] } = question as Question
    return Number(filter === asked && String(by) === String(sort))
  }
  const rows = lists
    .filter(({ queryKey }) => (queryKey[3] as Question).limit === undefined)
    .sort((a, b) => isWayBack(b) - isWayBack(a) || b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .map(({ state }) =>
      ((state.data as InfiniteData<PageOfRecords> | undefined)?.pages ?? []).flatMap((page) => page.records),
    )
    .find((records) => records.some((one) => one.id === id))
  const place = rows?.findIndex((one) => one.id === id) ?? -1
  return { previous: rows?.[place - 1]?.id, next: rows?.[place + 1]?.id }
}
