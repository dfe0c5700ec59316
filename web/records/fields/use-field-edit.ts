import { useEffect, useRef, useState } from 'react'
import { useStore } from '../../client/store.ts'
import { useUnsaved } from '../../client/unsaved.ts'
import { dropEdit, editKey, fieldEdits, isKept, keepEdit, saveField } from '../data/field-edits.ts'
import { fittingStages } from '../data/pipelines.ts'
import { plain } from '../data/record-cache.ts'
import type { RecordShape } from '../data/records-api.ts'
import type { FieldShape, ObjectShape } from '../data/schema.ts'
import { isEmpty } from '../data/value-text.ts'
import type { Onward } from './field-editor.tsx'
import { readMoney } from './read-money.ts'
import { faultOf } from './value-fault.ts'

/** A field whose editor is open. `seen`: the record when editing began. */
export type OpenEdit = {
  field: FieldShape
  seen: RecordShape
  value: unknown
  typed?: string | undefined
  error?: string | undefined
}
export type Editing = ReturnType<typeof useFieldEdit>

/**
 * Edits fields where they are shown, one at a time: in the cells of a list, or on the page of a record (`isInline`, where
 * the field itself says why it was refused). What is entered shows as saved at once; what is refused stays as typed.
 */
export function useFieldEdit(object: ObjectShape, onEnd: (onward: Onward) => void, isInline = false) {
  const [edit, setEdit] = useState<OpenEdit>()
  const edits = useStore(fieldEdits)
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const isTyped = edit !== undefined && (edit.typed !== undefined || !isSame(edit.value, edit.seen[edit.field.key]))
  const tell = useUnsaved()
  useEffect(() => tell(isTyped))

  /** `seen`: the record as it was when editing began. */
  const save = (record: RecordShape, field: FieldShape, value: unknown, seen = record) => {
    const key = editKey(record.id, field)
    const before = fieldEdits.get().get(key)
    const isRefused = before && isKept(before) && !before.isWaiting
    const [then, now] = [seen[field.key], record[field.key]]
    const shown = before && !isRefused ? before.value : now
    if (isSame(shown, value) || (!before && isSame(then, value))) {
      if (isRefused) dropEdit(key)
      return
    }
    saveField({
      object,
      record,
      field,
      value,
      // The old one if someone else changed this very field meanwhile, so that both values are shown.
      version: before?.version ?? (isSame(then, now) ? record : seen).version,
      said: `${field.label} of ${String(record.title)} changed.`,
      isShown: () => isInline && isHere.current,
    })
  }

  const begin = (record: RecordShape, field: FieldShape, typed?: string) => {
    const before = edits.get(editKey(record.id, field))
    const now = before ? before.value : (record[field.key] ?? null)
    if (field.type === 'boolean') return save(record, field, now !== true)
    const value = typed !== undefined && takesLetters(field) ? typed : now
    setEdit({ field: fittingStages(object, field, record), seen: record, value, typed, error: before?.message })
  }

  /** Opens with a text that does not fit, and says why. */
  const beginRefused = (record: RecordShape, field: FieldShape, typed: string, currency: string, error: string) => {
    const now = record[field.key] ?? null
    const money = () => readMoney(typed, currency) ?? { amount: typed, currency }
    const value = field.is_multi ? now : field.type === 'money' ? money() : typed
    setEdit({ field, seen: record, value, typed, error })
  }

  /** `record`: its current state. */
  const commit = (record: RecordShape, given: unknown, onward: Onward) => {
    if (!edit) return
    const { seen } = edit
    // As it is by now: an option may have been added.
    const field = object.byKey.get(edit.field.key) ?? edit.field
    const value = typeof given === 'string' ? given.trim() : given
    const fault = faultOf(field, value)
    // When the field is left in another way, it keeps the typed text and shows the error.
    if (fault && onward !== 'stay') return setEdit({ ...edit, value, error: fault })
    setEdit(undefined)
    if (fault) keepEdit(editKey(seen.id, field), { value, version: seen.version, message: fault })
    else save(record, field, value, seen)
    onEnd(onward)
  }

  const cancel = () => {
    if (!edit) return
    dropEdit(editKey(edit.seen.id, edit.field))
    setEdit(undefined)
    onEnd('stay')
  }

  /** The same value once more is no correction. */
  const change = (value: unknown) =>
    setEdit((now) => now && { ...now, value, error: isSame(now.value, value) ? now.error : undefined })

  return { edit, edits, isTyped, begin, beginRefused, change, commit, cancel, save }
}

const lettered = new Set<FieldShape['type']>(['text', 'long_text', 'email', 'phone', 'url', 'country'])
const takesLetters = ({ type, is_multi }: FieldShape) => lettered.has(type) && !is_multi

const isSame = (a: unknown, b: unknown) =>
  JSON.stringify(isEmpty(a) ? null : plain(a)) === JSON.stringify(isEmpty(b) ? null : plain(b))
