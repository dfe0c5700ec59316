import { type PointerEvent, useRef, useState } from 'react'
import { type Active, markColumn, type Place, placeAt } from './use-grid-scroll.ts'

/**
 * Selects cells with the mouse held down. Pulling the handle at their end fills the rows below: `fillTo` is the last of
 * them while that happens.
 */
export function useRangeMouse(active: Active, fill: (toRow: number) => void, focus: () => void) {
  const start = useRef<Place | 'fill'>(undefined)
  const [fillTo, setFillTo] = useState<number>()
  const end = () => {
    start.current = undefined
    setFillTo(undefined)
  }
  return {
    fillTo,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        const target = event.target as Element
        if (event.button !== 0 || event.pointerType !== 'mouse' || event.shiftKey || isTyping(target)) return
        const place = placeAt(target)
        start.current = target.closest('[data-fill]') ? 'fill' : place?.key === markColumn ? undefined : place
      },
      onPointerMove: (event: PointerEvent) => {
        const from = start.current
        if (!from) return
        if (!(event.buttons & 1)) return end()
        const over = placeAt(document.elementFromPoint(event.clientX, event.clientY))
        if (!over || over.key === markColumn) return
        if (from === 'fill') return setFillTo(active.indexOf.get(over.id))
        const isSame = over.id === active.active?.id && over.key === active.active.key
        const isFirst = over.id === from.id && over.key === from.key
        if (isSame || (isFirst && !active.range)) return
        focus()
        active.setPlace(over, isFirst ? undefined : from)
      },
      onPointerUp: () => {
        if (start.current === 'fill' && fillTo !== undefined) fill(fillTo)
        end()
      },
      // A link would be dragged instead.
      onDragStart: (event: { preventDefault: () => void }) => event.preventDefault(),
    },
  }
}

const isTyping = (target: Element) => target.closest('input:not([type=checkbox]), textarea, [contenteditable]') !== null
