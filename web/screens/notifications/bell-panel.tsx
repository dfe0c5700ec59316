import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { PopPanel } from '../../ui/pop-panel.tsx'
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
  return (
    <PopPanel
      title="Notifications"
      opened={opened}
      onClose={close}
      target={<BellButton ref={button} aria-expanded={opened} onClick={() => setOpened(!opened)} />}
    >
      <NotificationList {...(!narrow && { title: 'Notifications' })} onLeave={close} />
    </PopPanel>
  )
}
