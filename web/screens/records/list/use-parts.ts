import { type RefObject, startTransition, useEffect, useRef, useState } from 'react'

const rowsAtATime = 3
const settleMs = 150
const [leastBeyond, mostBeyond] = [1, 10]
const all = Number.POSITIVE_INFINITY

/**
 * What is out of sight is drawn last. Whoever is typing must not wait for all of a new answer either: it comes in parts
 * then, a few rows with each frame. Gives how many rows of those in sight to draw, and how many beyond.
 */
export function useParts(answered: string | undefined, inSight: RefObject<number>) {
  const [drawn, setDrawn] = useState<{ of: string; rows: number; beyond: number }>()
  const isFirst = useRef(true)
  const isWhole = answered === undefined || isFirst.current || !isTyping()
  const begun = { rows: isWhole ? all : rowsAtATime, beyond: leastBeyond }
  const { rows, beyond } = drawn && drawn.of === answered ? drawn : begun
  useEffect(() => {
    if (answered === undefined || beyond === mostBeyond) return
    isFirst.current = false
    const isInSight = rows >= inSight.current
    const next = isInSight
      ? { of: answered, rows: all, beyond: Math.min(mostBeyond, beyond + rowsAtATime) }
      : { of: answered, rows: rows + rowsAtATime, beyond }
    const goOn = () => startTransition(() => setDrawn(next))
    if (isInSight && beyond === leastBeyond) {
      const timer = setTimeout(goOn, settleMs)
      return () => clearTimeout(timer)
    }
    const frame = requestAnimationFrame(goOn)
    return () => cancelAnimationFrame(frame)
  }, [answered, rows, beyond, inSight])
  return { rows, beyond }
}

const isTyping = () => document.activeElement?.matches('input, textarea, [contenteditable="true"]') ?? false
