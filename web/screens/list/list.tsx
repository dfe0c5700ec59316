import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import type { Question } from '../../records/data/records-api.ts'
import { type ObjectShape, useObject } from '../../records/data/schema.ts'
import { askedFields, type Column, type ListSearch } from '../../records/lists/list-search.ts'
import { shownColumns } from '../../records/lists/use-columns.ts'
import { type ListState, useListState } from '../../records/lists/use-list-state.ts'
import { useRows } from '../../records/lists/use-rows.ts'
import { useSelection } from '../../records/lists/use-selection.ts'
import { useArrival } from '../../ui/basics/keyboard.ts'
import { isFree, useKeys } from '../../ui/basics/keys.ts'
import { useIsPhone } from '../../ui/basics/screen.ts'
import { Missing } from '../../ui/basics/states.tsx'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { useBulk } from './bulk/use-bulk.ts'
import { Cards } from './grid/cards.tsx'
import { Grid } from './grid/grid.tsx'
import { useNumbers, withCalculations } from './grid/grid-foot.tsx'
import { groupedQuestion, useGrouping, useLines } from './grid/use-groups.ts'
import { ListFrame } from './tools/list-frame.tsx'
import { useMatchCount } from './tools/list-tools.tsx'
import { Nothing } from './tools/nothing.tsx'

type Props = { object: ObjectShape; state: ListState; isNarrow: boolean }

/** The rows of a list, with what can be done with many of them. */
function TablePage({ object, state, isNarrow }: Props) {
  const { asked: filter, sort } = state
  const asked = JSON.stringify([filter, sort])
  const [fromEnd, setFromEnd] = useState<string>()
  const backwards = fromEnd === asked
  const fields = useMemo(() => askedFields(known(object, state.columns)), [object, state.columns])
  const grouping = useGrouping(object, state)
  const columns = useMemo(
    () => withCalculations(object, shownColumns(object, state.columns), grouping !== undefined),
    [object, state.columns, grouping],
  )
  const { numbers, error: numbersError } = useNumbers(object, filter, columns, grouping?.text)
  const asksFor = JSON.stringify(groupedQuestion(grouping, state, numbers))
  const question: Question = useMemo(
    () => ({
      object: object.key,
      ...(JSON.parse(asksFor) as Pick<Question, 'filter' | 'sort'>),
      ...(fields && { fields }),
      ...(backwards && { backwards }),
    }),
    [object.key, asksFor, fields, backwards],
  )
  const rows = useRows(question)
  const lines = useLines(grouping, rows, state, numbers)
  const isAll = !grouping || !state.collapsed.length
  const matched = useMatchCount(
    { object: object.key, filter: filter || undefined },
    { ...rows, isWhole: rows.isWhole && isAll },
  )
  const total = isAll || !numbers ? matched : { count: Number(numbers.totals.count), isExact: true }
  const selection = useSelection(rows.rows, asked)
  const bulk = useBulk(object, filter, selection, rows.rows)
  const [isSelecting, setSelecting] = useState(false)
  const { clear } = selection
  const switchSelecting = useCallback(
    (next: boolean) => {
      setSelecting(next)
      if (!next) clear()
    },
    [clear],
  )
  useKeys({ ArrowDown: focusGrid })

  const end = () => setFromEnd(rows.isWhole ? fromEnd : asked)
  const home = () => setFromEnd(rows.isWhole ? fromEnd : undefined)
  const shown = { object, state, rows, columns, lines, numbers, count: total?.isExact ? total.count : undefined }
  const isEmpty = !rows.isLoading && !rows.isOld && rows.rows.length === 0 && rows.isWhole && !lines.count
  return (
    <ListFrame
      object={object}
      state={state}
      isNarrow={isNarrow}
      total={total}
      rows={rows.rows}
      isSelecting={isSelecting}
      onSelecting={switchSelecting}
      onExport={bulk.askToExport}
    >
      {isEmpty || (rows.error && !rows.rows.length) ? (
        <Nothing object={object} state={state} error={rows.error} onRetry={rows.retry} busy={rows.isFetching} />
      ) : isNarrow ? (
        <Cards {...shown} selection={isSelecting ? selection : undefined} />
      ) : (
        <Grid
          {...shown}
          numbersError={numbersError}
          selection={selection}
          question={`${asked} ${backwards}`}
          onEnd={end}
          onHome={home}
          onRemove={bulk.askToDelete}
        />
      )}
      <BulkBar object={object} selection={selection} total={total} bulk={bulk} isWhole={rows.isWhole} />
      {bulk.asked === 'export' && (
        <Suspense>
          <ExportDialog
            object={object}
            state={state}
            filter={selection.ids.size ? bulk.filter : filter}
            count={
              selection.ids.size && !selection.isAll ? selection.ids.size : total && total.count - selection.except.size
            }
            onClose={bulk.close}
          />
        </Suspense>
      )}
    </ListFrame>
  )
}

const known = (object: ObjectShape, columns: Column[]) => columns.filter(({ key }) => object.byKey.has(key))

/** From the heading, where one arrives, the arrow down leads into the grid. */
function focusGrid() {
  const grid = isFree() && document.querySelector<HTMLElement>('[role="grid"]')
  if (!grid) return false
  grid.focus()
}

function ListPage({ object, search }: { object: ObjectShape; search: ListSearch }) {
  useArrival()
  const state = useListState(object, search)
  const isNarrow = useIsPhone()
  useEffect(() => void Promise.all([board(), calendar(), exporting()]).catch(() => {}), [])
  const Page = pages[state.type]
  return <Page object={object} state={state} isNarrow={isNarrow} />
}

/** Tables come first. The rest is on its way before anyone can ask for it. */
const exporting = () => import('./tools/export-dialog.tsx').then(({ ExportDialog }) => ({ default: ExportDialog }))
const ExportDialog = lazy(exporting)
const board = () => import('./board/board.tsx').then(({ BoardPage }) => ({ default: BoardPage }))
const calendar = () => import('./calendar/calendar.tsx').then(({ CalendarPage }) => ({ default: CalendarPage }))
const pages = { table: TablePage, board: lazy(board), calendar: lazy(calendar) }

const route = getRouteApi('/frame/records/$object')

/** The list of one object. */
export function RecordList() {
  const { object: key } = route.useParams()
  const search = route.useSearch()
  const object = useObject(key)
  if (!object || object.rights.read === 'none') return <Missing what="kind of record" back="/records" />
  return <ListPage key={object.key} object={object} search={search} />
}
