import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import css from './confirm.module.css'
import { Dialog, DialogActions } from './dialog.tsx'
import { wordsOf } from './form-errors.ts'
import { FormFailure } from './form-failure.tsx'

type Props = {
  title: ReactNode
  /** What the button does, as a verb. */
  action: string
  /** For something that can be undone: the button does not warn. */
  isHarmless?: boolean
  act: () => Promise<unknown>
  onDone: () => unknown
  onClose: () => void
  children: ReactNode
}

/** Asks before something that cannot simply be taken back. Stays open, with the server's words, when it is refused. */
export function Confirm({ title, action, isHarmless = false, act, onDone, onClose, children }: Props) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: act,
    onSuccess: () => {
      onClose()
      return onDone()
    },
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={css.text}>{children}</div>
      <FormFailure>{error && wordsOf(error)}</FormFailure>
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button className={isHarmless ? '' : (css.danger ?? '')} loading={isPending} onClick={() => mutate()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
