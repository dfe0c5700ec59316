import { Drawer, Popover } from '@mantine/core'
import { useMediaQuery, useWindowEvent } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import css from './bell.module.css'
import { BellButton } from './bell-button.tsx'
import { NotificationList } from './notification-list.tsx'

/** Opens as soon as it is there: it is loaded only when somebody reaches for it. */
export default function BellPanel() {
  const [opened, setOpened] = useState(false)
  const narrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The button that was pressed is gone; closing must lead back to the one that took its place.
    button.current?.focus()
    setOpened(true)
  }, [])
  const close = () => setOpened(false)
  // Also when the focus is nowhere: the button that marked all as read is gone once it has done so.
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && close())
  const target = <BellButton ref={button} aria-expanded={opened} onClick={() => setOpened(!opened)} />
  if (narrow)
    return (
      <>
        {target}
        <Drawer
          opened={opened}
          onClose={close}
          position="bottom"
          size="auto"
          title="Notifications"
          classNames={{ content: css.sheet, body: css.body }}
          closeButtonProps={{ 'aria-label': 'Close notifications', size: 36 }}
        >
          <NotificationList onLeave={close} />
        </Drawer>
      </>
    )
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="right-start"
      width={380}
      shadow="md"
      trapFocus
      returnFocus
      transitionProps={{ duration: 100 }}
      classNames={{ dropdown: css.panel }}
    >
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown aria-label="Notifications">
        <NotificationList title="Notifications" onLeave={close} />
      </Popover.Dropdown>
    </Popover>
  )
}
