import type { ComponentProps } from 'react'
import { Dialog } from '../../../ui/form/dialog.tsx'

/** A dialog around a list to pick from. The list takes Escape for itself, although it cannot be closed. */
export const PickDialog = ({ children, onClose, ...dialog }: ComponentProps<typeof Dialog>) => (
  <Dialog onClose={onClose} {...dialog}>
    <div onKeyDownCapture={(event) => event.key === 'Escape' && onClose()}>{children}</div>
  </Dialog>
)
