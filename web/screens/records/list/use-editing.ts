import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../api.ts'
import type { Onward } from '../../../records/field-editor.tsx'
import type { RecordShape } from '../../../records/records-api.ts'
import { useUpdateRecord } from '../../../records/records-api.ts'
import { refusalOf } from '../../../records/refusal.ts'
import { plain } from '../../../records/related.ts'
import type { FieldShape, ObjectShape } from '../../../records/schema.ts'
import { type Seen, useSeen, versionSince } from '../../../records/seen.ts'
import { faultOf } from '../../../records/value-fault.ts'
import { isEmpty, type Money } from '../../../records/value-text.ts'
import { complain } from '../../../ui/notices.tsx'
import { useUnsaved } from '../../../ui/unsaved.ts'
import { editedIn, valueIn } from './list-columns.ts'
import { cellId, type Place } from './use-active.ts'

export type Edit = Place & {
  field: FieldShape
  value: unknown
  seen: Seen
  typed?: string | undefined
  error?: string | undefined
}
/** What was entered and not taken: it stays in its cell until it is corrected, sent again or given up. */
export type Refused = { place: Place; field: FieldShape; value: unknown; message: string; isAway: boolean }
export type Editing = ReturnType<typeof useEditing>

export function useEditing(object: ObjectShape, onEnd: (onward: Onward) => void) {
  const [edit, setEdit] = useState<Edit>()
  const [refused, setRefused] = useState<Map<string, Refused>>(new Map())
  const see = useSeen()
  const tell = useUnsaved()
  useEffect(() => tell(edit !== undefined || refused.size > 0))
  const titles = useRef(new Map<string, string>())

  const saidOf = (update: { id: string; values: object } | undefined) => {
    const [key = ''] = Object.keys(update?.values ?? {})
    return `${object.byKey.get(key)?.label ?? key} of ${titles.current.get(update?.id ?? '')} changed.`
  }

  const keep = (one: Refused) => setRefused((all) => new Map(all).set(cellId(one.place), one))
  const forget = useCallback(
    (place: Place) =>
      setRefused((all) => {
        if (!all.has(cellId(place))) return all
        const next = new Map(all)
        next.delete(cellId(place))
        return next
      }),
    [],
  )
  const { mutate } = useUpdateRecord(object.key, {
    said: (_, [update]) => saidOf(update),
    onRefused: (error, { id, values }) => {
      const [key] = Object.keys(values)
      const field = key && (object.byKey.get(key) ?? object.titleField)
      if (!key || !field) return
      const place = { id, key: key === object.titleField?.key ? 'title' : key }
      const message = refusalOf(error)
      const isAway = error instanceof ApiError && error.isAway
      keep({ place, field, value: values[key], message, isAway })
      if (!isAway) complain(`${field.label} was not saved`, error)
    },
  })

  const begin = (record: RecordShape, column: FieldShape, typed?: string) => {
    const field = editedIn(object, column)
    if (!field || object.rights.edit === 'none') return false
    const place = { id: record.id, key: column.key }
    const before = refused.get(cellId(place))
    const now = before ? before.value : valueIn(object, column, record)
    if (field.type === 'boolean') {
      save(record, column, now !== true)
      return true
    }
    const value = typed !== undefined && takesLetters(field) ? typed : (now ?? null)
    setEdit({ ...place, field, value, typed, error: before?.message, seen: see(record, field.key) })
    return true
  }

  /** Opens with a text that does not fit, and says why. */
  const beginRefused = (record: RecordShape, column: FieldShape, typed: string, error: string) => {
    const field = editedIn(object, column)
    if (!field) return
    const now = valueIn(object, column, record) ?? null
    const currency = (now as Money | null)?.currency
    const value = field.is_multi ? now : field.type === 'money' ? { amount: typed, currency } : typed
    setEdit({ id: record.id, key: column.key, field, value, typed, error, seen: see(record, field.key) })
  }

  const save = (record: RecordShape, column: FieldShape, value: unknown, seen?: Seen) => {
    const field = editedIn(object, column)
    if (!field) return
    forget({ id: record.id, key: column.key })
    if (isSame(valueIn(object, column, record), value) || (seen && isSame(seen.value, value))) return
    titles.current.set(record.id, String(record.title))
    const values = { [field.key]: isEmpty(value) ? null : value }
    mutate({ id: record.id, values, version: versionSince(seen, record, field.key) })
  }

  const commit = (record: RecordShape, column: FieldShape, given: unknown, onward: Onward) => {
    if (!edit) return
    const value = typeof given === 'string' ? given.trim() : given
    const fault = faultOf(edit.field, value)
    // Whoever leaves the cell in another way finds what was typed there, marked.
    if (fault && onward !== 'stay') return setEdit({ ...edit, value, error: fault })
    setEdit(undefined)
    if (fault) keep({ place: { id: edit.id, key: edit.key }, field: edit.field, value, message: fault, isAway: false })
    else save(record, column, value, edit.seen)
    onEnd(onward)
  }

  const cancel = () => {
    if (!edit) return
    forget(edit)
    setEdit(undefined)
    onEnd('stay')
  }

  const sendAgain = () => {
    for (const { place, field, value, isAway } of refused.values()) {
      if (!isAway) continue
      forget(place)
      mutate({ id: place.id, values: { [field.key]: value } })
    }
  }

  return {
    edit,
    refused,
    begin,
    beginRefused,
    commit,
    cancel,
    save,
    forget,
    sendAgain,
    // The same value once more is no correction.
    change: (value: unknown) =>
      setEdit((now) => now && { ...now, value, error: isSame(now.value, value) ? now.error : undefined }),
  }
}

const lettered = new Set<FieldShape['type']>(['text', 'long_text', 'email', 'phone', 'url', 'country'])
const takesLetters = ({ type, is_multi }: FieldShape) => lettered.has(type) && !is_multi

const isSame = (a: unknown, b: unknown) =>
  JSON.stringify(isEmpty(a) ? null : plain(a)) === JSON.stringify(isEmpty(b) ? null : plain(b))
