import { Button } from '@mantine/core'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { Section } from '../../../ui/section.tsx'
import type { User } from '../users.ts'
import { MakeLink } from './make-link.tsx'
import css from './member.module.css'

/** A way in for somebody who was invited, or who forgot the password. */
export function MemberLinks({ of: user }: { of: User }) {
  const [asked, ask] = useState(false)
  const invited = user.state === 'invited'
  const name = user.name
  const button = invited ? 'New invitation link' : 'Create a reset link'
  return (
    <Section
      title={invited ? 'Invitation' : 'Password'}
      about={invited ? 'Has not joined yet.' : 'For somebody who cannot sign in any more.'}
    >
      <Button variant="default" leftSection={<Link2 size={15} aria-hidden="true" />} onClick={() => ask(true)}>
        {button}
      </Button>
      {asked && invited && (
        <MakeLink
          title={`New invitation for ${name}`}
          make={() => api.renewInvitation({ id: user.id })}
          onClose={() => ask(false)}
        >
          <p className={css.text}>
            The link before stops working. Where mail is set up, the new one is also mailed to {user.email}.
          </p>
        </MakeLink>
      )}
      {asked && !invited && (
        <MakeLink
          title={`Reset link for ${name}`}
          make={() => api.createResetLink({ id: user.id })}
          onClose={() => ask(false)}
        >
          <p className={css.text}>
            With the link they choose a new password, which ends all their sessions. It is valid for 1 hour and works
            once. Until then the old password stays as it is.
          </p>
        </MakeLink>
      )}
    </Section>
  )
}
