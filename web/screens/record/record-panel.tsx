import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { rememberVisit } from '../../records/data/kept.ts'
import { recordQuery } from '../../records/data/records-api.ts'
import { useObject } from '../../records/data/schema.ts'
import { useFocusBack } from '../../ui/basics/keyboard.ts'
import { isMissing, Loaded } from '../../ui/basics/loaded.tsx'
import { Gone } from './gone.tsx'
import css from './record.module.css'
import { RecordView } from './record-view.tsx'
import type { RecordSearch } from './tabs.ts'

export type Steps = {
  /** Beside a list. Left out on the page of the record. */
  onClose?: (() => void) | undefined
  /** To its neighbours in the list; left out where there is none. */
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}
type Props = Steps & { object: string; id: string; onClose: () => void }

/** A record beside the list that one came from. Escape closes it and leads back there; Alt and an arrow go to its neighbours. */
export function RecordPanel({ object: key, id, ...steps }: Props) {
  const object = useObject(key)
  const query = useQuery(recordQuery(key, id))
  const [search, setSearch] = useState<RecordSearch>({})
  if (!object) return null
  const merged = query.data && query.data.id !== id ? query.data.id : undefined
  if (merged) return <RecordPanel object={key} id={merged} {...steps} />
  if (isMissing(query.error))
    return (
      <Around {...steps}>
        <Gone object={object} id={id} />
      </Around>
    )
  return (
    <Loaded
      query={query}
      waiting={
        <Around {...steps}>
          <div role="status" aria-label="Loading the record">
            <Skeleton height={24} width="60%" mb={24} />
            <Skeleton height={220} />
          </div>
        </Around>
      }
      failed={(failure) => <Around {...steps}>{failure}</Around>}
    >
      {(record) => (
        <Around {...steps} visit={{ object: key, id, title: String(record.title) }}>
          <RecordView
            key={id}
            object={object}
            record={record}
            search={search}
            onSearch={setSearch}
            isSlim
            steps={steps}
          />
        </Around>
      )}
    </Loaded>
  )
}

type AroundProps = Steps & { visit?: Parameters<typeof rememberVisit>[0]; children: ReactNode }

function Around({ onClose, onPrevious, onNext, visit, children }: AroundProps) {
  const box = useRef<HTMLDivElement>(null)
  const { id, title } = visit ?? {}
  useFocusBack()
  useEffect(() => {
    if (id) box.current?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
  }, [id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a visit is another one when its title is known
  useEffect(() => {
    if (visit) rememberVisit(visit)
  }, [id, title])
  const press = (event: KeyboardEvent) => {
    // Of what is drawn elsewhere in the page, such as an open menu, Escape means only that.
    const isInside = event.target instanceof Node && box.current?.contains(event.target)
    if (event.defaultPrevented || !isInside) return
    if (event.key === 'Escape') return onClose?.()
    const step = event.altKey ? { ArrowUp: onPrevious, ArrowDown: onNext }[event.key] : undefined
    if (!step) return
    event.preventDefault()
    step()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the keys that nothing inside took
    <div ref={box} className={css.beside} onKeyDown={press}>
      {children}
    </div>
  )
}
