import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { complain, say } from '../../../ui/notices.tsx'
import { Section } from '../../../ui/section.tsx'
import { type User, useUsersChanged } from '../../../users/users.ts'
import { Deactivate } from './deactivate.tsx'
import css from './member.module.css'
import { Remove } from './remove.tsx'

export function Leaving({ of: user }: { of: User }) {
  const { me } = useSignedIn()
  const [dialog, open] = useState<'deactivate' | 'remove'>()
  const close = () => open(undefined)
  const reactivate = useReactivate(user)
  if (user.id === me.id)
    return (
      <Section title="Leaving">
        <p className={css.text}>You cannot deactivate or remove yourself. Ask somebody else who manages members.</p>
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
  active: 'Deactivating can be taken back, removing cannot.',
  deactivated: 'Locked out until you let them in again.',
  invited: 'The link stops working at once.',
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
