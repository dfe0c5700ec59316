import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { companySections } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { say } from '../../../ui/notices.tsx'
import { type User, useUsersChanged } from '../../../users/users.ts'
import { HeirSelect } from './successor-select.tsx'

export function Remove({ user, onClose }: { user: User; onClose: () => void }) {
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
      title={invited ? `Withdraw the invitation of ${name}?` : `Remove ${name}?`}
      action={invited ? 'Withdraw' : 'Remove'}
      act={() => api.removeUser({ id: user.id, reassign_to: invited ? undefined : successor })}
      onDone={onDone}
      onClose={onClose}
    >
      {invited ? (
        <p>The link stops working at once. You can invite the same address again.</p>
      ) : (
        <>
          <ul>
            <li>
              {user.kind === 'person' ? 'They are signed out' : 'It is shut out'} at once, and all keys are deleted.
            </li>
            <li>The name stays in the history; the rest is gone for good.</li>
            {user.kind === 'person' && <li>To let them back in, you would invite them anew.</li>}
          </ul>
          <HeirSelect of={user} value={successor} onChange={setHeir} />
        </>
      )}
    </Confirm>
  )
}
