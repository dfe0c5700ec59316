import { type ReactNode, useId } from 'react'
import { useArrival } from './keyboard.ts'
import css from './page.module.css'

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

type SectionProps = { title: string; about?: ReactNode; children: ReactNode }

/** A titled part of a page: what it is about on the left, its content on the right. */
export function Section({ title, about, children }: SectionProps) {
  const id = useId()
  return (
    <section className={css.section} aria-labelledby={id}>
      <div className={css.about}>
        <h2 id={id}>{title}</h2>
        {about && <p>{about}</p>}
      </div>
      <div className={css.content}>{children}</div>
    </section>
  )
}
