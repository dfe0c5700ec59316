import { Button, Skeleton } from '@mantine/core'
import { memo, type RefObject } from 'react'
import { editKey, type FieldEdit } from '../../../records/data/field-edits.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import type { Editing, OpenEdit } from '../../../records/fields/use-field-edit.ts'
import { editedIn, placeOf, type Shown } from '../../../records/lists/use-columns.ts'
import type { Rows } from '../../../records/lists/use-rows.ts'
import { reasonOf } from '../../../ui/basics/errors.ts'
import { useFormats } from '../../../ui/text/formats.ts'
import css from './grid.module.css'
import { GridCell } from './grid-cell.tsx'
import { cellId, markColumn } from './use-grid-scroll.ts'

type Props = {
  object: ObjectShape
  columns: Shown[]
  record: RecordShape
  /** Its place in the whole list, from 1; the headings are 1. */
  rowIndex: number
  top: number
  isMarked: boolean
  isOpen: boolean
  /** Its fields are not for this user to edit. */
  isLocked: boolean
  /** Of the cell that the keys act on, if it is in this row. */
  activeKey: string | undefined
  /** Which of its cells are in the selected range, by their places: "1-3". With `hasCorner`, the last of them ends it. */
  range: string | undefined
  hasCorner: boolean
  edit: OpenEdit | undefined
  edits: ReadonlyMap<string, FieldEdit>
  actions: RowActions
}

/** Drawn again only when something of it has changed: scrolling moves rows, it does not draw them. */
export const GridRow = memo(function GridRow(props: Props) {
  const { object, columns, record, rowIndex, top, isMarked, isOpen, isLocked, activeKey, edit, edits, actions } = props
  useFormats()
  const [from = -1, to = -1] = props.range?.split('-').map(Number) ?? []
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the active cell
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts
    <div
      role="row"
      aria-rowindex={rowIndex}
      aria-selected={isMarked}
      className={css.row}
      data-open={isOpen || undefined}
      data-editing={edit !== undefined || undefined}
      style={{ top }}
    >
      <MarkCell
        id={cellId({ id: record.id, key: markColumn })}
        title={String(record.title)}
        isMarked={isMarked}
        isActive={activeKey === markColumn}
        onToggle={(isRange) => actions.current.toggle(record.id, isRange)}
      />
      {columns.map((column, index) => {
        const field = editedIn(object, column.field)
        return (
          <GridCell
            key={column.key}
            object={object}
            column={column}
            colIndex={index + 2}
            record={record}
            isActive={activeKey === column.key}
            isInRange={index >= from && index <= to}
            isCorner={props.hasCorner && (props.range === undefined ? activeKey === column.key : index === to)}
            isLocked={isLocked}
            edit={field && edit?.field.key === field.key ? edit : undefined}
            entered={field && edits.get(editKey(record.id, field))}
            actions={actions}
          />
        )
      })}
    </div>
  )
})

/** In the place of rows that did not come. */
export const FailedRow = ({ of: { error, retry, isFetching }, top }: { of: Rows; top: number }) => (
  // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts
  // biome-ignore lint/a11y/useFocusableInteractive: only its button can be reached
  <div role="row" className={css.failed} style={{ top }}>
    {/* biome-ignore lint/a11y/useSemanticElements: see above */}
    {/* biome-ignore lint/a11y/useFocusableInteractive: see above */}
    <div role="gridcell">
      <span role="alert">More rows could not be loaded. {reasonOf(error)}</span>
      <Button size="compact-sm" variant="default" loading={isFetching} onClick={retry}>
        Retry
      </Button>
    </div>
  </div>
)

/** A row that is on its way. */
export const WaitingRow = ({ columns, top }: { columns: Shown[]; top: number }) => (
  <div className={css.row} style={{ top }} aria-hidden="true">
    <div className={css.mark} />
    {columns.map(({ key, pinned }, index) => (
      <div key={key} className={css.cell} data-pinned={pinned || undefined} style={placeOf(key, pinned)}>
        <Skeleton height={10} width={`${[70, 45, 60, 35][index % 4]}%`} radius="sm" animate={false} />
      </div>
    ))}
  </div>
)

type MarkCellProps = {
  id: string
  title: string
  isMarked: boolean
  isActive: boolean
  onToggle: (isRange: boolean) => void
}

const MarkCell = ({ id, title, isMarked, isActive, onToggle }: MarkCellProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts
  // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the active cell
  <div role="gridcell" id={id} aria-colindex={1} className={css.mark} data-active={isActive || undefined}>
    {/* The browser's own: a library's would be most of what a row costs, and rows come and go all the time. */}
    <input
      type="checkbox"
      tabIndex={-1}
      className={css.check}
      aria-label={`Select ${title}`}
      checked={isMarked}
      onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      onClick={(event) => event.stopPropagation()}
    />
  </div>
)

/** Always the newest functions in the same place: rows need not be rendered again for them. */
export type RowActions = RefObject<
  Pick<Editing, 'change' | 'cancel' | 'commit'> & {
    touch: (id: string, key: string, isSecond: boolean) => void
    toggle: (id: string, isRange: boolean) => void
    open: (id: string) => void
    extendTo: (id: string, key: string) => void
  }
>
