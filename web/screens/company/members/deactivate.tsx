import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { say } from '../../../ui/notices.tsx'
import { type User, useUsersChanged } from '../../../users/users.ts'
import { HeirSelect } from './successor-select.tsx'

export function Deactivate({ user, onClose }: { user: User; onClose: () => void }) {
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
        {user.kind === 'person' && <li>They are signed out everywhere at once, and cannot sign in.</li>}
        <li>All keys are deleted. What uses them stops working.</li>
        <li>You can reactivate {user.kind === 'person' ? 'them' : 'it'} later; deleted keys do not come back.</li>
      </ul>
      <HeirSelect of={user} value={successor} onChange={setHeir} />
    </Confirm>
  )
}
