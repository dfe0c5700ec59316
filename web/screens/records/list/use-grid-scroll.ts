import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { type Active, cellId, headRow } from './use-active.ts'
import { useAnchor } from './use-anchor.ts'
import type { Rows } from './use-rows.ts'

type Settings = {
  scroller: RefObject<HTMLElement | null>
  rows: Rows
  active: Active
  /** The row whose editor is open. */
  edited: number | undefined
  rowHeight: number
  headHeight: number
  question: string
}

const beyondSight = 8
const onTheirWay = 12
const firstOnTheirWay = 30

/** Which rows are rendered, with places for those that are on their way, and what scrolling does. */
export function useGridScroll({ scroller, rows, active, edited, rowHeight, headHeight, question }: Settings) {
  const coming = rows.isWhole ? 0 : rows.isLoading ? firstOnTheirWay : rows.error ? 1 : onTheirWay
  const [before, after] = rows.isFromEnd ? [coming, 0] : [0, coming]
  const { isFromEnd, isOld } = rows
  const onScroll = useAnchor({
    scroller,
    rows: rows.rows,
    indexOf: active.indexOf,
    before,
    rowHeight,
    question,
    isFromEnd,
    isOld,
  })

  // The cells that the keys act on, and the one being edited, stay in the page wherever one scrolls.
  const kept = [active.row, edited].flatMap((row) =>
    row === undefined || row < 0 || !rows.rows.length ? [] : [row + before],
  )
  const virtual = useVirtualizer({
    count: before + rows.rows.length + after,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    overscan: beyondSight,
    rangeExtractor: (range: Range) => [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is what must be measured
  useEffect(() => virtual.measure(), [rowHeight])

  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {}
  // With every render: the same places may hold other records by now.
  useEffect(() => rows.seen(Math.max(0, startIndex - before), Math.max(0, endIndex - before)))

  const showActive = useEffectEvent(() => {
    const place = active.active
    if (!place) return
    if (place.id !== headRow) virtual.scrollToIndex(active.row + before, { align: 'auto' })
    document.getElementById(cellId(place))?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  useEffect(() => {
    if (active.moves) showActive()
  }, [active.moves])
  return { virtual, before, onScroll }
}
