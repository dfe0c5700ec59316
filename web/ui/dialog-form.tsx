import { Button } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { DialogActions } from './dialog.tsx'
import css from './form.module.css'
import { FormFailure } from './form-failure.tsx'

type Props = {
  of: { submit: FormEventHandler<HTMLFormElement>; failure: string | undefined; isPending: boolean }
  /** What to know before one fills it in. */
  about?: ReactNode
  action: string
  onCancel: () => void
  children: ReactNode
}

/** The whole content of a dialog that asks for something. */
export const DialogForm = ({ of: { submit, failure, isPending }, about, action, onCancel, children }: Props) => (
  <form onSubmit={submit} noValidate>
    <div className={css.fields}>
      {about && <div>{about}</div>}
      <FormFailure>{failure}</FormFailure>
      {children}
    </div>
    <DialogSubmit action={action} isPending={isPending} onCancel={onCancel} />
  </form>
)

type SubmitProps = { action: string; isPending: boolean; onCancel: () => void }

export const DialogSubmit = ({ action, isPending, onCancel }: SubmitProps) => (
  <DialogActions>
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" loading={isPending}>
      {action}
    </Button>
  </DialogActions>
)
