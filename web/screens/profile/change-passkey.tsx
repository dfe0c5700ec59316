import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { contract } from '../../../contract/index.ts'
import { api } from '../../api.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import css from '../../ui/form.module.css'
import { FormFailure } from '../../ui/form-failure.tsx'
import { say } from '../../ui/notices.ts'
import { useOperationForm } from '../../ui/operation-form.ts'
import { type Passkey, passkeysQuery } from './passkey.ts'

type Props = { passkey: Passkey; onClose: () => void }

export function RenamePasskey({ passkey, onClose }: Props) {
  const client = useQueryClient()
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract.renamePasskey.input.pick({ name: true }),
    initialValues: { name: passkey.name },
    send: ({ name }) => api.renamePasskey({ id: passkey.id, name }),
    onDone: async () => {
      await client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
      say('Passkey renamed')
      onClose()
    },
    focusOnRefusal: 'name',
  })
  return (
    <Dialog title="Rename the passkey" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <div className={css.fields}>
          <FormFailure>{failure}</FormFailure>
          <TextInput label="Name" autoComplete="off" data-autofocus {...field('name')} />
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

export function DeletePasskey({ passkey, onClose }: Props) {
  const client = useQueryClient()
  return (
    <Confirm
      title={`Delete ${passkey.name}?`}
      action="Delete"
      act={() => api.deletePasskey({ id: passkey.id })}
      onDone={async () => {
        await client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
        say('Passkey deleted')
      }}
      onClose={onClose}
    >
      <p>You can no longer sign in with it. Your device may go on offering it until you remove it there too.</p>
    </Confirm>
  )
}
