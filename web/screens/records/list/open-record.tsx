import { Skeleton } from '@mantine/core'
import { Navigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { RecordShape } from '../../../records/records-api.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { RecordPanel } from '../record/panel.ts'
import css from './list.module.css'
import type { ListState } from './use-list-state.ts'

type Props = { object: ObjectShape; state: ListState; rows: RecordShape[]; id: string; isNarrow: boolean }

/** A record beside its list; on a phone, a page of its own. */
export function OpenRecord({ object, state, rows, id, isNarrow }: Props) {
  if (isNarrow) return <Navigate to="/records/$object/$id" params={{ object: object.key, id }} replace />
  const place = rows.findIndex((one) => one.id === id)
  const goTo = (row: number) => {
    const next = place < 0 ? undefined : rows[row]
    return next && (() => state.open(next.id))
  }
  return (
    <aside className={css.beside} aria-label="Record">
      <Suspense fallback={<Skeleton height={24} m={24} width="60%" />}>
        <RecordPanel
          object={object.key}
          id={id}
          onPrevious={goTo(place - 1)}
          onNext={goTo(place + 1)}
          onClose={() => state.open(undefined)}
        />
      </Suspense>
    </aside>
  )
}
