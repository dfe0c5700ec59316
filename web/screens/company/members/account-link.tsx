import { Hand, Mail } from 'lucide-react'
import { asMinute } from '../../../ui/moments.ts'
import { ShownOnce } from '../../../ui/shown-once.tsx'
import css from './account-link.module.css'

export type MadeLink = { link: string | null; expires_at: string; sent_to: string | null }

/** A link that lets somebody in, to be passed on now: nobody can look it up afterwards. */
export const ShownLink = ({ of: { link, expires_at, sent_to } }: { of: MadeLink }) =>
  link === null ? (
    <OnlyMailed to={sent_to} until={expires_at} />
  ) : (
    <PassOn link={link} until={expires_at} to={sent_to} />
  )

const OnlyMailed = ({ to, until }: { to: string | null; until: string }) => (
  <p className={css.sent}>
    <Mail size={16} aria-hidden="true" />
    <span>
      An email to <strong>{to}</strong> is on its way. Only that email contains the link, so no one else can use it. It
      is valid until {asMinute(until)}.
    </span>
  </p>
)

const PassOn = ({ link, until, to }: { link: string; until: string; to: string | null }) => (
  <>
    <p className={css.sent}>
      {to ? <Mail size={16} aria-hidden="true" /> : <Hand size={16} aria-hidden="true" />}
      <span>
        {to ? (
          <>
            An email to <strong>{to}</strong> is on its way. If it does not arrive, pass on this link.
          </>
        ) : (
          'No email was sent. Pass this link on yourself, in a way that only they can read.'
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
