import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { contract } from '../../../../contract/index.ts'
import { api } from '../../../client/api.ts'
import { memberPage } from '../../../client/areas.ts'
import { RoleSelect } from '../../../roles/role-select.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogSubmit } from '../../../ui/dialog-form.tsx'
import { useDraft } from '../../../ui/draft.ts'
import { DraftForm } from '../../../ui/draft-form.tsx'
import form from '../../../ui/form.module.css'
import { useUsersChanged } from '../../../users/users.ts'

export function AddAgent({ onClose }: { onClose: () => void }) {
  const changed = useUsersChanged()
  const navigate = useNavigate()
  const { draft, values, change, text, errors, isPending } = useDraft({
    input: contract.createUser.input,
    initial: { name: '', role: 'Member' },
    ask: (values) => ({ ...values, kind: 'agent' as const }),
    send: api.createUser,
    onDone: (agent) => {
      void changed(agent)
      return navigate({ to: memberPage, params: { id: agent.id } })
    },
  })
  return (
    <Dialog title="Add an agent" onClose={onClose}>
      <DraftForm draft={draft} className="">
        <div className={form.fields}>
          <div>An agent is a user of its own, with a role but without a password. It gets in with its keys alone.</div>
          <TextInput
            label="Name"
            description="Everything it does is shown under this name."
            autoComplete="off"
            data-autofocus
            {...text('name')}
          />
          <RoleSelect value={values.role} error={errors.role} onChange={(role) => change({ role })} />
        </div>
        <DialogSubmit action="Add agent" isPending={isPending} onCancel={onClose} />
      </DraftForm>
    </Dialog>
  )
}
