import {
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type CSSProperties, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Column, fitting, narrowest } from '../../../records/list-search.ts'
import type { RecordShape } from '../../../records/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/schema.ts'
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

const mostAtFirst = 9
const rarelyRead = new Set(['long_text'])
const widths: Partial<Record<FieldShape['type'], number>> = {
  boolean: 110,
  number: 110,
  money: 140,
  date: 130,
  // As long as "Nov 21, 2026, 11:00 AM".
  datetime: 200,
  select: 140,
  email: 220,
  multi_select: 200,
  relation: 190,
  long_text: 280,
}
const titleWidth = 260
const usualWidth = 160

export const widthOf = ({ key, type }: FieldShape) => (key === 'title' ? titleWidth : (widths[type] ?? usualWidth))

/** What a list can show. A name that is the title by itself shows as the title, not twice. */
export const choicesOf = (object: ObjectShape) =>
  object.columns.filter(({ key }) => key === 'title' || key !== object.titleField?.key)

/** The field that is edited in a column: of a title, the one that it is. */
export const editedIn = (object: ObjectShape, field: FieldShape): FieldShape | undefined => {
  const edited = field.key === 'title' ? object.titleField : field
  return edited && !edited.is_read_only ? edited : undefined
}

/** A title that is a field of its own shows what was written, at once. */
export const valueIn = (object: ObjectShape, field: FieldShape, record: Record<string, unknown>) =>
  (field.key === 'title' && object.titleField && record[object.titleField.key]) || record[field.key]

const partsOfTitle = new Set(['first_name', 'last_name'])

export function usualColumns(object: ObjectShape): Column[] {
  const isPerson = object.byKey.has('first_name') && object.byKey.has('last_name')
  const own = choicesOf(object).filter(
    ({ key, type, is_system }) =>
      key !== 'title' && !is_system && !rarelyRead.has(type) && !(isPerson && partsOfTitle.has(key)),
  )
  const shown = own.slice(0, mostAtFirst).map(({ key }) => ({ key }))
  return [{ key: 'title', pinned: true }, ...shown, { key: 'owner' }, { key: 'created_at' }]
}

const unsortable = new Set<FieldShape['type']>(['multi_select', 'relation', 'long_text'])
export const canSort = ({ type, is_multi }: FieldShape) => !is_multi && !unsortable.has(type)

export type Shown = Column & { field: FieldShape; width: number }

/** The columns of which the object has a field, pinned ones first; the title is always there. */
export function shownColumns(object: ObjectShape, columns: Column[]): Shown[] {
  const known = columns.flatMap((column) => {
    const field = object.byKey.get(column.key)
    return field ? [{ ...column, field, width: column.width ?? widthOf(field) }] : []
  })
  const title = object.byKey.get('title')!
  const all = known.some(({ key }) => key === 'title')
    ? known
    : [{ key: 'title', pinned: true, field: title, width: titleWidth }, ...known]
  return [...all.filter(({ pinned }) => pinned), ...all.filter(({ pinned }) => !pinned)]
}

/** Where a column's cells stand. */
export const placeOf = (key: string, pinned: boolean | undefined) =>
  ({ width: `var(--w-${key})`, ...(pinned && { '--left': `var(--l-${key})` }) }) as CSSProperties

export const changed = (columns: Column[], key: string, patch: Partial<Column>): Column[] =>
  columns.map((column) => (column.key === key ? { ...column, ...patch } : column))
