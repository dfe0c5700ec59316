import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { useUnsaved } from '../../client/unsaved.ts'
import { fieldErrors, watched, withField, wordsOf } from '../basics/errors.ts'
import type { Rules } from './rules-of.ts'

type Settings<Values, Sent extends object, Answer> = {
  /** The rules of the operation; or others, that say what is wrong by field. */
  input: Rules | ((sent: Sent) => Record<string, string>)
  initial: Values
  /** Turns the values of the form into the input of the operation. Default: the values as they are. */
  ask?: (values: Values) => Sent
  send: (sent: Sent) => Promise<Answer>
  onDone: (answer: Answer) => unknown
  /** What the form holds once it is saved. Left out: the form is gone then. */
  read?: (answer: Answer) => Values
  /** The field that a path of the server's is about. Left out: the path itself. */
  fieldOf?: (path: string) => string
  /** The field to correct when the server refuses and names none. */
  focusOnRefusal?: keyof Values & string
  /** Whether leaving it with something typed asks first. */
  isGuarded?: boolean
}

type Way<Sent, Answer> = { send: (sent: Sent) => Promise<Answer>; onDone: (answer: Answer) => unknown }

/** What the components in form.tsx need to know of a form. */
export type FormState = {
  failure: string | undefined
  isPending: boolean
  submit: (event: React.FormEvent) => void
  /** Would leaving now lose something that was typed? */
  hasUnsaved?: () => boolean
  formRef?: React.RefObject<HTMLFormElement | null>
}

/** The fields that hold such a value. */
type FieldsOf<Values, Kind> = { [Field in keyof Values]: Values[Field] extends Kind ? Field : never }[keyof Values] &
  string

/**
 * A form for one operation. The contract's own rules speak first. What is refused is shown at its field, or above the form
 * if no field shows it; the focus goes to the first error, and nothing that was typed is lost. Answers with secrets are
 * not cached.
 */
export function useForm<Values extends object, Answer, Sent extends object = Values>(
  settings: Settings<Values, Sent, Answer>,
) {
  const { input, initial, send, onDone, read, fieldOf = asItIs, focusOnRefusal, isGuarded = true } = settings
  const ask = settings.ask ?? ((values: Values) => values as unknown as Sent)
  const [saved, setSaved] = useState(initial)
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string>()
  const [refusals, setRefusals] = useState(0)
  const [refusal, setRefusal] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const formRef = useRef<HTMLFormElement>(null)
  // The key that submits may be the one that ends a value.
  const latest = useRef(values)
  const isDone = useRef(false)
  const isChecking = useRef(false)
  const watch = useRef(watched({}))
  const tell = useUnsaved()

  const isDirty = JSON.stringify(values) !== JSON.stringify(saved)
  const hasUnsaved = () => isGuarded && isDirty && !isDone.current
  useEffect(() => tell(hasUnsaved()))
  useEffect(() => {
    if (!refusals) return
    const hidden = watch.current.hidden()
    if (hidden.length) setFailure((words) => words ?? hidden.slice(0, 3).map(withField).join('. '))
    focusFault(formRef.current, focusOnRefusal)
  }, [refusals, focusOnRefusal])

  const opened = useRef(input)
  useEffect(() => {
    if (typeof opened.current !== 'function') opened.current.load().catch(ignore)
  }, [])

  const set = (next: Values) => {
    latest.current = next
    setValues(next)
  }
  const change = (patch: Partial<Values>) => {
    isDone.current = false
    set({ ...latest.current, ...patch })
    setErrors((now) => without(now, Object.keys(patch)))
  }
  const refuse = (faults: Record<string, string>, words?: string) => {
    watch.current = watched(faults)
    setErrors(watch.current.errors)
    setFailure(words)
    setRefusals((count) => count + 1)
  }
  const run = async ({ send, onDone }: Way<Sent, Answer>) => {
    if (isPending || isChecking.current) return
    const sent = ask(latest.current)
    isChecking.current = true
    const faults = await faultsIn(input, sent).finally(() => {
      isChecking.current = false
    })
    setRefusal(undefined)
    if (Object.keys(faults).length) return refuse(faults)
    setErrors({})
    setFailure(undefined)
    setPending(true)
    try {
      const answer = await send(sent)
      isDone.current = true
      tell(false)
      if (read) {
        setSaved(read(answer))
        set(read(answer))
      }
      await onDone(answer)
    } catch (error) {
      isDone.current = false
      const faults = atFields(fieldErrors(error), fieldOf)
      const isAtFields = Object.keys(faults).some((path) => path.split('.')[0]! in values)
      setRefusal(error)
      refuse(faults, isAtFields ? undefined : wordsOf(error))
    } finally {
      setPending(false)
    }
  }
  const restart = (next: Values) => {
    set(next)
    setErrors({})
    setFailure(undefined)
    setRefusal(undefined)
  }
  const reset = () => restart(saved)

  const form = { failure, isPending, submit: () => void run({ send, onDone }), hasUnsaved, formRef } satisfies FormState
  const bound = (field: keyof Values & string) => ({ 'data-field': field, error: errors[field] })
  const put = (field: string, value: unknown) => change({ [field]: value } as Partial<Values>)
  return {
    form,
    /** Another way to send it, for a plain button: Enter does what the only button that submits does. */
    submitBy: (way: Partial<Way<Sent, Answer>>) => void run({ send, onDone, ...way }),
    values,
    errors,
    isDirty,
    /** What the server refused it with. */
    refusal,
    change,
    reset,
    /** The form with other values, as if it had just been opened. */
    restart,
    /** For a TextInput and its kin. */
    text: (field: FieldsOf<Values, string>) => ({
      ...bound(field),
      value: values[field] as string,
      onChange: (to: string | ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        put(field, typeof to === 'string' ? to : to.currentTarget.value),
    }),
    /** For a Select. One that can be searched hands out null while it is emptied: the choice before stays. */
    choice: (field: FieldsOf<Values, string>) => ({
      ...bound(field),
      value: values[field] as string,
      onChange: (to: string | null) => to !== null && put(field, to),
    }),
    /** For a NumberField. */
    number: (field: FieldsOf<Values, number | string | null>) => ({
      ...bound(field),
      value: (values[field] ?? '') as number | string,
      onChange: (to: number | '') => put(field, to),
    }),
    /** For a Checkbox or a Switch. */
    checked: (field: FieldsOf<Values, boolean>) => ({
      ...bound(field),
      checked: values[field] as boolean,
      onChange: (event: ChangeEvent<HTMLInputElement>) => put(field, event.currentTarget.checked),
    }),
  }
}

const ignore = () => undefined

async function faultsIn<Sent extends object>(input: Settings<unknown, Sent, unknown>['input'], sent: Sent) {
  if (typeof input === 'function') return input(sent)
  const rules = await input.load().catch(ignore)
  return rules?.(sent as never) ?? {}
}

const asItIs = (path: string) => path

/** An error of one value in a field with several is an error of the field. */
const atFields = (faults: Record<string, string>, fieldOf: (path: string) => string) =>
  fieldOf === asItIs
    ? faults
    : Object.fromEntries(Object.entries(faults).map(([path, words]) => [fieldOf(path).split('.')[0]!, words]))

function focusFault(form: HTMLFormElement | null, otherwise: string | undefined) {
  for (const fold of form?.querySelectorAll('details:has([aria-invalid="true"], [role="alert"]:not(:empty))') ?? [])
    fold.setAttribute('open', '')
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const next = field ?? form?.querySelector<HTMLElement>(`[data-field="${otherwise}"]`)
  next?.focus()
  // A value that was refused as a whole has to be typed again.
  if (next instanceof HTMLInputElement && next.dataset.field === otherwise) next.select()
}

const without = (errors: Record<string, string>, fields: string[]) =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => !fields.includes(path.split('.')[0]!)))
