import { api } from '../../../client/api.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { say } from '../../../ui/notices.tsx'
import { type User, useUsersChanged } from '../../../users/users.ts'

/** For somebody who lost the phone and the recovery codes. */
export function TurnOffTwoFactor({ of: user, onClose }: { of: User; onClose: () => void }) {
  const changed = useUsersChanged()
  return (
    <Confirm
      title={`Turn off two-factor of ${user.name}?`}
      action="Turn off"
      act={async () => changed(await api.turnOffUserTwoFactor({ id: user.id }))}
      onDone={() => say(`Two-factor sign-in of ${user.name} is off`)}
      onClose={onClose}
    >
      <p>For somebody who lost both phone and recovery codes. Make sure that it is really them who ask.</p>
      <ul>
        <li>Their password alone is enough to sign in, until they turn it on again.</li>
        <li>Their recovery codes stop working.</li>
      </ul>
    </Confirm>
  )
}
