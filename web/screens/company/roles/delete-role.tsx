import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../client/api.ts'
import { companySections } from '../../../client/areas.ts'
import { type Role, useRolesChanged } from '../../../roles/roles.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { say } from '../../../ui/notices.tsx'

export function DeleteRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const navigate = useNavigate()
  const changed = useRolesChanged()
  return (
    <Confirm
      title={`Delete the role ${role.name}?`}
      action="Delete"
      act={() => api.deleteRole({ id: role.id })}
      onDone={async () => {
        say(`Role ${role.name} deleted`)
        await navigate({ to: companySections.roles.to })
        await changed()
      }}
      onClose={onClose}
    >
      <p>Nobody has it, so nobody loses a right. It cannot be brought back.</p>
    </Confirm>
  )
}
