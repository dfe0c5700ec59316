import { Tooltip } from '@mantine/core'
import { CircleAlert, CloudOff, Lock } from 'lucide-react'
import type { MouseEvent } from 'react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { type FieldEdit, isKept } from '../../../records/data/field-edits.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { asMoney, isEmpty, type Money } from '../../../records/data/value-text.ts'
import { FieldEditor } from '../../../records/fields/field-editor.tsx'
import { FieldValue } from '../../../records/fields/field-value.tsx'
import { RecordFace } from '../../../records/fields/record-face.tsx'
import type { OpenEdit } from '../../../records/fields/use-field-edit.ts'
import { moneyIn } from '../../../records/lists/column-widths.ts'
import { editedIn, placeOf, type Shown, valueIn } from '../../../records/lists/use-columns.ts'
import { modKey } from '../../../ui/basics/keyboard.ts'
import { isOverdue, isTask, TaskTick } from '../tools/task-tick.tsx'
import css from './grid.module.css'
import type { RowActions } from './grid-row.tsx'
import { cellId } from './use-grid-scroll.ts'

type Props = {
  object: ObjectShape
  column: Shown
  colIndex: number
  record: RecordShape
  isActive: boolean
  isInRange: boolean
  /** Where the selected cells end, with the handle that fills the ones below. */
  isCorner: boolean
  isLocked: boolean
  edit: OpenEdit | undefined
  /** What was entered and is not saved yet. */
  entered: FieldEdit | undefined
  actions: RowActions
}

export function GridCell(props: Props) {
  const { object, column, colIndex, record, isActive, isLocked, edit, entered, actions } = props
  const { key, field, pinned } = column
  const isRefused = (entered && isKept(entered)) || undefined
  const isEditable = editedIn(object, field) !== undefined
  const isFixed = isLocked || !isEditable
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the active cell
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys
    <div
      role="gridcell"
      id={cellId({ id: record.id, key })}
      aria-colindex={colIndex}
      aria-readonly={isFixed}
      aria-invalid={isRefused}
      className={css.cell}
      data-type={field.type}
      data-title={key === 'title' || undefined}
      data-pinned={pinned || undefined}
      data-active={isActive || undefined}
      data-overdue={isOverdue(object, key, record) || undefined}
      data-refused={isRefused}
      data-range={props.isInRange || undefined}
      data-corner={(props.isCorner && !edit) || undefined}
      style={placeOf(key, pinned)}
      title={isActive && !edit && linked.has(field.type) ? `${modKey}-click follows the link` : undefined}
      onClick={() => actions.current.touch(record.id, key, isActive)}
      onClickCapture={(event) => {
        if ((event.target as Element).closest('[data-fill]')) return event.stopPropagation()
        if (event.shiftKey && !edit) {
          event.preventDefault()
          event.stopPropagation()
          return actions.current.extendTo(record.id, key)
        }
        // A click goes to the cell and a second one edits it; a link in it is followed with Ctrl.
        if (key === 'title' || !isPlain(event) || !(event.target as Element).closest('a')) return
        event.preventDefault()
        event.stopPropagation()
        actions.current.touch(record.id, key, isActive)
      }}
    >
      {edit ? (
        <div className={css.editor}>
          <FieldEditor
            variant="cell"
            autoFocus
            field={edit.field}
            value={edit.value}
            typed={edit.typed}
            error={edit.error}
            onChange={(value) => actions.current.change(value)}
            onCommit={(value, onward) => actions.current.commit(record, value, onward)}
            onCancel={() => actions.current.cancel()}
          />
        </div>
      ) : (
        <Content
          object={object}
          column={column}
          record={record}
          entered={entered}
          isLocked={isLocked}
          actions={actions}
        />
      )}
      {props.isCorner && !edit && !isFixed && <span className={css.fillHandle} data-fill aria-hidden="true" />}
      {isActive && isFixed && key !== 'title' && (
        <Tooltip label={whyFixed(object, key, isEditable)}>
          <Lock size={13} className={css.lock} role="img" aria-label="You cannot edit this" />
        </Tooltip>
      )}
    </div>
  )
}

function whyFixed(object: ObjectShape, key: string, isEditable: boolean) {
  if (isEditable) return `Your role does not let you edit this ${inSentence(object.label)}`
  return key.includes('.') ? 'Open the linked record to edit this' : 'Calculated by Kith'
}

const linked = new Set(['email', 'phone', 'url', 'relation'])
const isPlain = (event: MouseEvent) => !event.ctrlKey && !event.metaKey && !event.shiftKey

type ContentProps = Pick<Props, 'object' | 'column' | 'record' | 'entered' | 'isLocked' | 'actions'>

function Content({ object, column: { key, field, width }, record, entered, isLocked, actions }: ContentProps) {
  const value = entered ? entered.value : valueIn(object, field, record)
  const refused = entered && isKept(entered) ? entered : undefined
  if (key === 'title' && !refused)
    return <Title object={object} record={record} title={String(value ?? '')} isLocked={isLocked} actions={actions} />
  const isRaw = typeof value === 'string' && refused && !refused.isWaiting
  // Of several it was the last that was refused.
  const ordered = refused && Array.isArray(value) ? value.toReversed() : value
  const isMoney = field.type === 'money' && !isEmpty(value)
  const shown = isRaw ? (
    value
  ) : isMoney ? (
    <Amount of={value as Money} width={width} />
  ) : (
    <FieldValue field={field} value={ordered} tabIndex={-1} />
  )
  if (!refused) return shown
  const Icon = refused.isWaiting ? CloudOff : CircleAlert
  return (
    <Tooltip label={refused.message}>
      <span className={css.refused} data-away={refused.isWaiting || undefined}>
        <Icon size={14} role="img" aria-label={`Not saved: ${refused.message}`} />
        {shown}
      </span>
    </Tooltip>
  )
}

/** In short where the column is too narrow: without its currency, an amount says something else. */
function Amount({ of, width }: { of: Money; width: number }) {
  const [whole, shown] = [asMoney(of), moneyIn(width, of)]
  return (
    <span className={css.amount} title={shown === whole ? undefined : whole}>
      {shown}
    </span>
  )
}

type TitleProps = Pick<Props, 'object' | 'record' | 'isLocked' | 'actions'> & { title: string }

/** The name opens the record beside the list; with Ctrl, in a tab of its own. */
const Title = ({ object, record, title, isLocked, actions }: TitleProps) => (
  <>
    {isTask(object) ? (
      <TaskTick object={object} record={record} isLocked={isLocked} tabIndex={-1} />
    ) : (
      <RecordFace object={object.key} title={title} size={22} id={record.id} />
    )}
    <a
      href={`/records/${object.key}/${record.id}`}
      tabIndex={-1}
      className={css.title}
      data-done={(isTask(object) && record.status === 'done') || undefined}
      onClick={(event) => {
        event.stopPropagation()
        if (!isPlain(event)) return
        event.preventDefault()
        actions.current.touch(record.id, 'title', false)
        actions.current.open(record.id)
      }}
    >
      <bdi>{title}</bdi>
    </a>
  </>
)
