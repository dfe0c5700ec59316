import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type * as z from 'zod'
import { DialogForm } from './dialog-form.tsx'
import { useOperationForm } from './operation-form.ts'

type Props = {
  about?: ReactNode
  description?: string
  /** The rules of the operation for a name. */
  input: z.ZodObject
  name: string
  action: string
  /** What it answers stays with the caller, out of every cache. */
  send: (name: string) => Promise<void>
  onCancel: () => void
}

/** Asks in a dialog for the name of something. */
export function AskName({ about, description, input, name, action, send, onCancel }: Props) {
  const form = useOperationForm({
    input: input.pick({ name: true }),
    initialValues: { name },
    send: (values) => send(values.name),
    onDone: () => {},
    focusOnRefusal: 'name',
  })
  return (
    <DialogForm of={form} about={about} action={action} onCancel={onCancel}>
      {/* One for a dialog that opens with it, one for a dialog that is open already. */}
      <TextInput
        label="Name"
        description={description}
        autoComplete="off"
        data-autofocus
        autoFocus
        {...form.field('name')}
      />
    </DialogForm>
  )
}
