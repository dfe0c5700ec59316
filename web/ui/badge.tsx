import type { ReactNode } from 'react'
import css from './badge.module.css'

/** A word about something, beside its name. */
export const Badge = ({ tone, children }: { tone?: 'accent' | 'warn'; children: ReactNode }) => (
  <span className={css.badge} data-tone={tone}>
    {children}
  </span>
)
