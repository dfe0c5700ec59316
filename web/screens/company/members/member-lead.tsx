import { useSignedIn } from '../../../client/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Initials } from '../../../ui/initials.tsx'
import type { User } from '../../../users/users.ts'
import css from './member.module.css'
import { UserBadges } from './user-badges.tsx'

export function MemberLead({ of: user }: { of: User }) {
  const { me } = useSignedIn()
  return (
    <span className={css.lead}>
      <Initials name={user.name} pictureId={user.picture_id} size={24} />
      <Badge>{user.role}</Badge>
      <UserBadges of={user} />
      {user.id === me.id && 'This is you.'}
    </span>
  )
}
