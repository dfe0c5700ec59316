import { ActionIcon, Checkbox, TextInput } from '@mantine/core'
import { ArrowDown, ArrowUp, GripVertical, Pin, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import type { Column } from '../../../records/lists/list-search.ts'
import { choicesOf, type Shown, shownColumns } from '../../../records/lists/use-columns.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { type Side, useReorder } from '../../../ui/form/reorder.tsx'
import css from './tools.module.css'

/** Which columns there are and in which order: by dragging, or with the arrows of a row. */
export function ColumnChoice({ object, state }: { object: ObjectShape; state: ListState }) {
  const [search, setSearch] = useState('')
  const shown = shownColumns(object, state.columns)
  const isFound = ({ label }: FieldShape) => label.toLowerCase().includes(search.trim().toLowerCase())
  // Fields of linked records come up when they are searched for, or they would bury the rest.
  const choices = [...choicesOf(object), ...(search.trim() ? object.linked : [])]
  const hidden = choices.filter(({ key }) => !shown.some((one) => one.key === key))
  const box = useRef<HTMLDivElement>(null)
  const ticked = useRef<string>(undefined)
  // It is then in the other list, where the keyboard continues.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the lists have changed
  useEffect(() => {
    if (ticked.current) box.current?.querySelector<HTMLElement>(`[data-column="${ticked.current}"] input`)?.focus()
    ticked.current = undefined
  }, [state.columns])
  const tick = (key: string, columns: ListState['columns']) => {
    ticked.current = key
    state.change({ columns })
  }
  return (
    <div ref={box} className={css.columns}>
      <TextInput
        size="xs"
        m={8}
        aria-label="Find a field"
        placeholder="Find a field"
        data-autofocus
        leftSection={<Search size={13} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ul aria-label="Shown">
        {shown
          .filter(({ field }) => isFound(field))
          .map((column) => (
            <ShownColumn
              key={column.key}
              column={column}
              state={state}
              onHide={() => tick(column.key, without(state.columns, column.key))}
            />
          ))}
      </ul>
      {hidden.some(isFound) && (
        <ul aria-label="Hidden" className={css.hidden}>
          {hidden.filter(isFound).map((field) => (
            <li key={field.key} className={css.column} data-column={field.key}>
              <Checkbox
                size="xs"
                radius={4}
                label={field.label}
                checked={false}
                onChange={() => tick(field.key, [...state.columns, { key: field.key }])}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const without = (columns: ListState['columns'], key: string) => columns.filter((one) => one.key !== key)

function ShownColumn({ column, state, onHide }: { column: Shown; state: ListState; onHide: () => void }) {
  const { key, field } = column
  const row = useRef<HTMLLIElement>(null)
  const { className, ...place } = useReorder(row, {
    kind: 'column-row',
    key,
    onDrop: (moved, where) => state.change({ columns: placedBeside(state.columns, moved, key, where) }),
  })
  const put = (columns: ListState['columns']) => state.change({ columns })
  return (
    <li ref={row} className={`${css.column} ${className}`} data-column={key} {...place}>
      <GripVertical size={14} className={css.grip} />
      <Checkbox size="xs" radius={4} label={field.label} checked disabled={key === 'title'} onChange={onHide} />
      <span className={css.moves}>
        <IconButton
          icon={ArrowUp}
          label={`Move ${field.label} up`}
          size={24}
          onClick={() => put(stepped(state.columns, key, -1))}
        />
        <IconButton
          icon={ArrowDown}
          label={`Move ${field.label} down`}
          size={24}
          onClick={() => put(stepped(state.columns, key, 1))}
        />
        <ActionIcon
          variant="subtle"
          color={column.pinned ? 'pine' : 'gray'}
          size={24}
          aria-label={`Pin ${field.label}`}
          aria-pressed={column.pinned ?? false}
          onClick={() => put(pinned(state.columns, key, !column.pinned))}
        >
          <Pin size={13} />
        </ActionIcon>
      </span>
    </li>
  )
}

/** Beside another column it is pinned as that one is, for pinned ones stand together. */
export function placedBeside(columns: Column[], key: string, other: string, side: Side): Column[] {
  const moved = columns.find((column) => column.key === key)
  const target = columns.find((column) => column.key === other)
  if (!moved || !target) return columns
  const rest = columns.filter((column) => column.key !== key)
  const index = rest.indexOf(target) + (side === 'after' ? 1 : 0)
  const { pinned: _, ...bare } = moved
  return rest.toSpliced(index, 0, target.pinned ? { ...bare, pinned: true } : bare)
}

/** One place to the left or to the right, among its like. */
export function stepped(columns: Column[], key: string, by: number): Column[] {
  const column = columns.find((one) => one.key === key)
  const like = columns.filter((one) => Boolean(one.pinned) === Boolean(column?.pinned))
  const other = like[like.findIndex((one) => one.key === key) + by]
  return other ? placedBeside(columns, key, other.key, by < 0 ? 'before' : 'after') : columns
}

/** A pinned column goes to the end of the pinned ones, a freed one to the beginning of the others. */
export function pinned(columns: Column[], key: string, isPinned: boolean): Column[] {
  const column = columns.find((one) => one.key === key)
  if (!column) return columns
  const { pinned: _, ...bare } = column
  const rest = columns.filter((one) => one.key !== key)
  const place = rest.filter((one) => one.pinned).length
  return rest.toSpliced(place, 0, isPinned ? { ...bare, pinned: true } : bare)
}
