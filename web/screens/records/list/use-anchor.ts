import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { RecordShape } from '../../../records/records-api.ts'

type Settings = {
  scroller: RefObject<HTMLElement | null>
  rows: RecordShape[]
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
export function useAnchor({ scroller, rows, indexOf, before, rowHeight, question, isFromEnd, isOld }: Settings) {
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
      const by = anchor.current && index !== undefined && (index + before - anchor.current.place) * rowHeight
      // At the very top one wants to see what is new.
      if (by && top.current > 0) scrollTo(box, box.scrollTop + by)
    }
    note()
  }, [rows, before, rowHeight, question, isOld])

  function scrollTo(box: HTMLElement, to: number) {
    box.scrollTop = to
    top.current = box.scrollTop
  }
  function note() {
    const place = Math.max(before, Math.floor(top.current / rowHeight))
    const record = rows[place - before]
    anchor.current = record && { id: record.id, place }
  }
  return (box: HTMLElement) => {
    top.current = box.scrollTop
    note()
  }
}
