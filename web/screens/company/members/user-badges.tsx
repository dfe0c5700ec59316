import { Badge } from '../../../ui/badge.tsx'
import type { User } from '../../../users/users.ts'

/** What sets a user apart from an active person. */
export const UserBadges = ({ of: { kind, state } }: { of: Pick<User, 'kind' | 'state'> }) => (
  <>
    {kind === 'agent' && <Badge tone="accent">Agent</Badge>}
    {state === 'invited' && <Badge tone="warn">Invited</Badge>}
    {state === 'deactivated' && <Badge>Deactivated</Badge>}
  </>
)
