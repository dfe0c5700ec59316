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

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows and what was asked are what moves things
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box || isOld || !rows.length) return
    if (answered.current !== question) {
      const isFirst = answered.current === undefined
      answered.current = question
      if (!isFirst || isFromEnd) box.scrollTop = isFromEnd ? box.scrollHeight : 0
    } else {
      const index = anchor.current && indexOf.get(anchor.current.id)
      // At the very top one wants to see what is new.
      if (anchor.current && index !== undefined && box.scrollTop > 0)
        box.scrollTop += (index + before - anchor.current.place) * rowHeight
    }
    note()
  }, [rows, before, rowHeight, question, isOld])

  function note() {
    const box = scroller.current
    if (!box) return
    const place = Math.max(before, Math.floor(box.scrollTop / rowHeight))
    const record = rows[place - before]
    anchor.current = record && { id: record.id, place }
  }
  return note
}
