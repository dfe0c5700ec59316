// How a widget moves on the grid, by mouse, keys and menu.
import { gridColumns } from '../../../contract/shared/widget.ts'
import { type Place, packed } from './places.ts'

export const moves = ['left', 'right', 'up', 'down', 'wider', 'narrower', 'taller', 'shorter'] as const
export type Move = (typeof moves)[number]
type Placed = Place & { id: string }

export const moveNames: Record<Move, string> = {
  left: 'Move left',
  right: 'Move right',
  up: 'Move up',
  down: 'Move down',
  wider: 'Wider',
  narrower: 'Narrower',
  taller: 'Taller',
  shorter: 'Shorter',
}

const mostRows = 20

/** Puts a widget there; others make room. */
export function placed<T extends Placed>(widgets: T[], id: string, to: Partial<Place>): T[] {
  const now = widgets.find((one) => one.id === id)
  if (!now) return widgets
  const width = clamp(to.width ?? now.width, 1, gridColumns)
  const target = {
    ...now,
    width,
    height: clamp(to.height ?? now.height, 1, mostRows),
    x: clamp(to.x ?? now.x, 0, gridColumns - width),
    y: Math.max(0, to.y ?? now.y),
  }
  return packed(
    widgets.map((one) => (one === now ? target : one)),
    target,
  )
}

/** The widgets after a move. They are the same if it cannot be made. */
export function moved<T extends Placed>(widgets: T[], id: string, move: Move): T[] {
  const now = widgets.find((one) => one.id === id)
  if (!now) return widgets
  const { x, width, height } = now
  if (move === 'left' || move === 'right') return placed(widgets, id, { x: x + (move === 'left' ? -1 : 1) })
  if (move === 'wider' || move === 'narrower')
    return placed(widgets, id, { width: width + (move === 'wider' ? 1 : -1), x: Math.min(x, gridColumns - width) })
  if (move === 'taller' || move === 'shorter')
    return placed(widgets, id, { height: height + (move === 'taller' ? 1 : -1) })
  return packed(past(widgets, now, move))
}

/** Up and down change places with the neighbor in the same columns: a widget cannot stand half in another one. */
function past<T extends Placed>(widgets: T[], now: T, move: 'up' | 'down'): T[] {
  const beside = widgets.filter((one) => one !== now && one.x < now.x + now.width && now.x < one.x + one.width)
  const to = (y: number) => widgets.map((one) => (one === now ? { ...now, y } : one))
  if (move === 'down') {
    const next = beside.filter(({ y }) => y > now.y).toSorted((a, b) => a.y - b.y)[0]
    return next ? to(next.y + next.height) : widgets
  }
  const before = beside.filter(({ y }) => y < now.y).toSorted((a, b) => b.y - a.y)[0]
  // Just before it in reading order, wherever that ends up.
  return before ? to(before.y - 0.5) : widgets
}

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))
