import { useLocalStorage } from '@mantine/hooks'
import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react'
import css from './columns.module.css'

type ColumnsProps = { children: ReactNode; className?: string }

/** Columns beside each other. A ResizableColumn has a width of its own; the others share what is left. */
export const Columns = ({ children, className = '' }: ColumnsProps) => (
  <div className={`${css.columns} ${className}`}>{children}</div>
)

const least = 20
const most = 70
const step = 2

type ColumnProps = {
  /** Its width is remembered in this browser under this name. */
  name: string
  /** What the separator does, for those who do not see it: "Width of the record". */
  label: string
  /** Where the separator is. */
  edge: 'start' | 'end'
  /** In percent of all columns. */
  initial: number
  /** In pixels. */
  narrowest: number
  children: ReactNode
}

/** A column whose separator is dragged, or moved with the arrow keys. A double click brings the first width back. */
export function ResizableColumn({ name, label, edge, initial, narrowest, children }: ColumnProps) {
  const [stored, store] = useLocalStorage({
    key: `kith-width-${name}`,
    defaultValue: initial,
    getInitialValueInEffect: false,
  })
  const width = fitting(Number(stored) || initial)
  const outwards = edge === 'start' ? 'ArrowLeft' : 'ArrowRight'
  const inwards = edge === 'start' ? 'ArrowRight' : 'ArrowLeft'
  const press = (event: KeyboardEvent) => {
    const next = { [outwards]: width + step, [inwards]: width - step, Home: least, End: most }[event.key]
    if (next === undefined) return
    event.preventDefault()
    store(fitting(next))
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const all = event.currentTarget.closest(`.${css.columns}`)!.getBoundingClientRect()
    const own = event.currentTarget.parentElement!.getBoundingClientRect()
    const pixels = edge === 'start' ? own.right - event.clientX : event.clientX - own.left
    store(fitting((100 * pixels) / all.width))
  }
  return (
    <div className={css.column} style={{ '--width': `${width}%`, '--least': `${narrowest}px` } as CSSProperties}>
      <hr
        tabIndex={0}
        className={css.separator}
        data-edge={edge}
        aria-orientation="vertical"
        aria-label={label}
        aria-valuenow={Math.round(width)}
        aria-valuemin={least}
        aria-valuemax={most}
        onKeyDown={press}
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.focus()
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={drag}
        onDoubleClick={() => store(initial)}
      />
      {children}
    </div>
  )
}

const fitting = (percent: number) => Math.min(most, Math.max(least, percent))
