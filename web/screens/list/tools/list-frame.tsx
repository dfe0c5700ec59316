import { VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useMemo } from 'react'
import type { RecordShape } from '../../../records/data/records-api.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { counted } from '../../../records/data/value-text.ts'
import { FilterBar } from '../../../records/filter/filter-bar.tsx'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { Columns } from '../../../ui/page/columns.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import css from './list.module.css'
import { ListTools } from './list-tools.tsx'
import { OpenRecord } from './nothing.tsx'
import { NewButton, ObjectTitle } from './object-title.tsx'
import { PhoneTools } from './phone-tools.tsx'
import { quickFilters } from './quick-filters.ts'
import { SearchBox } from './search-box.tsx'
import { SharedValues } from './shared-values.tsx'
import { BrokenView, Unshared, ViewBar } from './view-bar.tsx'

type Total = { count: number; isExact: boolean } | undefined
type Props = {
  object: ObjectShape
  state: ListState
  isNarrow: boolean
  total: Total
  /** In their order, for the record that is open beside. */
  rows: RecordShape[]
  /** Left out: nothing can be selected or exported here. */
  isSelecting?: boolean
  onSelecting?: (isSelecting: boolean) => void
  onExport?: () => void
  children: ReactNode
}

/** What surrounds a table, a board or a calendar: heading, views, search, filter, and the record that is open beside. */
export function ListFrame({ object, state, isNarrow, total, rows, children, ...tools }: Props) {
  const quick = useMemo(() => quickFilters(object), [object])
  const name = state.view?.name ?? object.label_plural
  return (
    <Columns className={css.page ?? ''}>
      <title>{`${name} · Kith`}</title>
      <div className={css.list}>
        <header className={css.header}>
          <ObjectTitle object={object} />
          <p className={css.count}>
            {total && `${asNumber(total.count)}${total.isExact ? '' : '+'}`}
            <VisuallyHidden component="span"> {total?.count === 1 ? 'record' : 'records'} match</VisuallyHidden>
          </p>
          <SpokenCount of={object} total={total} />
          {!isNarrow && <ViewBar object={object} state={state} />}
          <div className={css.actions}>{object.rights.create && <NewButton object={object} />}</div>
        </header>
        <div className={css.toolbar}>
          <SearchBox object={object} state={state} />
          {isNarrow ? (
            <PhoneTools object={object} state={state} total={total} />
          ) : (
            <div className={css.filter}>
              <FilterBar
                object={object.key}
                value={state.filter}
                quick={quick}
                onChange={(filter) => state.change({ filter })}
              />
            </div>
          )}
          <ListTools object={object} state={state} isNarrow={isNarrow} {...tools} />
        </div>
        {state.isUnshared && <Unshared object={object} state={state} />}
        <BrokenView state={state} />
        <SharedValues object={object} />
        {children}
      </div>
      {state.record !== undefined && (
        <OpenRecord object={object} state={state} rows={rows} isNarrow={isNarrow} id={state.record} />
      )}
    </Columns>
  )
}

/** Said once the number has settled: not for every letter of a filter. */
function SpokenCount({ of: object, total }: { of: ObjectShape; total: Total }) {
  const text = total ? `${total.isExact ? '' : 'More than '}${counted(total.count, object)} found` : ''
  const [settled] = useDebouncedValue(text, 1000)
  return <VisuallyHidden role="status">{settled}</VisuallyHidden>
}
