import { Fragment, type ReactNode } from 'react'
import type { ChatVisitor } from '../../../channels/chat.ts'
import css from './thread.module.css'

/** Who the chat is with, where they are, and whether they write. */
export function ChatVisitorLine({ of: { name, email, is_verified, page, is_typing } }: { of: ChatVisitor }) {
  const parts: [key: string, part: ReactNode][] = [
    ['name', (name || email) && <bdi>{name || email}</bdi>],
    ['email', name && email && <bdi>{email}</bdi>],
    ['proof', email && (is_verified ? 'verified by the site' : 'address not verified')],
    ['page', page && isOfWeb(page) && <PageLink to={page} />],
    [
      'typing',
      is_typing && (
        <span>
          <bdi>{name || 'The visitor'}</bdi> is writing…
        </span>
      ),
    ],
  ]
  return (
    <p className={css.chat} role="status">
      {parts
        .filter(([, part]) => part)
        .map(([key, part], i) => (
          <Fragment key={key}>
            {i > 0 && ' · '}
            {part}
          </Fragment>
        ))}
    </p>
  )
}

/** It is what a visitor's browser said. */
const isOfWeb = (page: string) => /^https?:\/\//.test(page) && URL.canParse(page)

function PageLink({ to }: { to: string }) {
  const { host, pathname } = new URL(to)
  return (
    <>
      on{' '}
      <a href={to} target="_blank" rel="noopener noreferrer" title={to}>
        <bdi>{host + (pathname === '/' ? '' : pathname)}</bdi>
      </a>
    </>
  )
}
