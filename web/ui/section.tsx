import { type ReactNode, useId } from 'react'
import css from './section.module.css'

type Props = { title: string; about?: ReactNode; children: ReactNode }

/** A titled part of a page: what it is about on the left, its content on the right. */
export function Section({ title, about, children }: Props) {
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
