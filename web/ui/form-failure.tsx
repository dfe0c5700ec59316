import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './form-failure.module.css'

/** Why a form was refused. Drawn empty too, so that screen readers hear it arrive. */
export const FormFailure = ({ children }: { children?: ReactNode }) => (
  <div role="alert" className={css.slot}>
    {children && (
      <div className={css.failure}>
        <CircleAlert size={16} aria-hidden="true" />
        <span>{children}</span>
      </div>
    )}
  </div>
)
