import { CircleCheck, MailWarning } from 'lucide-react'
import css from './mail.module.css'
import type { MailSettings } from './mail-query.ts'

/** Where mail comes from, in words. */
export function MailSource({ of: { source, host, from_name, from_email } }: { of: MailSettings }) {
  const sender = [from_name, from_email && `<${from_email}>`].filter(Boolean).join(' ')
  if (source === 'none')
    return (
      <p className={css.source} data-tone="warn">
        <MailWarning size={16} aria-hidden="true" />
        <span>
          <strong>Mail is not set up.</strong> Nothing is sent. Invitations and reset links have to be passed on by
          hand.
        </span>
      </p>
    )
  return (
    <p className={css.source}>
      <CircleCheck size={16} aria-hidden="true" />
      <span>
        <strong>{source === 'company' ? 'Your own server sends mail.' : 'Mail is set up for you.'}</strong>{' '}
        {source === 'company'
          ? `${host} sends it`
          : `The person who runs this installation has set the server${host ? ` ${host}` : ''}. It sends`}
        {sender && ` as ${sender}`}.
      </span>
    </p>
  )
}
