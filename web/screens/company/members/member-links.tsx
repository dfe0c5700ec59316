import { Button } from '@mantine/core'
import { Link2, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { Section } from '../../../ui/section.tsx'
import type { User } from '../../../users/users.ts'
import { MakeLink } from './make-link.tsx'
import css from './member.module.css'
import { TurnOffTwoFactor } from './turn-off-two-factor.tsx'

/** A way in for somebody who was invited, or who forgot the password. */
export function MemberLinks({ of: user }: { of: User }) {
  const { me } = useSignedIn()
  const [asked, ask] = useState<'link' | 'two-factor'>()
  const close = () => ask(undefined)
  const invited = user.state === 'invited'
  const name = user.name
  const button = invited ? 'New invitation link' : 'Create a reset link'
  return (
    <Section
      title={invited ? 'Invitation' : 'Sign-in'}
      about={invited ? 'Has not joined yet.' : 'For somebody who cannot sign in any more.'}
    >
      <div className={css.actions}>
        <Button variant="default" leftSection={<Link2 size={15} aria-hidden="true" />} onClick={() => ask('link')}>
          {button}
        </Button>
        {/* One's own is turned off in the profile, with the password. */}
        {user.two_factor && user.id !== me.id && (
          <Button
            variant="default"
            leftSection={<ShieldOff size={15} aria-hidden="true" />}
            onClick={() => ask('two-factor')}
          >
            Turn off two-factor
          </Button>
        )}
      </div>
      {asked === 'two-factor' && <TurnOffTwoFactor of={user} onClose={close} />}
      {asked === 'link' && invited && (
        <MakeLink
          title={`New invitation for ${name}`}
          make={() => api.renewInvitation({ id: user.id })}
          onClose={close}
        >
          <p className={css.text}>
            The link before stops working. Where mail is set up, the new one is also mailed to {user.email}.
          </p>
        </MakeLink>
      )}
      {asked === 'link' && !invited && (
        <MakeLink title={`Reset link for ${name}`} make={() => api.createResetLink({ id: user.id })} onClose={close}>
          <p className={css.text}>
            With the link they choose a new password, which ends all their sessions. It is valid for 1 hour and works
            once. Until then the old password stays as it is.
          </p>
          {user.two_factor && <p className={css.text}>Two-factor sign-in stays on and still asks for its code.</p>}
        </MakeLink>
      )}
    </Section>
  )
}
