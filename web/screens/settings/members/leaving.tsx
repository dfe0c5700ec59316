import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { companySections } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { Confirm } from '../../../ui/form/dialog.tsx'
import { UserSelect } from '../../../users/user-select.tsx'
import { type User, useUsersChanged } from '../../../users/users.ts'
import css from './member-links.module.css'

export function Leaving({ of: user }: { of: User }) {
  const { me } = useSignedIn()
  const [dialog, open] = useState<'deactivate' | 'remove'>()
  const close = () => open(undefined)
  const reactivate = useReactivate(user)
  if (user.id === me.id)
    return (
      <Section title="Leaving">
        <p className={css.text}>You cannot deactivate or remove yourself. Ask someone else who manages members.</p>
      </Section>
    )
  return (
    <Section title="Leaving" about={abouts[user.state]}>
      <div className={css.actions}>
        {user.state === 'deactivated' && (
          <Button variant="default" loading={reactivate.isPending} onClick={() => reactivate.mutate()}>
            Reactivate
          </Button>
        )}
        {user.state === 'active' && (
          <Button variant="default" onClick={() => open('deactivate')}>
            Deactivate
          </Button>
        )}
        <Button variant="default" className={css.bad} onClick={() => open('remove')}>
          {user.state === 'invited' ? 'Withdraw the invitation' : 'Remove'}
        </Button>
      </div>
      {dialog === 'deactivate' && <Deactivate user={user} onClose={close} />}
      {dialog === 'remove' && <Remove user={user} onClose={close} />}
    </Section>
  )
}

const abouts = {
  active: 'You can reactivate a deactivated member. Removing is permanent.',
  deactivated: 'Cannot sign in until you reactivate them.',
  invited: 'The link stops working immediately.',
}

function useReactivate(user: User) {
  const changed = useUsersChanged()
  return useMutation({
    mutationFn: () => api.reactivateUser({ id: user.id }),
    onSuccess: (user) => {
      say(user.kind === 'agent' ? 'Reactivated. Give it a new key.' : 'Reactivated. They can sign in again.')
      return changed(user)
    },
    onError: (error) => complain(`${user.name} was not reactivated`, error),
  })
}

function Deactivate({ user, onClose }: { user: User; onClose: () => void }) {
  const { me } = useSignedIn()
  const [successor, setHeir] = useState(me.id)
  const changed = useUsersChanged()
  const act = async () => changed(await api.deactivateUser({ id: user.id, reassign_to: successor }))
  return (
    <Confirm
      title={`Deactivate ${user.name}?`}
      action="Deactivate"
      act={act}
      onDone={() => say(`${user.name} is deactivated`)}
      onClose={onClose}
    >
      <ul>
        {user.kind === 'person' && <li>They are signed out everywhere immediately and can no longer sign in.</li>}
        <li>All keys are deleted. Clients that use them stop working.</li>
        <li>You can reactivate {user.kind === 'person' ? 'them' : 'it'} later; deleted keys do not come back.</li>
      </ul>
      <HeirSelect of={user} value={successor} onChange={setHeir} />
    </Confirm>
  )
}

function Remove({ user, onClose }: { user: User; onClose: () => void }) {
  const { me } = useSignedIn()
  const [successor, setHeir] = useState(me.id)
  const changed = useUsersChanged()
  const navigate = useNavigate()
  const invited = user.state === 'invited'
  const name = user.name
  const onDone = async () => {
    say(invited ? 'Invitation withdrawn' : `${name} is removed`)
    await navigate({ to: companySections.members.to })
    await changed()
  }
  return (
    <Confirm
      title={invited ? `Withdraw the invitation for ${name}?` : `Remove ${name}?`}
      action={invited ? 'Withdraw' : 'Remove'}
      act={() => api.deleteUser({ id: user.id, reassign_to: invited ? undefined : successor })}
      onDone={onDone}
      onClose={onClose}
    >
      {invited ? (
        <p>The link stops working immediately. You can invite the same address again.</p>
      ) : (
        <>
          <ul>
            <li>
              {user.kind === 'person' ? 'They are signed out' : 'It is signed out'} immediately, and all keys are
              deleted.
            </li>
            <li>Their name stays in the history; everything else is deleted permanently.</li>
            {user.kind === 'person' && <li>To let them back in, invite them again.</li>}
          </ul>
          <HeirSelect of={user} value={successor} onChange={setHeir} />
        </>
      )}
    </Confirm>
  )
}

type Props = { of: User; value: string; onChange: (id: string) => void }

/** Who gets the records of someone who leaves. */
const HeirSelect = ({ of: user, value, onChange }: Props) => (
  <UserSelect
    label="Who takes over the records?"
    state="active"
    except={user.id}
    value={value}
    onChange={(id) => id && onChange(id)}
  />
)
