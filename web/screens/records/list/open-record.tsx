import { Skeleton } from '@mantine/core'
import { Navigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { ObjectShape } from '../../../records/schema.ts'
import css from './list.module.css'
import type { ListState } from './use-list-state.ts'

const RecordPanel = lazy(async () => ({ default: (await import('../record/record-panel.tsx')).RecordPanel }))

type Props = { object: ObjectShape; state: ListState; id: string; isNarrow: boolean }

/** A record beside its list; on a phone, a page of its own. */
export function OpenRecord({ object, state, id, isNarrow }: Props) {
  if (isNarrow) return <Navigate to="/records/$object/$id" params={{ object: object.key, id }} replace />
  return (
    <aside className={css.beside} aria-label="Record">
      <Suspense fallback={<Skeleton height={24} m={24} width="60%" />}>
        <RecordPanel key={id} object={object.key} id={id} onClose={() => state.open(undefined)} />
      </Suspense>
    </aside>
  )
}
