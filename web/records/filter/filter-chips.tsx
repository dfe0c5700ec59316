import { type CheckedFilter, everything, print, type Scope } from '../../../contract/filter/index.ts'
import css from './filter-bar.module.css'
import { Chips } from './group.tsx'
import { allOf, grouped } from './tree-edits.ts'

type Props = { scope: Scope; filter: CheckedFilter; onChange: (text: string) => void; onText: () => void }

export const FilterChips = ({ scope, filter, onChange, onText }: Props) => (
  <div className={css.chips} data-chips>
    <Chips
      scope={scope}
      group={allOf(filter)}
      addLabel="Filter"
      onText={onText}
      onChange={(joiner, filters) => onChange(print(filters.length ? grouped(joiner, filters) : everything))}
    />
  </div>
)
