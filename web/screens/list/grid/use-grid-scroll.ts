import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { RecordShape } from '../../../records/data/records-api.ts'
import type { Rows } from '../../../records/lists/use-rows.ts'
import type { Lines } from './use-groups.ts'

type Settings = {
  scroller: RefObject<HTMLElement | null>
  rows: Rows
  lines: Lines
  active: Active
  /** The row whose editor is open. */
  edited: number | undefined
  rowHeight: number
  headHeight: number
  footHeight: number
  question: string
}

const beyondSight = 8
const onTheirWay = 12
const firstOnTheirWay = 30

/** Which rows are rendered, with places for those that are on their way, and what scrolling does. */
export function useGridScroll(settings: Settings) {
  const { scroller, rows, lines, active, edited, rowHeight, headHeight, footHeight, question } = settings
  const coming = rows.isWhole ? 0 : rows.isLoading ? firstOnTheirWay : rows.error ? 1 : onTheirWay
  const [before, after] = rows.isFromEnd ? [coming, 0] : [0, coming]
  const { isFromEnd, isOld } = rows
  const onScroll = useAnchor({
    scroller,
    rows: rows.rows,
    lines,
    indexOf: active.indexOf,
    before,
    rowHeight,
    question,
    isFromEnd,
    isOld,
  })

  // The cells that the keys act on, and the one being edited, stay in the page wherever one scrolls.
  const kept = [active.row, edited].flatMap((row) =>
    row === undefined || row < 0 || !rows.rows.length ? [] : [lines.lineOf(row) + before],
  )
  const virtual = useVirtualizer({
    count: before + lines.count + after,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    scrollPaddingEnd: footHeight,
    overscan: beyondSight,
    rangeExtractor: (range: Range) => [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is what must be measured
  useEffect(() => virtual.measure(), [rowHeight])

  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {}
  // With every render: the same positions may show other records now.
  const inSight = (index: number) => lines.rowAt(Math.max(0, index - before))
  useEffect(() => rows.seen(inSight(startIndex), inSight(endIndex)))

  const showActive = useEffectEvent(() => {
    const place = active.active
    if (!place) return
    if (place.id !== headRow) virtual.scrollToIndex(lines.lineOf(active.row) + before, { align: 'auto' })
    document.getElementById(cellId(place))?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  useEffect(() => {
    if (active.moves) showActive()
  }, [active.moves])
  return { virtual, before, onScroll }
}

type UseAnchorSettings = {
  scroller: RefObject<HTMLElement | null>
  rows: RecordShape[]
  lines: Lines
  indexOf: Map<string, number>
  /** Rows that are on their way, above the first one. */
  before: number
  rowHeight: number
  /** Another question begins at its own beginning, or at its end. */
  question: string
  isFromEnd: boolean
  isOld: boolean
}

/** Rows that come or go above leave what one looks at where it is. */
function useAnchor(settings: UseAnchorSettings) {
  const { scroller, rows, lines, indexOf, before, rowHeight, question, isFromEnd, isOld } = settings
  const anchor = useRef<{ id: string; place: number }>(undefined)
  const answered = useRef<string>(undefined)
  // As the last scrolling left it: to ask for it while rows are drawn would have them laid out at once.
  const top = useRef(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows and what was asked are what moves things
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box || isOld || !rows.length) return
    if (answered.current !== question) {
      const isFirst = answered.current === undefined
      answered.current = question
      if (isFromEnd) scrollTo(box, box.scrollHeight)
      else if (!isFirst && top.current) scrollTo(box, 0)
    } else {
      const index = anchor.current && indexOf.get(anchor.current.id)
      const by =
        anchor.current && index !== undefined && (lines.lineOf(index) + before - anchor.current.place) * rowHeight
      // At the very top one wants to see what is new.
      if (by && top.current > 0) scrollTo(box, box.scrollTop + by)
    }
    note()
  }, [rows, lines, before, rowHeight, question, isOld])

  function scrollTo(box: HTMLElement, to: number) {
    box.scrollTop = to
    top.current = box.scrollTop
  }
  function note() {
    const line = Math.max(before, Math.floor(top.current / rowHeight)) - before
    const row = lines.rowAt(line)
    const record = rows[row]
    anchor.current = record && { id: record.id, place: lines.lineOf(row) + before }
  }
  return (box: HTMLElement) => {
    top.current = box.scrollTop
    note()
  }
}

/** The row of the headings, which one reaches with the arrow up. */
export const headRow = '#head'
/** The column of the boxes that mark records. */
export const markColumn = '#mark'

export type Place = { id: string; key: string }
export type Active = ReturnType<typeof useActive>

/** The cell on which the keys act. It stays with its record when rows come and go around it. */
export function useActive(rows: RecordShape[], keys: string[]) {
  const [place, put] = useState<Place & { from?: Place | undefined }>()
  /** Counts what the person did: rows that come and go by themselves move nothing. */
  const [moves, setMoves] = useState(0)
  const lastRow = useRef(0)
  /** `from`: the cell at which a range begins that ends here. */
  const setPlace = (next: Place, from?: Place) => {
    put({ ...next, from })
    setMoves((count) => count + 1)
  }
  const indexOf = useMemo(() => new Map(rows.map(({ id }, index) => [id, index])), [rows])
  const key = place && keys.includes(place.key) ? place.key : (keys[1] ?? markColumn)
  // When the record is gone: where it was.
  const gone = Math.max(0, Math.min(lastRow.current, rows.length - 1))
  const row = place?.id === headRow ? -1 : ((place && indexOf.get(place.id)) ?? gone)
  lastRow.current = Math.max(0, row)
  const id = row === -1 ? headRow : rows[row]?.id
  const active = id === undefined ? undefined : { id, key }
  const range = place?.from && id !== headRow ? rangeBetween(place.from, { id: id!, key }, indexOf, keys) : undefined
  const at = (row: number) => (row < 0 ? headRow : rows[Math.min(row, rows.length - 1)]?.id)

  /** By so many rows and columns, as far as there are any. */
  const move = (down: number, right: number) => {
    const next = at(Math.max(-1, Math.min(rows.length - 1, row + down)))
    const column = keys[Math.max(0, Math.min(keys.length - 1, keys.indexOf(key) + right))]
    if (next && column) setPlace({ id: next, key: column })
  }
  /** The range from where one began, to another cell. */
  const extendTo = (to: Place) => {
    if (active && active.id !== headRow && to.key !== markColumn) setPlace(to, place?.from ?? active)
  }
  const extend = (down: number, right: number) => {
    const next = at(Math.max(0, Math.min(rows.length - 1, row + down)))
    const column = keys[Math.max(1, Math.min(keys.length - 1, keys.indexOf(key) + right))]
    if (next && column) extendTo({ id: next, key: column })
  }
  const toRow = (row: number) => {
    const next = at(row)
    if (next) setPlace({ id: next, key })
  }
  return { active, row, key, moves, range, indexOf, move, extend, extendTo, toRow, setPlace }
}

/** Cells from one corner to the other: places of rows, and of columns without the one of the boxes. */
export type CellRange = { rows: [number, number]; columns: [number, number] }

function rangeBetween(from: Place, to: Place, indexOf: Map<string, number>, keys: string[]): CellRange | undefined {
  const rows = [indexOf.get(from.id), indexOf.get(to.id)]
  const columns = [keys.indexOf(from.key) - 1, keys.indexOf(to.key) - 1]
  if (rows.includes(undefined) || Math.min(...columns) < 0) return undefined
  const sorted = (pair: number[]) => pair.toSorted((a, b) => a - b) as [number, number]
  return { rows: sorted(rows as number[]), columns: sorted(columns) }
}

/** The cell that is drawn here, if it is one of a record. */
export function placeAt(element: Element | null): Place | undefined {
  const [, id, key] = /^cell-([\da-f-]{36})-(.+)$/.exec(element?.closest('[role="gridcell"]')?.id ?? '') ?? []
  return id && key ? { id, key } : undefined
}

export const cellId = ({ id, key }: Place) => `cell-${id}-${key}`
