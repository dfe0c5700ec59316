import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../../api.ts'
import { useConnected } from '../../../../connection.ts'
import type { Onward } from '../../../../records/field-editor.tsx'
import { type RecordShape, useUpdateRecord } from '../../../../records/records-api.ts'
import { refusalOf } from '../../../../records/refusal.ts'
import { plain } from '../../../../records/related.ts'
import type { FieldShape, ObjectShape } from '../../../../records/schema.ts'
import { type Seen, useSeen, versionSince } from '../../../../records/seen.ts'
import { faultOf } from '../../../../records/value-fault.ts'
import { isEmpty } from '../../../../records/value-text.ts'
import { holderOf } from '../../../../ui/form-errors.ts'
import { complain } from '../../../../ui/notices.tsx'
import { useUnsaved } from '../../../../ui/unsaved.ts'

/** `isAway`: the server was not reached, so it has not said no. */
type Refused = { value: unknown; message: string; isAway: boolean; holder?: ReturnType<typeof holderOf> }
type Edit = { value: unknown; seen: Seen; error?: string | undefined }

/** One field of one record: shown as saved at once; what is refused stays as typed, with the reason. */
export function useFieldEdit(
  object: ObjectShape,
  record: RecordShape,
  field: FieldShape,
  onEnd: (onward: Onward) => void,
) {
  const [edit, setEdit] = useState<Edit>()
  const [refused, setRefused] = useState<Refused>()
  const see = useSeen()
  const tell = useUnsaved()
  const saved = record[field.key]
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const { mutate, isPending } = useUpdateRecord(object.key, {
    said: () => `${field.label} of ${String(record.title)} changed.`,
    onRefused: (error, { values }) => {
      const isAway = error instanceof ApiError && error.isAway
      setRefused({ value: values[field.key], message: refusalOf(error), isAway, holder: holderOf(error) })
      // Whoever left meanwhile does not see the field.
      if (!isHere.current) complain(`${field.label} of ${String(record.title)} was not saved`, error)
    },
  })
  const save = (value: unknown, seen?: Seen) => {
    setRefused(undefined)
    if (isSame(saved, value) || (seen && isSame(seen.value, value))) return
    const values = { [field.key]: isEmpty(value) ? null : value }
    mutate({ id: record.id, values, version: versionSince(seen, record, field.key) })
  }
  const isOnline = useConnected()
  const isTyped = edit !== undefined && !isSame(edit.value, saved)
  useEffect(() => tell(isTyped || refused !== undefined || (isPending && !isOnline)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: sent again once, when the connection is back
  useEffect(() => {
    if (isOnline && refused?.isAway && !edit) save(refused.value)
  }, [isOnline])
  return {
    edit,
    refused,
    /** What the place shows: what was refused rather than what is stored, so that nothing typed is lost. */
    value: refused ? refused.value : saved,
    save,
    begin: () => {
      const seen = see(record, field.key)
      setEdit(refused ? { value: refused.value, error: refused.message, seen } : { value: saved ?? null, seen })
    },
    change: (value: unknown) => setEdit((now) => ({ value, seen: now?.seen })),
    commit: (given: unknown, onward: Onward) => {
      const value = typeof given === 'string' ? given.trim() : given
      const fault = faultOf(field, value)
      if (fault && onward !== 'stay') return setEdit({ value, error: fault, seen: edit?.seen })
      setEdit(undefined)
      if (fault) setRefused({ value, message: fault, isAway: false })
      else save(value, edit?.seen)
      onEnd(onward)
    },
    cancel: () => {
      setEdit(undefined)
      setRefused(undefined)
      onEnd('below')
    },
  }
}

const isSame = (a: unknown, b: unknown) =>
  JSON.stringify(isEmpty(a) ? null : plain(a)) === JSON.stringify(isEmpty(b) ? null : plain(b))
