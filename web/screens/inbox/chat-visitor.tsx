import type { ChatVisitor } from '../../inbox/chat.ts'
import css from './thread.module.css'

/** Who the chat is with, and whether they write. */
export const ChatVisitorLine = ({ of: { name, email, is_verified, is_typing } }: { of: ChatVisitor }) => (
  <p className={css.chat} role="status">
    <bdi>{name ?? email ?? 'The visitor'}</bdi>
    {email && name && (
      <>
        {' '}
        · <bdi>{email}</bdi>
      </>
    )}
    {email && (is_verified ? ' · verified by the site' : ' · address not verified')}
    {is_typing && ' · is writing…'}
  </p>
)
