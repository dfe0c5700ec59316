import { Checkbox } from '@mantine/core'
import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react'
import { type ComponentProps, memo, type PointerEvent, useRef } from 'react'
import { canSort, changed, placeOf, type Shown } from '../../../records/lists/use-columns.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { useReorder } from '../../../ui/form/reorder.tsx'
import { placedBeside } from '../tools/column-choice.tsx'
import { nextSort, sortOf } from '../tools/sort-choice.tsx'
import { ColumnMenu, fittedWidth } from './column-menu.tsx'
import css from './grid.module.css'
import { cellId, headRow, markColumn } from './use-grid-scroll.ts'

type Props = {
  columns: Shown[]
  state: ListState
  activeKey: string | undefined
  menu: string | undefined
  onMenu: (key: string | undefined) => void
  marked: 'none' | 'some' | 'all'
  onMark: () => void
  /** Begins to change the width of a column. */
  resize: (key: string, event: PointerEvent<HTMLElement>) => void
}

/** Scrolling does not draw it again. */
export const GridHead = memo(function GridHead({ columns, activeKey, marked, onMark, ...rest }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the active cell
    <div role="row" aria-rowindex={1} className={css.head}>
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: see above */}
      <div
        role="columnheader"
        id={cellId({ id: headRow, key: markColumn })}
        aria-colindex={1}
        className={css.mark}
        data-active={activeKey === markColumn || undefined}
      >
        <Checkbox
          size="xs"
          radius={4}
          tabIndex={-1}
          classNames={{ root: css.box }}
          aria-label="Select all rows"
          checked={marked === 'all'}
          indeterminate={marked === 'some'}
          onChange={onMark}
        />
      </div>
      {columns.map((column, index) => (
        <HeadCell key={column.key} {...rest} column={column} colIndex={index + 2} isActive={activeKey === column.key} />
      ))}
    </div>
  )
})

type CellProps = Omit<Props, 'columns' | 'activeKey' | 'marked' | 'onMark'> & {
  column: Shown
  colIndex: number
  isActive: boolean
}

/** A menu for each column would be drawn again with every other question: there is one when it is wanted. */
const MenuButton = ({ label, ...rest }: ComponentProps<'button'> & { label: string }) => (
  <button {...rest} type="button" tabIndex={-1} className={css.menu} aria-label={`Column ${label}`}>
    <ChevronDown size={14} />
  </button>
)

function HeadCell({ column, colIndex, isActive, state, menu, onMenu, resize }: CellProps) {
  const { key, field, pinned } = column
  const cell = useRef<HTMLDivElement>(null)
  const label = useRef<HTMLButtonElement>(null)
  const { className, ...place } = useReorder(cell, {
    kind: 'column',
    key,
    isAcross: true,
    handle: label,
    onDrop: (moved, where) => state.change({ columns: placedBeside(state.columns, moved, key, where) }),
  })
  const sort = sortOf(state.sort, key)
  const order = sort && (sort.isDescending ? 'descending' : 'ascending')
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the active cell
    <div
      ref={cell}
      role="columnheader"
      id={cellId({ id: headRow, key })}
      aria-colindex={colIndex}
      aria-sort={order ?? (canSort(field) ? 'none' : undefined)}
      className={`${css.headCell} ${className}`}
      data-type={field.type}
      data-pinned={pinned || undefined}
      data-active={isActive || undefined}
      {...place}
      style={placeOf(key, pinned)}
    >
      <button
        ref={label}
        type="button"
        tabIndex={-1}
        className={css.label}
        title={field.description || (canSort(field) ? undefined : 'Lists can’t be sorted by this field')}
        disabled={!canSort(field)}
        onClick={(event) => state.change({ sort: nextSort(state.sort, key, event.shiftKey) })}
      >
        <span>{field.label}</span>
        {order === 'ascending' && <ArrowUp size={13} />}
        {order === 'descending' && <ArrowDown size={13} />}
        {sort?.place && <small>{sort.place}</small>}
      </button>
      {menu === key ? (
        <ColumnMenu column={column} state={state} onClose={() => onMenu(undefined)}>
          <MenuButton label={field.label} />
        </ColumnMenu>
      ) : (
        <MenuButton label={field.label} aria-haspopup="menu" aria-expanded={false} onClick={() => onMenu(key)} />
      )}
      <span
        className={css.handle}
        aria-hidden="true"
        // The browser would drag what is under this place by the time that the edge has moved: the next column.
        onMouseDown={(event) => event.preventDefault()}
        onPointerDown={(event) => {
          event.stopPropagation()
          resize(key, event)
        }}
        onDoubleClick={() => state.change({ columns: changed(state.columns, key, { width: fittedWidth(key) }) })}
      />
    </div>
  )
}
