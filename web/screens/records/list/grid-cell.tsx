import { Tooltip } from '@mantine/core'
import { CircleAlert, CloudOff, Lock } from 'lucide-react'
import type { MouseEvent } from 'react'
import { inSentence } from '../../../../contract/in-sentence.ts'
import { FieldEditor } from '../../../records/field-editor.tsx'
import { FieldValue } from '../../../records/field-value.tsx'
import { RecordFace } from '../../../records/record-face.tsx'
import type { RecordShape } from '../../../records/records-api.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { modKey } from '../../../ui/mod-key.ts'
import css from './grid.module.css'
import { editedIn, placeOf, type Shown, valueIn } from './list-columns.ts'
import type { RowActions } from './row-actions.ts'
import { cellId } from './use-active.ts'
import type { Edit, Refused } from './use-editing.ts'

type Props = {
  object: ObjectShape
  column: Shown
  colIndex: number
  record: RecordShape
  isActive: boolean
  isLocked: boolean
  edit: Edit | undefined
  refused: Refused | undefined
  actions: RowActions
}

export function GridCell({ object, column, colIndex, record, isActive, isLocked, edit, refused, actions }: Props) {
  const { key, field, pinned } = column
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
      aria-invalid={refused ? true : undefined}
      className={css.cell}
      data-type={field.type}
      data-title={key === 'title' || undefined}
      data-pinned={pinned || undefined}
      data-active={isActive || undefined}
      data-refused={refused ? true : undefined}
      style={placeOf(key, pinned)}
      title={isActive && !edit && linked.has(field.type) ? `${modKey}-click follows the link` : undefined}
      onClick={() => actions.touch(record.id, key, isActive)}
      onClickCapture={(event) => {
        // A click goes to the cell and a second one edits it; a link in it is followed with Ctrl.
        if (key === 'title' || !isPlain(event) || !(event.target as Element).closest('a')) return
        event.preventDefault()
        event.stopPropagation()
        actions.touch(record.id, key, isActive)
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
            onChange={actions.change}
            onCommit={(value, onward) => actions.commit(record, field, value, onward)}
            onCancel={actions.cancel}
          />
        </div>
      ) : (
        <Content object={object} column={column} record={record} refused={refused} actions={actions} />
      )}
      {isActive && isLocked && isEditable && (
        <Tooltip label={`Your role does not let you edit this ${inSentence(object.label)}`} openDelay={200}>
          <Lock size={13} className={css.lock} role="img" aria-label="You cannot edit this" />
        </Tooltip>
      )}
    </div>
  )
}

const linked = new Set(['email', 'phone', 'url', 'relation'])
const isPlain = (event: MouseEvent) => !event.ctrlKey && !event.metaKey && !event.shiftKey

type ContentProps = Pick<Props, 'object' | 'column' | 'record' | 'refused' | 'actions'>

function Content({ object, column: { key, field }, record, refused, actions }: ContentProps) {
  const value = refused ? refused.value : valueIn(object, field, record)
  if (key === 'title' && !refused)
    return <Title object={object} record={record} title={String(value ?? '')} actions={actions} />
  const isRaw = typeof value === 'string' && refused && !refused.isAway
  // Of several it was the last that was refused.
  const ordered = refused && Array.isArray(value) ? value.toReversed() : value
  const shown = isRaw ? value : <FieldValue field={field} value={ordered} tabIndex={-1} />
  if (!refused) return shown
  const Icon = refused.isAway ? CloudOff : CircleAlert
  return (
    <Tooltip label={refused.message} openDelay={200}>
      <span className={css.refused} data-away={refused.isAway || undefined}>
        <Icon size={14} role="img" aria-label={`Not saved: ${refused.message}`} />
        {shown}
      </span>
    </Tooltip>
  )
}

type TitleProps = Pick<Props, 'object' | 'record' | 'actions'> & { title: string }

/** The name opens the record beside the list; with Ctrl, in a tab of its own. */
const Title = ({ object, record, title, actions }: TitleProps) => (
  <>
    <RecordFace object={object.key} title={title} size={22} />
    <a
      href={`/records/${object.key}/${record.id}`}
      tabIndex={-1}
      className={css.title}
      onClick={(event) => {
        event.stopPropagation()
        if (!isPlain(event)) return
        event.preventDefault()
        actions.touch(record.id, 'title', false)
        actions.open(record.id)
      }}
    >
      <bdi>{title}</bdi>
    </a>
  </>
)
