import { memo } from 'react'
import { FilterBar } from '../../../records/filter/filter-bar.tsx'
import type { ObjectShape } from '../../../records/schema.ts'
import css from './list.module.css'
import type { ListState } from './use-list-state.ts'

export const Filter = memo(({ object, state }: { object: ObjectShape; state: ListState }) => (
  <div className={css.filter}>
    <FilterBar object={object.key} value={state.filter} onChange={(filter) => state.change({ filter })} />
  </div>
))
