import { ActionIcon } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Bell as BellIcon } from 'lucide-react'
import { PopPanel } from '../../ui/pop-panel.tsx'
import css from './bell.module.css'
import { NotificationList } from './notification-list.tsx'
import { notificationsQuery } from './notifications.ts'

/** The number of unread notifications, and the notifications themselves when it is pressed. */
export function Bell() {
  const [opened, { toggle, close }] = useDisclosure()
  const narrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const { data } = useQuery(notificationsQuery)
  const unread = data?.unread_count ?? 0
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={34}
      className={css.bell}
      aria-label={unread ? `Notifications, ${unread} unread` : 'Notifications'}
      aria-haspopup="dialog"
      aria-expanded={opened}
      onClick={toggle}
    >
      <BellIcon size={18} strokeWidth={1.75} aria-hidden="true" />
      {unread > 0 && (
        <span className={css.count} aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </ActionIcon>
  )
  return (
    <PopPanel title="Notifications" opened={opened} onClose={close} target={button}>
      <NotificationList {...(!narrow && { title: 'Notifications' })} onLeave={close} />
    </PopPanel>
  )
}
