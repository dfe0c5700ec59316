import { Button, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { UnsavedInside, useUnsavedInside } from '../client/unsaved.ts'
import css from './dialog.module.css'
import { useFocusBack } from './focus-back.ts'

type Props = {
  title: ReactNode
  size?: number
  /** Long content takes the whole screen of a phone. */
  tall?: boolean
  onClose: () => void
  children: ReactNode
}

/** Open as long as it is drawn, so that nothing of it stays behind. Escape, or a click beside it, loses nothing unasked. */
export function Dialog({ title, size = 440, tall = false, onClose, children }: Props) {
  const narrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  useFocusBack()
  const [, tellUnsaved, hasUnsaved] = useUnsavedInside()
  const [isAsked, setAsked] = useState(false)
  return (
    <Modal
      opened
      onClose={() => (hasUnsaved() ? setAsked(true) : onClose())}
      closeOnEscape={!isAsked}
      title={title}
      size={size}
      fullScreen={tall && narrow}
      returnFocus={false}
      classNames={{ title: css.title }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <UnsavedInside value={tellUnsaved}>{children}</UnsavedInside>
      {isAsked && <CloseQuestion onStay={() => setAsked(false)} onClose={onClose} />}
    </Modal>
  )
}

const CloseQuestion = ({ onStay, onClose }: { onStay: () => void; onClose: () => void }) => (
  <Dialog title="Close without saving?" onClose={onStay}>
    What you entered here is not saved yet.
    <DialogActions>
      <Button variant="default" onClick={onClose}>
        Close without saving
      </Button>
      <Button onClick={onStay} data-autofocus>
        Go on
      </Button>
    </DialogActions>
  </Dialog>
)

/** What one can do at the end of a dialog; the main thing last. */
export const DialogActions = ({ children }: { children: ReactNode }) => <div className={css.actions}>{children}</div>
