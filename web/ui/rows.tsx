import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './rows.module.css'

export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={css.rows} aria-label={label}>
    {children}
  </ul>
)

type Props = { icon?: LucideIcon; title: ReactNode; note?: ReactNode; children?: ReactNode }

/** One thing in a short list: what it is, small print, and at its end what can be done with it. */
export const RowOf = ({ icon: Icon, title, note, children }: Props) => (
  <li className={css.row}>
    {Icon && <Icon size={18} strokeWidth={1.75} aria-hidden="true" className={css.icon} />}
    <div className={css.text}>
      <div className={css.title}>{title}</div>
      {note && <div className={css.note}>{note}</div>}
    </div>
    {children && <div className={css.end}>{children}</div>}
  </li>
)
