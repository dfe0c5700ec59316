import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
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

/** Open as long as it is drawn, so that nothing of it stays behind. */
export function Dialog({ title, size = 440, tall = false, onClose, children }: Props) {
  const narrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  useFocusBack()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      fullScreen={tall && narrow}
      returnFocus={false}
      classNames={{ title: css.title }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  )
}

/** What one can do at the end of a dialog; the main thing last. */
export const DialogActions = ({ children }: { children: ReactNode }) => <div className={css.actions}>{children}</div>
