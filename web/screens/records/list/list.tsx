import { VisuallyHidden } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { FilterBar } from '../../../records/filter/filter-bar.tsx'
import { askedFields, type Column, type ListSearch } from '../../../records/list-search.ts'
import type { Question } from '../../../records/records-api.ts'
import { type ObjectShape, useObject } from '../../../records/schema.ts'
import { counted } from '../../../records/value-text.ts'
import { Columns } from '../../../ui/columns.tsx'
import { useArrival } from '../../../ui/keyboard.ts'
import { asNumber } from '../../../ui/numbers.ts'
import { Missing } from '../../../ui/states.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { Cards } from './cards.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { Grid } from './grid.tsx'
import css from './list.module.css'
import { ListTools, useMatchCount } from './list-tools.tsx'
import { Nothing, OpenRecord } from './nothing.tsx'
import { NewButton, ObjectTitle } from './object-title.tsx'
import { PhoneTools } from './phone-tools.tsx'
import { quickFilters } from './quick-filters.ts'
import { SearchBox } from './search-box.tsx'
import { useBulk } from './use-bulk.ts'
import { useListState } from './use-list-state.ts'
import { useRows } from './use-rows.ts'
import { useSelection } from './use-selection.ts'
import { BrokenView, Unshared, ViewBar } from './view-bar.tsx'

type Props = { object: ObjectShape; search: ListSearch }

function ListPage({ object, search }: Props) {
  useArrival()
  const state = useListState(object, search)
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const { asked: filter, sort } = state
  const asked = JSON.stringify([filter, sort])
  const [fromEnd, setFromEnd] = useState<string>()
  const backwards = fromEnd === asked
  const fields = useMemo(() => askedFields(known(object, state.columns)), [object, state.columns])
  const question: Question = useMemo(
    () => ({ object: object.key, filter, sort, ...(fields && { fields }), ...(backwards && { backwards }) }),
    [object.key, filter, sort, fields, backwards],
  )
  const rows = useRows(question)
  const quick = useMemo(() => quickFilters(object), [object])
  const total = useMatchCount({ object: object.key, filter: filter || undefined }, rows)
  const selection = useSelection(rows.rows, asked)
  const bulk = useBulk(object, filter, selection, rows.rows)
  const { askToExport } = bulk
  const [isSelecting, setSelecting] = useState(false)
  const { clear } = selection
  const switchSelecting = useCallback(
    (next: boolean) => {
      setSelecting(next)
      if (!next) clear()
    },
    [clear],
  )
  useEffect(focusGridByArrow, [])

  const end = () => setFromEnd(rows.isWhole ? fromEnd : asked)
  const home = () => setFromEnd(rows.isWhole ? fromEnd : undefined)
  const isEmpty = !rows.isLoading && !rows.isOld && rows.rows.length === 0 && rows.isWhole
  const name = state.view?.name ?? object.label_plural
  return (
    <Columns className={css.page ?? ''}>
      <title>{`${name} · Kith`}</title>
      <div className={css.list}>
        <header className={css.header}>
          <ObjectTitle object={object} />
          <p className={css.count}>
            {total && `${asNumber(total.count)}${total.isExact ? '' : '+'}`}
            <span className={css.unseen}> {total?.count === 1 ? 'record' : 'records'} match</span>
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
          <ListTools
            object={object}
            state={state}
            isNarrow={isNarrow}
            isSelecting={isSelecting}
            onSelecting={switchSelecting}
            onExport={askToExport}
          />
        </div>
        {state.isUnshared && <Unshared object={object} state={state} />}
        <BrokenView state={state} />
        {isEmpty || (rows.error && !rows.rows.length) ? (
          <Nothing object={object} state={state} error={rows.error} onRetry={rows.retry} busy={rows.isFetching} />
        ) : isNarrow ? (
          <Cards object={object} state={state} rows={rows} selection={isSelecting ? selection : undefined} />
        ) : (
          <Grid
            object={object}
            state={state}
            rows={rows}
            count={total?.isExact ? total.count : undefined}
            selection={selection}
            question={`${asked} ${backwards}`}
            onEnd={end}
            onHome={home}
            onRemove={bulk.askToDelete}
          />
        )}
        <BulkBar object={object} selection={selection} total={total} bulk={bulk} isWhole={rows.isWhole} />
        {bulk.asked === 'export' && (
          <ExportDialog
            object={object}
            state={state}
            filter={selection.ids.size ? bulk.filter : filter}
            count={
              selection.ids.size && !selection.isAll ? selection.ids.size : total && total.count - selection.except.size
            }
            onClose={bulk.close}
          />
        )}
      </div>
      {state.record !== undefined && (
        <OpenRecord object={object} state={state} rows={rows.rows} isNarrow={isNarrow} id={state.record} />
      )}
    </Columns>
  )
}

const known = (object: ObjectShape, columns: Column[]) => columns.filter(({ key }) => object.byKey.has(key))

type SpokenCountProps = { of: ObjectShape; total: { count: number; isExact: boolean } | undefined }

/** Said once the number has settled: not for every letter of a filter. */
function SpokenCount({ of: object, total }: SpokenCountProps) {
  const text = total ? `${total.isExact ? '' : 'More than '}${counted(total.count, object)} found` : ''
  const [settled] = useDebouncedValue(text, 1000)
  return <VisuallyHidden role="status">{settled}</VisuallyHidden>
}

/** From the heading, where one arrives, the arrow down leads into the grid. */
function focusGridByArrow() {
  const press = (event: KeyboardEvent) => {
    const isFree = document.activeElement === document.body || document.activeElement?.matches('h1')
    if (event.key !== 'ArrowDown' || !isFree || event.defaultPrevented) return
    const grid = document.querySelector<HTMLElement>('[role="grid"]')
    if (!grid) return
    event.preventDefault()
    grid.focus()
  }
  window.addEventListener('keydown', press)
  return () => window.removeEventListener('keydown', press)
}

/** The list of one object. */
export function RecordList() {
  const { object: key } = useParams({ strict: false }) as { object: string }
  const search = useSearch({ strict: false }) as ListSearch
  const object = useObject(key)
  if (!object || object.rights.read === 'none') return <Missing what="kind of record" back="/records" />
  return <ListPage key={object.key} object={object} search={search} />
}
