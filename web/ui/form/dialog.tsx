import { Button, Modal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useLayoutEffect, useState } from 'react'
import { createStore, useStore } from '../../client/store.ts'
import { UnsavedInside, useUnsavedInside } from '../../client/unsaved.ts'
import { wordsOf } from '../basics/errors.ts'
import { useFocusBack } from '../basics/keyboard.ts'
import { useIsPhone } from '../basics/screen.ts'
import { FormFailure } from '../basics/states.tsx'
import css from './dialog.module.css'

type Props = {
  title: ReactNode
  size?: number
  /** Long content takes the whole screen of a phone. */
  tall?: boolean
  /** Its content grows while one types: what is above it stays in place. */
  grows?: boolean
  onClose: () => void
  children: ReactNode
}

/** Open as long as it is drawn, so that nothing of it stays behind. Escape, or a click beside it, loses nothing unasked. */
export function Dialog({ title, size = 440, tall = false, grows = false, onClose, children }: Props) {
  const narrow = useIsPhone()
  useFocusBack()
  const [, tellUnsaved, hasUnsaved] = useUnsavedInside()
  const [isAsked, setAsked] = useState(false)
  const isTop = useIsTop()
  const close = () => (hasUnsaved() ? setAsked(true) : onClose())
  useWindowEvent('keydown', (event) => isTop && isToLeave(event) && close(), { capture: true })
  return (
    <Modal
      opened
      onClose={close}
      closeOnEscape={false}
      title={title}
      size={size}
      fullScreen={tall && narrow}
      {...(grows && { centered: false, yOffset: '8dvh' })}
      returnFocus={false}
      classNames={{ title: css.title }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <UnsavedInside value={tellUnsaved}>{children}</UnsavedInside>
      {isAsked && <CloseQuestion onStay={() => setAsked(false)} onClose={onClose} />}
    </Modal>
  )
}

/** Escape. Where something is open above the dialog, it closes only that. */
function isToLeave({ key, isComposing, target }: KeyboardEvent) {
  if (key !== 'Escape' || isComposing) return false
  if (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true') return false
  return ![...document.querySelectorAll('.mantine-Popover-dropdown')].some((one) => one.checkVisibility())
}

const openDialogs = createStore<string[]>([])

/** Of several dialogs, Escape closes only the one on top. */
function useIsTop() {
  const id = useId()
  useLayoutEffect(() => {
    openDialogs.set([...openDialogs.get(), id])
    return () => openDialogs.set(openDialogs.get().filter((one) => one !== id))
  }, [id])
  return useStore(openDialogs).at(-1) === id
}

const CloseQuestion = ({ onStay, onClose }: { onStay: () => void; onClose: () => void }) => (
  <Dialog title="Close without saving?" onClose={onStay}>
    You have unsaved changes.
    <DialogActions>
      <Button variant="default" onClick={onClose}>
        Close without saving
      </Button>
      <Button onClick={onStay} data-autofocus>
        Keep editing
      </Button>
    </DialogActions>
  </Dialog>
)

/** What one can do at the end of a dialog; the main thing last. */
export const DialogActions = ({ children }: { children: ReactNode }) => <div className={css.actions}>{children}</div>

type ConfirmProps = {
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
export function Confirm({ title, action, isHarmless = false, act, onDone, onClose, children }: ConfirmProps) {
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

export const LeaveQuestion = ({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) => (
  <Dialog title="Leave without saving?" onClose={onStay}>
    Your changes on this page haven’t been saved.
    <DialogActions>
      <Button variant="default" onClick={onLeave}>
        Leave without saving
      </Button>
      <Button onClick={onStay} data-autofocus>
        Stay
      </Button>
    </DialogActions>
  </Dialog>
)
