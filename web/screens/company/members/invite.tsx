import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { contract } from '../../../../contract/index.ts'
import { api } from '../../../client/api.ts'
import { RoleSelect } from '../../../roles/role-select.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { DialogSubmit } from '../../../ui/dialog-form.tsx'
import { useDraft } from '../../../ui/draft.ts'
import { DraftForm } from '../../../ui/draft-form.tsx'
import form from '../../../ui/form.module.css'
import { useUsersChanged } from '../../../users/users.ts'
import { type MadeLink, ShownLink } from './account-link.tsx'

/** Asks whom to invite, then shows the link, which lives in this component alone and goes with it. */
export function Invite({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<MadeLink & { email: string }>()
  if (!made)
    return (
      <Dialog title="Invite somebody" onClose={onClose}>
        <InviteForm onMade={setMade} onCancel={onClose} />
      </Dialog>
    )
  return (
    <Dialog title={`${made.email} is invited`} size={520} onClose={onClose}>
      <ShownLink of={made} />
      <DialogActions>
        <Button variant="default" onClick={() => setMade(undefined)}>
          Invite another
        </Button>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type Props = { onMade: (made: MadeLink & { email: string }) => void; onCancel: () => void }

function InviteForm({ onMade, onCancel }: Props) {
  const changed = useUsersChanged()
  const { draft, values, change, text, errors, isPending } = useDraft({
    input: contract.inviteUser.input,
    initial: { email: '', name: '', role: 'Member', send: true },
    ask: ({ name, ...values }) => ({ ...values, name: name.trim() || undefined }),
    send: api.inviteUser,
    onDone: (made) => {
      void changed()
      onMade({ ...made, email: made.user.email ?? values.email })
    },
  })
  return (
    <DraftForm draft={draft} className="">
      <div className={form.fields}>
        <TextInput label="Email" type="email" autoComplete="off" data-autofocus {...text('email')} />
        <TextInput
          label="Name"
          description="Optional. They can change it when they join."
          autoComplete="off"
          {...text('name')}
        />
        <RoleSelect value={values.role} error={errors.role} onChange={(role) => change({ role })} />
        <Checkbox
          label="Send it by email too"
          description="You get a link to pass on in any case. An email is sent if mail is set up."
          checked={values.send}
          onChange={(event) => change({ send: event.currentTarget.checked })}
        />
      </div>
      <DialogSubmit action="Invite" isPending={isPending} onCancel={onCancel} />
    </DraftForm>
  )
}
