import type { ReactNode } from 'react'
import { Wordmark } from '../../ui/logo.tsx'
import css from './entry.module.css'

type Props = { title: string; lead: ReactNode; children?: ReactNode; below?: ReactNode }

/** The room before the door: sign-in, set-up and what one opens by a link share it. */
export const Entry = ({ title, lead, children, below }: Props) => (
  <main className={css.room}>
    <title>{`${title} · Kith`}</title>
    <Wordmark />
    <div className={css.card}>
      <h1 tabIndex={-1}>{title}</h1>
      <p className={css.lead}>{lead}</p>
      {children}
    </div>
    {below && <p className={css.below}>{below}</p>}
    <p className={css.foot}>A CRM that people and their AI agents use side by side.</p>
  </main>
)
