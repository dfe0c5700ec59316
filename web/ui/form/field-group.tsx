import type { ReactNode } from 'react'
import css from './field-group.module.css'

type Props = { legend: string; error?: string | false | null | undefined; children: ReactNode }

/** What is no single field, such as a filter, with a label and an error like one. */
export const FieldGroup = ({ legend, error, children }: Props) => (
  <fieldset className={css.group}>
    <legend>{legend}</legend>
    {children}
    <FieldError>{error}</FieldError>
  </fieldset>
)

export const FieldError = ({ children }: { children: ReactNode }) =>
  children ? (
    <p role="alert" className={css.error}>
      {children}
    </p>
  ) : null
