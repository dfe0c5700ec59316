import { Button, TextInput } from '@mantine/core'
import type * as z from 'zod'
import css from './form.module.css'
import { FormFailure } from './form-failure.tsx'
import { say } from './notices.ts'
import { useOperationForm } from './operation-form.ts'

type Props = {
  label: string
  autoComplete: string
  name: string
  input: z.ZodObject
  save: (values: { name: string }) => Promise<{ name: string }>
}

/** One name that can be changed, of whatever it is. */
export function NameForm({ label, autoComplete, name, input, save }: Props) {
  const { form, field, submit, failure, isPending } = useOperationForm({
    input,
    initialValues: { name },
    send: save,
    onDone: (saved) => {
      form.setInitialValues({ name: saved.name })
      form.reset()
      say(`${label} saved`)
    },
    focusOnRefusal: 'name',
    keepsTyped: true,
  })
  return (
    <form onSubmit={submit} className={css.fields} noValidate>
      <FormFailure>{failure}</FormFailure>
      <TextInput label={label} autoComplete={autoComplete} {...field('name')} />
      <div className={css.actions}>
        <Button type="submit" loading={isPending}>
          Save {label.toLowerCase()}
        </Button>
      </div>
    </form>
  )
}
