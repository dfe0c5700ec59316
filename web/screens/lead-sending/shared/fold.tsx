import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './lead-sending.module.css'

type Props = {
  title: string /** What is chosen inside, in a few words. */
  now?: string
  isOpen?: boolean
  children: ReactNode
}

/** A part of a form that most people leave as it is; closed, it says what that is. */
export const Fold = ({ title, now, isOpen, children }: Props) => (
  <details className={css.more} open={isOpen || undefined}>
    <summary>
      <ChevronRight size={14} />
      {title}
      {now && <span className={css.now}>{now}</span>}
    </summary>
    <div className={css.folded}>{children}</div>
  </details>
)
