import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { VisuallyHidden } from '@mantine/core'
import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import css from './sortable.module.css'

type Props<Item> = {
  label: string
  items: Item[]
  keyOf: (item: Item) => string
  nameOf: (item: Item) => string
  onMove: (from: number, to: number) => void
  className?: string
  /** The content of one row; the handle stands before it. */
  children: (item: Item, index: number) => ReactNode
}

/** A list in an order of one's own: dragged by the handle, or moved with the arrow keys while the handle has focus. */
export function Sortable<Item>({ label, items, keyOf, nameOf, onMove, className = '', children }: Props<Item>) {
  const [said, say] = useState('')

  const move = (from: number, to: number) => {
    if (from === to || from < 0 || to < 0 || to >= items.length) return
    onMove(from, to)
    say(`${nameOf(items[from]!)} is now ${to + 1} of ${items.length}`)
  }
  return (
    <>
      <ul className={`${css.list} ${className}`} aria-label={label}>
        {items.map((item, index) => (
          <Sorted key={keyOf(item)} name={nameOf(item)} index={index} list={label} onMove={move}>
            {children(item, index)}
          </Sorted>
        ))}
      </ul>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  )
}

type RowProps = {
  name: string
  index: number
  list: string
  onMove: (from: number, to: number) => void
  children: ReactNode
}
type Edge = 'before' | 'after'

function Sorted({ name, index, list, onMove, children }: RowProps) {
  const row = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLButtonElement>(null)
  const [dragged, setDragged] = useState(false)
  const [edge, setEdge] = useState<Edge>()

  useEffect(() => {
    const element = row.current!
    const edgeAt = (y: number): Edge => {
      const { top, height } = element.getBoundingClientRect()
      return y < top + height / 2 ? 'before' : 'after'
    }
    return combine(
      draggable({
        element,
        dragHandle: handle.current!,
        getInitialData: () => ({ list, index }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.list === list,
        onDrag: ({ source, location }) =>
          setEdge(source.data.index === index ? undefined : edgeAt(location.current.input.clientY)),
        onDragLeave: () => setEdge(undefined),
        onDrop: ({ source, location }) => {
          setEdge(undefined)
          const from = source.data.index as number
          const before = edgeAt(location.current.input.clientY) === 'before' ? index : index + 1
          onMove(from, before > from ? before - 1 : before)
        },
      }),
    )
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    onMove(index, to)
  }
  return (
    <li ref={row} className={css.row} data-dragged={dragged || undefined} data-edge={edge}>
      <button
        ref={handle}
        type="button"
        className={css.handle}
        aria-label={`Move ${name}`}
        aria-description="Use the arrow keys up and down"
        title="Drag, or use the arrow keys"
        onKeyDown={onKeyDown}
      >
        <GripVertical size={15} aria-hidden="true" />
      </button>
      {children}
    </li>
  )
}

/** The same list with one of its items in another place. */
export function moved<Item>(items: Item[], from: number, to: number) {
  const rest = items.toSpliced(from, 1)
  return rest.toSpliced(to, 0, items[from]!)
}
