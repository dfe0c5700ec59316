import type { ReactNode } from 'react'
import { useArrival } from './keyboard.ts'
import css from './states.module.css'

type Props = { title: string; lead?: ReactNode; actions?: ReactNode; wide?: boolean; children: ReactNode }

/** The heading of a page with its content. The heading takes focus when one arrives here. */
export function Page({ title, lead, actions, wide, children }: Props) {
  useArrival()
  return (
    <div className={css.page} data-wide={wide || undefined}>
      <title>{`${title} · Kith`}</title>
      <header className={css.header}>
        <div className={css.heading}>
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
