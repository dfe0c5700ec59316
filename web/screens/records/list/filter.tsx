import { memo } from 'react'
import { FilterBar } from '../../../records/filter/filter-bar.tsx'
import type { ObjectShape } from '../../../records/schema.ts'
import css from './list.module.css'
import type { ListState } from './use-list-state.ts'

type Props = { object: ObjectShape; state: ListState }

/** The bar shows a change at once; the address, and what comes of it, follow by themselves. */
export const Filter = memo(({ object, state }: Props) => (
  <div className={css.filter}>
    <FilterBar
      object={object.key}
      value={state.filter}
      onChange={(filter) => void setTimeout(() => state.change({ filter }))}
    />
  </div>
))
