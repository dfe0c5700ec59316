import { Checkbox } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { editKey, isKept } from '../../../records/data/field-edits.ts'
import { FormValues } from '../../../records/data/find-records.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { isEmpty } from '../../../records/data/value-text.ts'
import { FieldEditor, type Onward } from '../../../records/fields/field-editor.tsx'
import { FieldValue } from '../../../records/fields/field-value.tsx'
import { useFieldEdit } from '../../../records/fields/use-field-edit.ts'
import { HeldBy } from '../../../ui/basics/notices.tsx'
import css from './fields.module.css'

type Props = {
  object: ObjectShape
  record: RecordShape
  field: FieldShape
  isFixed: boolean
  /** How the value is shown; left out: as everywhere. */
  shown?: ReactNode
  empty?: ReactNode
  className?: string | undefined
}

/** A value that one clicks, or reaches by Tab, to change it right there. */
export function EditInPlace({ object, record, field, isFixed, shown, empty, className }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [onward, setOnward] = useState<Onward>('stay')
  const editing = useFieldEdit(object, setOnward, true)
  const { edit } = editing
  const entered = editing.edits.get(editKey(record.id, field))
  const kept = entered && isKept(entered) ? entered : undefined
  // What was entered rather than what is stored, so that nothing typed is lost.
  const value = entered ? entered.value : record[field.key]
  const begin = () => editing.begin(record, field)
  const save = (next: unknown) => editing.save(record, field, next)
  useEffect(() => {
    if (edit || onward === 'stay' || !place.current) return
    setOnward('stay')
    goOn(place.current, onward)
  }, [edit, onward])

  if (edit)
    return (
      <div ref={place} className={css.editor} data-field-place>
        <FormValues value={{ object, values: record }}>
          <FieldEditor
            variant="cell"
            autoFocus
            field={edit.field}
            value={edit.value}
            error={edit.error}
            onChange={editing.change}
            onCommit={(given, onward) => editing.commit(record, given, onward)}
            onCancel={() => {
              editing.cancel()
              setOnward('below')
            }}
          />
        </FormValues>
      </div>
    )
  if (field.type === 'boolean')
    return (
      <div ref={place} className={css.flag} data-field-place>
        <Flag label={field.label} isOn={value === true} isFixed={isFixed} onChange={save} />
        {kept && <span className={css.refusal}>{kept.message}</span>}
      </div>
    )
  return (
    <div
      ref={place}
      className={`${css.place} ${className ?? ''}`}
      data-field-place
      data-refused={kept && (kept.isWaiting ? 'away' : 'bad')}
    >
      {!isFixed && (
        <button
          type="button"
          className={css.edit}
          data-edit
          aria-label={labelFor(field)}
          onMouseDown={(event) => {
            // Not on click: the previous editor has closed by that time, which may have moved this element.
            if (event.button !== 0) return
            event.preventDefault()
            begin()
          }}
          onClick={begin}
        />
      )}
      <span className={css.value} data-long={field.type === 'long_text' || undefined} data-fixed={isFixed || undefined}>
        {isEmpty(value) ? (empty ?? <Blank />) : (shown ?? <FieldValue field={field} value={value} />)}
      </span>
      {kept && (
        <span className={css.refusal} role="alert">
          {kept.message}
          {kept.holder && (
            <>
              {' · '}
              <HeldBy of={kept.holder} />
            </>
          )}
        </span>
      )}
    </div>
  )
}

type FlagProps = { label: string; isOn: boolean; isFixed: boolean; onChange: (isOn: boolean) => void }

/** Ticked in the very moment of the click, a frame before what is stored says so. */
function Flag({ label, isOn, isFixed, onChange }: FlagProps) {
  const [clicked, setClicked] = useState<boolean>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is stored has the last word
  useEffect(() => setClicked(undefined), [isOn])
  return (
    <Checkbox
      aria-label={label}
      checked={clicked ?? isOn}
      disabled={isFixed}
      data-edit
      onChange={({ currentTarget: { checked } }) => {
        setClicked(checked)
        onChange(checked)
      }}
    />
  )
}

const Blank = () => <span className={css.blank}>Empty</span>
const labelFor = ({ label }: FieldShape) => `Edit ${label}`

/** After Enter the focus stays here; Tab goes on to the next field that can be changed, which Enter opens. */
function goOn(place: HTMLElement, onward: Onward) {
  const control = (one: Element | undefined) => one?.querySelector<HTMLElement>('[data-edit]')
  if (onward === 'below') return control(place)?.focus()
  const list = place.closest('[data-field-list]')
  const all = [...(list?.querySelectorAll('[data-field-place]') ?? [place])].filter((one) => control(one))
  const next = control(all[all.indexOf(place) + (onward === 'next' ? 1 : -1)])
  ;(next ?? control(place))?.focus()
}
