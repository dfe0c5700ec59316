import {
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type CSSProperties, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { fitting, narrowest } from '../../../records/list-search.ts'
import type { RecordShape } from '../../../records/records-api.ts'
import { changed } from './column-order.ts'
import type { Shown } from './list-columns.ts'
import type { ListState } from './use-list-state.ts'

const features = tableFeatures({
  columnVisibilityFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnResizingFeature,
})
const noRows: RecordShape[] = []
const defaultColumn = { minSize: narrowest, maxSize: 1200 }
export const markWidth = 44

/** Widths and places of the columns, as styles of the grid: while one is made wider, no row is drawn again. */
export function useColumns(columns: Shown[], state: ListState) {
  const widths = useMemo(() => Object.fromEntries(columns.map(({ key, width }) => [key, width])), [columns])
  const [sizing, setSizing] = useState(widths)
  useEffect(() => setSizing(widths), [widths])
  const table = useTable({
    features,
    data: noRows,
    columns: useMemo(() => columns.map(({ key }) => ({ id: key, accessorFn: () => null })), [columns]),
    defaultColumn,
    columnResizeMode: 'onChange',
    state: {
      columnSizing: sizing,
      columnPinning: useMemo(
        () => ({ start: columns.filter(({ pinned }) => pinned).map(({ key }) => key), end: [] }),
        [columns],
      ),
    },
    onColumnSizingChange: setSizing,
  })
  const resizing = table.state.columnResizing.isResizingColumn
  const [was, setWas] = useState<string | false>(false)
  // The address learns of the new width when the mouse is let go.
  useEffect(() => {
    if (was && !resizing && sizing[was] !== undefined)
      state.change({ columns: changed(state.columns, was, { width: fitting(sizing[was]) }) })
    if (was !== resizing) setWas(resizing)
  }, [resizing, was, sizing, state])

  const style: Record<string, string> = {}
  for (const column of table.getVisibleLeafColumns()) {
    style[`--w-${column.id}`] = `${column.getSize()}px`
    if (column.getIsPinned()) style[`--l-${column.id}`] = `${markWidth + column.getStart('start')}px`
  }
  const headers = useRef(table.getHeaderGroups()[0]?.headers)
  headers.current = table.getHeaderGroups()[0]?.headers
  const resize = useCallback((key: string, event: unknown) => {
    headers.current?.find(({ column }) => column.id === key)?.getResizeHandler()(event)
  }, [])
  return {
    style: style as CSSProperties,
    width: markWidth + table.getTotalSize(),
    pinnedWidth: markWidth + table.getStartTotalSize(),
    isResizing: resizing !== false,
    resize,
  }
}
