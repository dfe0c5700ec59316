import { type ReactNode, useId } from 'react'
import css from './record.module.css'

type Props = { title: string; count?: ReactNode; action?: ReactNode; children: ReactNode }

/** A titled part of a record's page. */
export function Part({ title, count, action, children }: Props) {
  const id = useId()
  return (
    <section className={css.part} aria-labelledby={id}>
      <header className={css.partHead}>
        <h2 id={id}>{title}</h2>
        {count !== undefined && <span className={css.partCount}>{count}</span>}
        {action && <div className={css.partAction}>{action}</div>}
      </header>
      {children}
    </section>
  )
}
