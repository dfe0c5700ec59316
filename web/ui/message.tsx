import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './message.module.css'

type Props = {
  icon: LucideIcon
  title: string
  children?: ReactNode
  action?: ReactNode
  tone?: 'calm' | 'bad'
  /** Small print below, such as the request id. */
  note?: ReactNode
}

/** A quiet panel instead of content: nothing here yet, not found, not allowed, or failed. */
export const Message = ({ icon: Icon, title, children, action, tone = 'calm', note }: Props) => (
  <div className={css.message} role={tone === 'bad' ? 'alert' : undefined}>
    <span className={css.icon} data-tone={tone}>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
    </span>
    <p className={css.title}>{title}</p>
    {children && <div className={css.text}>{children}</div>}
    {action && <div className={css.action}>{action}</div>}
    {note && <p className={css.note}>{note}</p>}
  </div>
)
