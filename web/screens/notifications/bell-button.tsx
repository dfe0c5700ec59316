import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Bell as BellIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import css from './bell.module.css'
import { notificationsQuery } from './notifications.ts'

export function BellButton(props: ComponentProps<'button'>) {
  const { data } = useQuery(notificationsQuery)
  const unread = data?.unread_count ?? 0
  return (
    <ActionIcon
      {...props}
      variant="subtle"
      color="gray"
      size={34}
      className={css.bell}
      aria-label={unread ? `Notifications, ${unread} unread` : 'Notifications'}
      aria-haspopup="dialog"
    >
      <BellIcon size={18} strokeWidth={1.75} aria-hidden="true" />
      {unread > 0 && (
        <span className={css.count} aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </ActionIcon>
  )
}
