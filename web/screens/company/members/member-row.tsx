import { memberPage } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { Ago } from '../../../ui/ago.tsx'
import { Initials } from '../../../ui/initials.tsx'
import { RowLink } from '../../../ui/row-link.tsx'
import { Cell, Row } from '../../../ui/table.tsx'
import type { User } from '../../../users/users.ts'
import css from './member-list.module.css'
import { UserBadges } from './user-badges.tsx'

export function MemberRow({ of: user, manages }: { of: User; manages: boolean }) {
  const { me } = useSignedIn()
  return (
    <Row data-away={user.state === 'deactivated' || undefined}>
      <Cell kind="name">
        <div className={css.who}>
          <Initials name={user.name} pictureId={user.picture_id} size={32} />
          <div>
            <span className={css.name}>
              <RowLink to={memberPage} params={{ id: user.id }}>
                {user.name}
              </RowLink>
              {user.id === me.id && <span className={css.you}>you</span>}
              <UserBadges of={user} />
            </span>
            {user.email && <span className={css.email}>{user.email}</span>}
          </div>
        </div>
      </Cell>
      <Cell kind="role" label="Role">
        <bdi>{user.role}</bdi>
      </Cell>
      {manages && (
        <>
          <Cell kind="seen" label="Last seen">
            {user.last_seen_at ? <Ago at={user.last_seen_at} /> : <span className={css.dim}>Never</span>}
          </Cell>
          <Cell kind="factor" label="Two-factor">
            <TwoFactor of={user} />
          </Cell>
        </>
      )}
    </Row>
  )
}

function TwoFactor({ of: { kind, two_factor } }: { of: User }) {
  if (kind === 'agent')
    return (
      <span className={css.dim} title="Agents sign in with keys alone">
        –
      </span>
    )
  return two_factor ? 'On' : <span className={css.dim}>Off</span>
}
