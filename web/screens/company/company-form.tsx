import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { contract } from '../../../contract/index.ts'
import { useSignedIn, useUpdateCompany } from '../../session.ts'
import css from '../../ui/form.module.css'
import { check, fieldErrors, wordsOf } from '../../ui/form-errors.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { say } from '../../ui/notices.ts'

export function CompanyForm() {
  const { company } = useSignedIn()
  const update = useUpdateCompany()
  const form = useForm({ initialValues: { name: company.name }, validate: check(contract.updateCompany.input) })
  const focus = () => form.getInputNode('name')?.focus()
  const submit = form.onSubmit(
    (values) =>
      update.mutate(values, {
        onSuccess: ({ name }) => {
          form.setInitialValues({ name })
          form.reset()
          say('Company name saved')
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
      <TextInput label="Company name" autoComplete="organization" {...form.getInputProps('name')} />
      <div className={css.actions}>
        <Button type="submit" loading={update.isPending}>
          Save company name
        </Button>
      </div>
    </form>
  )
}
