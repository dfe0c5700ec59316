import { Drawer, Popover, type PopoverProps } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import type { ReactElement, ReactNode } from 'react'
import { useIsPhone } from '../basics/screen.ts'
import css from './pop-panel.module.css'

type Props = {
  title: string
  opened: boolean
  onClose: () => void
  /** The button beside which it opens. */
  target: ReactElement
  position?: NonNullable<PopoverProps['position']>
  children: ReactNode
}

/** Beside its button; on a phone, a sheet from below with the title as its heading. */
export function PopPanel({ title, opened, onClose, target, position = 'right-start', children }: Props) {
  const narrow = useIsPhone()
  // Also when the focus is nowhere, because the button that had it is gone.
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && onClose())
  if (narrow)
    return (
      <>
        {target}
        <Drawer
          opened={opened}
          onClose={onClose}
          position="bottom"
          size="auto"
          title={title}
          classNames={{ content: css.sheet, body: css.body }}
          closeButtonProps={{ 'aria-label': `Close ${title.toLowerCase()}`, size: 36 }}
        >
          {children}
        </Drawer>
      </>
    )
  return (
    <Popover
      opened={opened}
      onChange={(isOpen) => isOpen || onClose()}
      position={position}
      width={380}
      shadow="md"
      trapFocus
      returnFocus
      transitionProps={{ duration: 100 }}
      classNames={{ dropdown: css.panel }}
    >
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown aria-label={title}>{children}</Popover.Dropdown>
    </Popover>
  )
}
