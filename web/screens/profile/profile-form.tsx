import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { contract } from '../../../contract/index.ts'
import { useSignedIn, useUpdateMe } from '../../session.ts'
import css from '../../ui/form.module.css'
import { check, fieldErrors, wordsOf } from '../../ui/form-errors.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { say } from '../../ui/notices.ts'

export function ProfileForm() {
  const { me } = useSignedIn()
  const update = useUpdateMe()
  const form = useForm({ initialValues: { name: me.name }, validate: check(contract.updateMe.input) })
  const focus = () => form.getInputNode('name')?.focus()
  const submit = form.onSubmit(
    (values) =>
      update.mutate(values, {
        onSuccess: ({ name }) => {
          form.setInitialValues({ name })
          form.reset()
          say('Name saved')
        },
        onError: (error) => {
          form.setErrors(fieldErrors(error))
          focus()
        },
      }),
    focus,
  )
  return (
    <form onSubmit={submit} className={css.fields} noValidate>
      <FormFailure>{update.error && !fieldErrors(update.error).name && wordsOf(update.error)}</FormFailure>
      <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
      <div className={css.actions}>
        <Button type="submit" loading={update.isPending}>
          Save name
        </Button>
      </div>
    </form>
  )
}
