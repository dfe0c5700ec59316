import type { ReactNode } from 'react'
import css from './selection-bar.module.css'

/** The actions for the selected items of a list; stays visible while the list scrolls. */
export const SelectionBar = ({ said, children }: { said: string; children: ReactNode }) => (
  <section className={css.bar} aria-label="Selection" data-selection-bar>
    <span role="status" className={css.said}>
      {said}
    </span>
    {children}
  </section>
)
