import { useRef, useState } from 'react'
import { useSignedIn } from '../../../client/session.ts'
import { useKept } from '../../../records/kept.ts'
import { type RecordShape, useCreateRecord } from '../../../records/records-api.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { saidAndUndoable } from '../../../records/undo.tsx'
import type { Values } from '../../../records/update-record.ts'
import { faultOf } from '../../../records/value-fault.ts'
import { isEmpty } from '../../../records/value-text.ts'
import { fieldErrors, holderOf, reasonOf } from '../../../ui/form-errors.ts'

type Errors = Record<string, string>

/**
 * What was typed stays when it is refused. Of a form that was closed, it is kept as a draft, which the next form offers
 * and does not fill in by itself: it was meant for another record.
 */
export function useCreate(object: ObjectShape, begin: Values | undefined, onSaved: (record: RecordShape) => void) {
  const { me } = useSignedIn()
  const [kept, keep] = useKept<Values>(`create ${object.key}`, {})
  const [draft, setDraft] = useState(Object.keys(kept).length ? kept : undefined)
  const [values, setValues] = useState<Values>(() => ({ ...defaultsOf(object, me.id), ...begin }))
  const [errors, setErrors] = useState<Errors>({})
  const [failure, setFailure] = useState<string>()
  const [holder, setHolder] = useState<ReturnType<typeof holderOf>>()
  const { mutate, isPending } = useCreateRecord(object.key, ({ record, change_set_id }) => {
    keep(draft)
    saidAndUndoable(`${String(record.title)} created.`, change_set_id)
  })
  const form = useRef<HTMLFormElement>(null)
  // The key that saves may be the one that ends a value.
  const latest = useRef(values)
  const typed = useRef<Values>({})

  const change = (key: string, value: unknown) => {
    setErrors(({ [key]: _, ...others }) => others)
    latest.current = { ...latest.current, [key]: value }
    setValues(latest.current)
    typed.current = { ...typed.current, [key]: value }
    const said = saidOf(typed.current)
    keep(Object.keys(said).length ? said : draft)
  }
  const show = (faults: Errors) => {
    setErrors(faults)
    // The fields show them in the next frame.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const refuse = (error: unknown) => {
    const faults = atFields(fieldErrors(error))
    const isShown = Object.keys(faults).some((key) => object.byKey.has(key))
    if (!isShown) setFailure(reasonOf(error))
    setHolder(holderOf(error))
    show(faults)
  }
  const save = (isOpened: boolean, onOpen: (record: RecordShape) => void) => {
    if (isPending) return
    const faults = Object.fromEntries(
      object.fields.flatMap((field) => {
        const fault = field.is_read_only ? undefined : faultOf(field, latest.current[field.key])
        return fault ? [[field.key, fault]] : []
      }),
    )
    setFailure(undefined)
    setHolder(undefined)
    show(faults)
    if (Object.keys(faults).length) return
    mutate(
      { ...saidOf(latest.current), ...clearedIn(object, latest.current) },
      {
        onSuccess: ({ record }) => {
          onSaved(record)
          if (isOpened) onOpen(record)
        },
        onError: refuse,
      },
    )
  }
  const restoreDraft = () => {
    typed.current = { ...draft, ...typed.current }
    latest.current = { ...defaultsOf(object, me.id), ...draft, ...begin, ...typed.current }
    setValues(latest.current)
    keep(saidOf(typed.current))
    setDraft(undefined)
  }
  const discardDraft = () => {
    keep(Object.keys(typed.current).length ? saidOf(typed.current) : undefined)
    setDraft(undefined)
  }
  return { values, errors, failure, holder, isPending, draft, restoreDraft, discardDraft, change, save, form }
}

/** records.0.emails.1 is about the field emails. */
const atFields = (faults: Errors): Errors =>
  Object.fromEntries(
    Object.entries(faults).map(([path, message]) => [path.replace(/^records\.0\./, '').split('.')[0]!, message]),
  )

/** `me` as the default of a user is whoever creates the record. */
export const defaultsOf = (object: ObjectShape, me: string): Values =>
  Object.fromEntries(
    withDefault(object).map(({ key, type, default_value }) => [
      key,
      type === 'user' && default_value === 'me' ? me : default_value,
    ]),
  )

const withDefault = ({ fields }: ObjectShape) =>
  fields.filter(({ default_value, is_read_only }) => !isEmpty(default_value) && !is_read_only)

/** A default that was cleared in the form must not come back. */
const clearedIn = (object: ObjectShape, values: Values): Values =>
  Object.fromEntries(
    withDefault(object)
      .filter(({ key }) => isEmpty(values[key]))
      .map(({ key }) => [key, null]),
  )

/** Only what says something: an empty field is left to the server's defaults. */
export const saidOf = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values)
      .map(([key, value]) => [key, typeof value === 'string' ? value.trim() : value] as const)
      .filter(([, value]) => !isEmpty(value)),
  )
