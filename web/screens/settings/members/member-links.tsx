import { Button } from '@mantine/core'
import { Hand, Link2, Mail, ShieldOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { wordsOf } from '../../../ui/basics/errors.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { FormFailure } from '../../../ui/basics/states.tsx'
import { Confirm, Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { ShownOnce } from '../../../ui/page/shown-once.tsx'
import { asMinute } from '../../../ui/text/moments.ts'
import { type User, useUsersChanged } from '../../../users/users.ts'
import css from './member-links.module.css'

/** Links for people who were invited or forgot their password. */
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
      about={invited ? 'Has not joined yet.' : 'For someone who can no longer sign in.'}
    >
      <div className={css.actions}>
        <Button variant="default" leftSection={<Link2 size={15} />} onClick={() => ask('link')}>
          {button}
        </Button>
        {/* You turn off your own in your profile, with your password. */}
        {user.two_factor && user.id !== me.id && (
          <Button variant="default" leftSection={<ShieldOff size={15} />} onClick={() => ask('two-factor')}>
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
            The previous link stops working. If mail is set up, the new one is also emailed to {user.email}.
          </p>
        </MakeLink>
      )}
      {asked === 'link' && !invited && (
        <MakeLink title={`Reset link for ${name}`} make={() => api.createResetLink({ id: user.id })} onClose={close}>
          <p className={css.text}>
            The link lets them choose a new password, which ends all their sessions. It works once, for 1 hour. Until
            they use it, the old password keeps working.
          </p>
          {user.two_factor && <p className={css.text}>Two-factor sign-in stays on, and its code is still required.</p>}
        </MakeLink>
      )}
    </Section>
  )
}

type Props = { title: string; make: () => Promise<MadeLink>; onClose: () => void; children: ReactNode }

/** Plain state on purpose: a mutation would hold on to the link after the dialog is gone. */
function MakeLink({ title, make, onClose, children }: Props) {
  const [made, setMade] = useState<MadeLink>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const create = async () => {
    setBusy(true)
    setFailure(undefined)
    await make().then(setMade, (error) => setFailure(wordsOf(error)))
    setBusy(false)
  }
  return (
    <Dialog title={title} size={520} onClose={onClose}>
      {made ? <ShownLink of={made} /> : children}
      <FormFailure>{failure}</FormFailure>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {made ? 'Done' : 'Cancel'}
        </Button>
        {!made && (
          <Button loading={busy} onClick={create} data-autofocus>
            Create link
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

export type MadeLink = { link: string | null; expires_at: string; sent_to: string | null }

/** A sign-in link to share now: it cannot be shown again. */
export const ShownLink = ({ of: { link, expires_at, sent_to } }: { of: MadeLink }) =>
  link === null ? (
    <OnlyMailed to={sent_to} until={expires_at} />
  ) : (
    <PassOn link={link} until={expires_at} to={sent_to} />
  )

const OnlyMailed = ({ to, until }: { to: string | null; until: string }) => (
  <p className={css.sent}>
    <Mail size={16} />
    <span>
      An email to <strong>{to}</strong> is on its way. Only that email contains the link, so no one else can use it. It
      is valid until {asMinute(until)}.
    </span>
  </p>
)

const PassOn = ({ link, until, to }: { link: string; until: string; to: string | null }) => (
  <>
    <p className={css.sent}>
      {to ? <Mail size={16} /> : <Hand size={16} />}
      <span>
        {to ? (
          <>
            An email to <strong>{to}</strong> is on its way. If it does not arrive, share this link.
          </>
        ) : (
          'No email was sent. Share this link with them privately.'
        )}
      </span>
    </p>
    <ShownOnce label="Link" value={link} copy="Copy link" />
    <p className={css.hint}>
      It works once, is valid until {asMinute(until)}, and is shown only here. Keep it private: it works for anyone who
      opens it.
    </p>
  </>
)

/** For someone who lost their phone and their recovery codes. */
export function TurnOffTwoFactor({ of: user, onClose }: { of: User; onClose: () => void }) {
  const changed = useUsersChanged()
  return (
    <Confirm
      title={`Turn off two-factor for ${user.name}?`}
      action="Turn off"
      act={async () => changed(await api.deleteUserTwoFactor({ id: user.id }))}
      onDone={() => say(`Two-factor sign-in for ${user.name} is off`)}
      onClose={onClose}
    >
      <p>For someone who lost both their phone and their recovery codes. Verify their identity first.</p>
      <ul>
        <li>Their password alone is enough to sign in, until they turn it on again.</li>
        <li>Their recovery codes stop working.</li>
      </ul>
    </Confirm>
  )
}
