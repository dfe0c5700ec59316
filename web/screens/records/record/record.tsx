import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { rememberVisit } from '../../../records/kept.ts'
import { Offline } from '../../../records/offline.tsx'
import { isRecordId, type RecordShape, recordQuery } from '../../../records/records-api.ts'
import { type ObjectShape, useObject } from '../../../records/schema.ts'
import { useArrival } from '../../../ui/keyboard.ts'
import { isMissing, Loaded } from '../../../ui/loaded.tsx'
import { Page } from '../../../ui/page.tsx'
import { Missing, PageSkeleton } from '../../../ui/states.tsx'
import { Gone } from './gone.tsx'
import css from './record.module.css'
import { RecordHeader } from './record-header.tsx'
import { RecordView } from './record-view.tsx'
import type { RecordTab } from './tabs.ts'

/** /records/:object/:id */
export function RecordPage() {
  const { object: key, id } = useParams({ strict: false }) as { object: string; id: string }
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
      {(record) => <Found object={object} record={record} />}
    </Loaded>
  )
}

type FoundProps = { object: ObjectShape; record: RecordShape }

function Found({ object, record }: FoundProps) {
  const { tab = 'overview' } = useSearch({ strict: false }) as { tab?: RecordTab }
  const navigate = useNavigate()
  const isNarrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false })
  useArrival()
  const title = String(record.title)
  useEffect(() => rememberVisit({ object: object.key, id: record.id, title }), [object.key, record.id, title])
  const go = (next: RecordTab) =>
    void navigate({
      to: '/records/$object/$id',
      params: { object: object.key, id: record.id },
      search: next === 'overview' ? {} : { tab: next },
      replace: true,
      resetScroll: false,
    })
  return (
    <>
      <title>{`${title} · Kith`}</title>
      <Offline />
      <div className={css.page}>
        <RecordView
          object={object}
          record={record}
          tab={tab}
          onTab={go}
          isSlim={isNarrow}
          header={<RecordHeader object={object} record={record} />}
        />
      </div>
    </>
  )
}
