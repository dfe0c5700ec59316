// Where widgets stand on the grid of twelve columns.
import { gridColumns } from '../../../contract/shared/widget.ts'

export type Place = { x: number; y: number; width: number; height: number }

/** In the same columns. */
const isBeside = (a: Place, b: Place) => a.x < b.x + b.width && b.x < a.x + a.width
const overlaps = (a: Place, b: Place) => isBeside(a, b) && a.y < b.y + b.height && b.y < a.y + a.height

/** As people read them. */
export const inOrder = <T extends Place>(widgets: T[]) => widgets.toSorted((a, b) => a.y - b.y || a.x - b.x)

/** Widgets move up until they touch another one, so that nothing overlaps. Others make room for `first`. */
export function packed<T extends Place>(widgets: T[], first?: T): T[] {
  const done: T[] = []
  const order = inOrder(widgets)
  const queue = first ? [first, ...order.filter((one) => one !== first)] : order
  for (const widget of queue) {
    const width = Math.min(widget.width, gridColumns)
    const placed = { ...widget, width, x: Math.min(widget.x, gridColumns - width) }
    if (first) while (done.some((other) => overlaps(placed, other))) placed.y += 1
    else placed.y = Math.max(0, ...done.filter((other) => isBeside(placed, other)).map(({ y, height }) => y + height))
    done.push(placed)
  }
  return first ? packed(done) : inOrder(done)
}

/** The next free place below all others. */
export const placeBelow = (widgets: Place[], width: number, height: number): Place => ({
  x: 0,
  y: Math.max(0, ...widgets.map((one) => one.y + one.height)),
  width,
  height,
})
