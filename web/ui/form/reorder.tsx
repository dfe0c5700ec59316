import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { VisuallyHidden } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, GripVertical, type LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import css from './reorder.module.css'
import { useSaveAtOnce } from './use-save-at-once.ts'

export type Side = 'before' | 'after'
type Settings = {
  /** Things of one kind change places with each other only. */
  kind: string
  key: string
  /** Side by side, as columns are. Left out: one below the other. */
  isAcross?: boolean
  handle?: RefObject<HTMLElement | null>
  /** It cannot be dragged; others can still be dropped beside it. */
  isLocked?: boolean
  onDrop: (key: string, side: Side) => void
}

/**
 * Lets an element be dragged to another place among its like. Give it the class and the data it answers: they draw the
 * line where the dragged one would land. People who cannot drag need another way: arrow keys or a menu.
 */
export function useReorder(element: RefObject<HTMLElement | null>, settings: Settings) {
  const [side, setSide] = useState<Side>()
  const [isDragged, setDragged] = useState(false)
  const latest = useRef(settings)
  latest.current = settings
  const { kind, key } = settings
  // biome-ignore lint/correctness/useExhaustiveDependencies: what else it needs it reads when something is dragged
  useEffect(() => {
    const node = element.current
    if (!node) return
    const sideOf = (x: number, y: number): Side => {
      const box = node.getBoundingClientRect()
      const isFirst = latest.current.isAcross ? x < box.left + box.width / 2 : y < box.top + box.height / 2
      return isFirst ? 'before' : 'after'
    }
    return combine(
      draggable({
        element: node,
        ...(settings.handle?.current && { dragHandle: settings.handle.current }),
        canDrag: () => !latest.current.isLocked,
        getInitialData: () => ({ kind, key }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element: node,
        canDrop: ({ source }) => source.data.kind === kind && source.data.key !== key,
        onDrag: ({ location }) => setSide(sideOf(location.current.input.clientX, location.current.input.clientY)),
        onDragLeave: () => setSide(undefined),
        onDrop: ({ source, location }) => {
          setSide(undefined)
          const { clientX, clientY } = location.current.input
          latest.current.onDrop(String(source.data.key), sideOf(clientX, clientY))
        },
      }),
    )
  }, [kind, key])
  return {
    className: css.place,
    'data-across': settings.isAcross || undefined,
    'data-side': side,
    'data-dragged': isDragged || undefined,
  }
}

/** For the menu of a row. */
type Move = { label: string; icon: LucideIcon; open: () => void }

type Props<Item> = {
  label: string
  items: Item[]
  keyOf: (item: Item) => string
  nameOf: (item: Item) => string
  onMove: (from: number, to: number) => void
  className?: string
  /** The content of one row; the handle stands before it. A row with a menu offers the moves in it. */
  children: (item: Item, index: number, moves: Move[]) => ReactNode
}

/** A list that can be reordered by dragging the handle, or with the arrow keys while the handle has focus. */
export function Sortable<Item>({ label, items, keyOf, nameOf, onMove, className = '', children }: Props<Item>) {
  const [said, say] = useState('')

  const move = (from: number, to: number) => {
    if (from === to || from < 0 || to < 0 || to >= items.length) return
    onMove(from, to)
    say(`${nameOf(items[from]!)} is now ${to + 1} of ${items.length}`)
  }
  const drop = (key: string, side: Side, at: number) => {
    const from = items.findIndex((item) => keyOf(item) === key)
    const before = side === 'before' ? at : at + 1
    move(from, before > from ? before - 1 : before)
  }
  return (
    <>
      <ul className={`${css.list} ${className}`} aria-label={label}>
        {items.map((item, index) => (
          <Sorted
            key={keyOf(item)}
            id={keyOf(item)}
            name={nameOf(item)}
            index={index}
            list={label}
            onMove={move}
            onDrop={(key, side) => drop(key, side, index)}
          >
            {children(item, index, [
              ...(index > 0 ? [{ label: 'Move up', icon: ArrowUp, open: () => move(index, index - 1) }] : []),
              ...(index < items.length - 1
                ? [{ label: 'Move down', icon: ArrowDown, open: () => move(index, index + 1) }]
                : []),
            ])}
          </Sorted>
        ))}
      </ul>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  )
}

type RowProps = {
  id: string
  name: string
  index: number
  list: string
  onMove: (from: number, to: number) => void
  onDrop: (key: string, side: Side) => void
  children: ReactNode
}

function Sorted({ id, name, index, list, onMove, onDrop, children }: RowProps) {
  const row = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLButtonElement>(null)
  const { className, ...place } = useReorder(row, { kind: list, key: id, handle, onDrop })
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    onMove(index, to)
  }
  return (
    <li ref={row} className={`${css.row} ${className}`} {...place}>
      <button
        ref={handle}
        type="button"
        className={css.handle}
        aria-label={`Move ${name}`}
        aria-description="Use the up and down arrow keys"
        title="Drag, or use the arrow keys"
        onKeyDown={onKeyDown}
      >
        <GripVertical size={15} />
      </button>
      {children}
    </li>
  )
}

type Order<Data> = { apply: (shown: Data) => Data; send: () => Promise<unknown> }

/** Saves another order of what a query shows. */
export const useOrder = <Data,>({ queryKey }: { queryKey: QueryKey }, onSaved?: () => unknown) =>
  useSaveAtOnce<Data, Order<Data>>({
    queryKey,
    apply: (shown, { apply }) => apply(shown),
    send: ({ send }) => send(),
    refused: 'The order could not be saved',
    onSaved,
  })

/** The same list with one of its items in another place. */
export function moved<Item>(items: Item[], from: number, to: number) {
  const rest = items.toSpliced(from, 1)
  return rest.toSpliced(to, 0, items[from]!)
}
