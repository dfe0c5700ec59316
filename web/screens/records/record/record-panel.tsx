import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { recordQuery } from '../../../records/records-api.ts'
import { useObject } from '../../../records/schema.ts'
import { Failure } from '../../../ui/failure.tsx'
import { useFocusBack } from '../../../ui/focus-back.ts'
import { rememberVisit } from '../../palette/visited.ts'
import { Gone, isGone } from './gone.tsx'
import css from './record.module.css'
import { RecordHeader } from './record-header.tsx'
import { RecordView } from './record-view.tsx'
import type { RecordTab } from './tabs.ts'

type Props = { object: string; id: string; onClose: () => void }

/** A record beside the list that one came from. Escape closes it and leads back there. */
export function RecordPanel({ object: key, id, onClose }: Props) {
  const object = useObject(key)
  const { data: record, error, refetch, isFetching } = useQuery(recordQuery(key, id))
  const [tab, setTab] = useState<RecordTab>('overview')
  if (!object) return null
  if (isGone(error))
    return (
      <Around onClose={onClose}>
        <Gone object={object} id={id} />
      </Around>
    )
  if (error && !record)
    return (
      <Around onClose={onClose}>
        <Failure error={error} onRetry={refetch} busy={isFetching} />
      </Around>
    )
  if (!record)
    return (
      <Around onClose={onClose}>
        <div role="status" aria-label="Loading the record">
          <Skeleton height={24} width="60%" mb={24} />
          <Skeleton height={220} />
        </div>
      </Around>
    )
  return (
    <Around onClose={onClose} visit={{ object: key, id, title: String(record.title) }}>
      <RecordView
        object={object}
        record={record}
        tab={tab}
        onTab={setTab}
        isSlim
        header={<RecordHeader object={object} record={record} onClose={onClose} />}
      />
    </Around>
  )
}

type AroundProps = { onClose: () => void; visit?: Parameters<typeof rememberVisit>[0]; children: ReactNode }

function Around({ onClose, visit, children }: AroundProps) {
  const box = useRef<HTMLDivElement>(null)
  const { title } = visit ?? {}
  useFocusBack()
  const hasTitle = title !== undefined
  useEffect(() => {
    if (hasTitle) box.current?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
  }, [hasTitle])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a visit is another one when its title is known
  useEffect(() => {
    if (visit) rememberVisit(visit)
  }, [title])
  const press = (event: KeyboardEvent) => {
    // Of what is drawn elsewhere in the page, such as an open menu, Escape means only that.
    const isInside = event.target instanceof Node && box.current?.contains(event.target)
    if (event.key !== 'Escape' || event.defaultPrevented || !isInside) return
    onClose()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the Escape that nothing inside took
    <div ref={box} className={css.beside} onKeyDown={press}>
      {children}
    </div>
  )
}
