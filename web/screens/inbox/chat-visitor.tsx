import type { ChatVisitor } from '../../inbox/chat.ts'
import css from './thread.module.css'

/** Who the chat is with, and whether they write. */
export const ChatVisitorLine = ({ of: { name, email, is_verified, is_typing } }: { of: ChatVisitor }) => {
  const isKnown = Boolean(name || email)
  return (
    <p className={css.chat} role="status">
      {isKnown && <bdi>{name || email}</bdi>}
      {email && name && (
        <>
          {' '}
          · <bdi>{email}</bdi>
        </>
      )}
      {email && (is_verified ? ' · verified by the site' : ' · address not verified')}
      {isKnown && is_typing && ' · '}
      {is_typing && (
        <span>
          <bdi>{name || 'The visitor'}</bdi> is writing…
        </span>
      )}
    </p>
  )
}
