import { Hand, Mail } from 'lucide-react'
import { asMinute } from '../../../ui/moments.ts'
import { ShownOnce } from '../../../ui/shown-once.tsx'
import css from './account-link.module.css'

export type MadeLink = { link: string; expires_at: string; sent_to: string | null }

/** A link that lets somebody in, to be passed on now: nobody can look it up afterwards. */
export const ShownLink = ({ of: { link, expires_at, sent_to } }: { of: MadeLink }) => (
  <>
    <p className={css.sent}>
      {sent_to ? <Mail size={16} aria-hidden="true" /> : <Hand size={16} aria-hidden="true" />}
      <span>
        {sent_to ? (
          <>
            A mail to <strong>{sent_to}</strong> is on its way. If it does not arrive, pass on this link.
          </>
        ) : (
          'No mail was sent. Pass this link on yourself, in a way that only they can read.'
        )}
      </span>
    </p>
    <ShownOnce label="Link" value={link} copy="Copy link" />
    <p className={css.hint}>
      It works once, is valid until {asMinute(expires_at)}, and is shown only here. Whoever opens it gets in.
    </p>
  </>
)
