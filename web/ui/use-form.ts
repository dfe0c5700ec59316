import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import type * as z from 'zod'
import { useUnsaved } from '../client/unsaved.ts'
import { check, fieldErrors, wordsOf } from './form-errors.ts'

type Settings<Values, Sent extends object, Answer> = {
  input: z.ZodObject
  initial: Values
  /** What the operation is asked, made from what stands in the form. */
  ask: (values: Values) => Sent
  send: (sent: Sent) => Promise<Answer>
  onDone: (answer: Answer) => unknown
  /** What the form holds once it is saved. Left out: the form is gone then. */
  read?: (answer: Answer) => Values
}

/** The fields that hold a text. */
type TextIn<Values> = { [Field in keyof Values]: Values[Field] extends string ? Field : never }[keyof Values] & string

export type Draft = {
  errors: Record<string, string>
  failure: string | undefined
  isPending: boolean
  isDirty: () => boolean
  submit: () => void
  formRef: React.RefObject<HTMLFormElement | null>
}

/**
 * A form of any shape for one operation, in the manner of useOperationForm: the contract's rules speak first, what the
 * server refuses stands at its field, and nothing that was typed is lost. Answers with secrets stay in nobody's cache.
 */
export function useDraft<Values extends object, Sent extends object, Answer>(settings: Settings<Values, Sent, Answer>) {
  const { input, ask, send, onDone, read } = settings
  const [saved, setSaved] = useState(settings.initial)
  const [values, setValues] = useState(settings.initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string>()
  const [isPending, setPending] = useState(false)
  const formRef = useRef<HTMLFormElement>(null)
  const isDone = useRef(false)
  const tell = useUnsaved()

  const isDirty = () => !isDone.current && JSON.stringify(values) !== JSON.stringify(saved)
  useEffect(() => tell(isDirty()))
  useEffect(() => {
    if (Object.keys(errors).length) formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  const change = (patch: Partial<Values>) => {
    isDone.current = false
    setValues((now) => ({ ...now, ...patch }))
    setErrors((now) => without(now, Object.keys(patch)))
  }
  const text = (field: TextIn<Values>) => ({
    value: values[field] as string,
    error: errors[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      change({ [field]: event.currentTarget.value } as Partial<Values>),
  })
  const refuse = (error: unknown) => {
    const faults = fieldErrors(error)
    setErrors(faults)
    // Faults that no field shows are said above the form.
    if (!Object.keys(faults).some((path) => path.split('.')[0]! in values)) setFailure(wordsOf(error))
  }
  const submit = async () => {
    if (isPending) return
    const sent = ask(values)
    const faults = check(input)(sent as Record<string, unknown>)
    setErrors(faults)
    setFailure(undefined)
    if (Object.keys(faults).length) return
    setPending(true)
    try {
      const answer = await send(sent)
      isDone.current = true
      tell(false)
      if (read) {
        setSaved(read(answer))
        setValues(read(answer))
      }
      await onDone(answer)
    } catch (error) {
      isDone.current = false
      refuse(error)
    } finally {
      setPending(false)
    }
  }
  const draft: Draft = { errors, failure, isPending, isDirty, submit, formRef }
  const reset = () => {
    setValues(saved)
    setErrors({})
    setFailure(undefined)
  }
  return { draft, values, change, text, reset, errors, isPending, isDirty: isDirty() }
}

const without = (errors: Record<string, string>, fields: string[]) =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => !fields.includes(path.split('.')[0]!)))
