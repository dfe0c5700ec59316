import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import type * as z from 'zod'
import { check, fieldErrors, wordsOf } from './form-errors.ts'

type Texts = Record<string, string>

/**
 * A short form of text fields for one operation, which one may leave unasked: to sign in, or in a dialog. The contract's
 * own rules speak first; what the server refuses stands at its field, or above the form; the focus goes to the first
 * fault, and nothing that was typed is lost.
 */
export function useOperationForm<Values extends Texts, Answer>({
  input,
  initialValues,
  send,
  onDone,
  focusOnRefusal,
}: {
  input: z.ZodObject
  initialValues: Values
  send: (values: Values) => Promise<Answer>
  onDone: (answer: Answer) => unknown
  focusOnRefusal?: keyof Values & string
}) {
  const form = useForm<Values>({
    // Fields are found by name in the whole page, which may hold another form with the same ones.
    name: useId().replaceAll('_', ''),
    mode: 'uncontrolled',
    initialValues,
    validate: check(input) as never,
  })
  const shown = (errors: Texts) => Object.keys(errors).find((field) => field in initialValues)
  const focus = (field: string | undefined) => field && form.getInputNode(field)?.focus()
  const mutation = useMutation({
    mutationFn: send,
    // Passwords and keys pass through here: the cache lets go of them together with the form.
    gcTime: 0,
    onSuccess: (answer) => onDone(answer),
    onError: (error) => {
      const faults = fieldErrors(error)
      form.setErrors(faults)
      focus(shown(faults) ?? focusOnRefusal)
    },
  })
  return {
    form,
    field: (name: keyof Values & string) => ({ key: form.key(name), ...form.getInputProps(name) }),
    submit: form.onSubmit(
      (values) => mutation.mutate(values),
      (errors) => focus(shown(errors as Texts)),
    ),
    isPending: mutation.isPending,
    failure: mutation.error && !shown(fieldErrors(mutation.error)) ? wordsOf(mutation.error) : undefined,
  }
}
