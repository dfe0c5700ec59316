import { Skeleton } from '@mantine/core'
import { Navigate } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import type { ObjectShape } from '../../../records/schema.ts'
import css from './list.module.css'
import type { ListState } from './use-list-state.ts'

type PanelProps = { object: string; id: string; onClose: () => void }

// Written elsewhere; as long as it is not there, the record opens as a page.
const found = import.meta.glob<Record<string, ComponentType<PanelProps>>>('../record/record-panel.tsx')
const [load] = Object.values(found)
const RecordPanel = load && lazy(async () => ({ default: (await load()).RecordPanel! }))

/** A record beside its list; on a phone, a page of its own. */
export function OpenRecord({
  object,
  state,
  id,
  isNarrow,
}: {
  object: ObjectShape
  state: ListState
  id: string
  isNarrow: boolean
}) {
  if (!RecordPanel || isNarrow)
    return <Navigate to="/records/$object/$id" params={{ object: object.key, id }} replace />
  return (
    <aside className={css.beside} aria-label="Record">
      <Suspense fallback={<Skeleton height={24} m={24} width="60%" />}>
        <RecordPanel key={id} object={object.key} id={id} onClose={() => state.open(undefined)} />
      </Suspense>
    </aside>
  )
}
