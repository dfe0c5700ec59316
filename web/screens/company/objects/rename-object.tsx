import { TextInput } from '@mantine/core'
import { contract } from '../../../../contract/index.ts'
import { api } from '../../../client/api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import { say } from '../../../ui/notices.tsx'
import { useOperationForm } from '../../../ui/operation-form.ts'
import { type RecordObject, useSchemaChanged } from './whole-schema.ts'

type Props = { object: RecordObject; onClose: () => void }

export function RenameObject({ object: { key, label, label_plural }, onClose }: Props) {
  const changed = useSchemaChanged()
  const form = useOperationForm({
    input: contract.updateObject.input.pick({ label: true, label_plural: true }),
    initialValues: { label, label_plural },
    send: (values) => api.updateObject({ object: key, ...values }),
    onDone: async () => {
      await changed()
      onClose()
      say('Names saved')
    },
    focusOnRefusal: 'label',
  })
  return (
    <Dialog title={`Rename ${label_plural}`} onClose={onClose}>
      <DialogForm of={form} action="Save names" onCancel={onClose}>
        <TextInput label="Name of one" autoComplete="off" data-autofocus {...form.field('label')} />
        <TextInput label="Name of many" autoComplete="off" {...form.field('label_plural')} />
      </DialogForm>
    </Dialog>
  )
}
