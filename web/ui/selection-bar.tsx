import type { ReactNode } from 'react'
import css from './selection-bar.module.css'

/** What can be done with the selected things of a list; stays in sight while the list scrolls. */
export const SelectionBar = ({ said, children }: { said: string; children: ReactNode }) => (
  <section className={css.bar} aria-label="Selection">
    <span role="status" className={css.said}>
      {said}
    </span>
    {children}
  </section>
)
