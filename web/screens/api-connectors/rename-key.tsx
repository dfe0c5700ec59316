import { Button, TextInput } from '@mantine/core'
import { contract } from '../../../contract/index.ts'
import { api } from '../../api.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import css from '../../ui/form.module.css'
import { FormFailure } from '../../ui/form-failure.tsx'
import { say } from '../../ui/notices.ts'
import { useOperationForm } from '../../ui/operation-form.ts'
import { type Key, useKeysChanged } from './keys.ts'

export function RenameKey({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const changed = useKeysChanged()
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract.renameApiKey.input.pick({ name: true }),
    initialValues: { name: apiKey.name },
    send: ({ name }) => api.renameApiKey({ id: apiKey.id, name }),
    onDone: (renamed) => {
      changed((keys) => keys.map((key) => (key.id === renamed.id ? renamed : key)))
      say('Key renamed')
      onClose()
    },
    focusOnRefusal: 'name',
  })
  return (
    <Dialog title="Rename the key" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <div className={css.fields}>
          <FormFailure>{failure}</FormFailure>
          <TextInput
            label="Name"
            description="The clients that hold the key notice nothing."
            autoComplete="off"
            data-autofocus
            {...field('name')}
          />
        </div>
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Rename
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
