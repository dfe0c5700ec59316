import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Bell as BellIcon } from 'lucide-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import css from './bell.module.css'
import { notificationsQuery } from './notifications.ts'

const load = () => import('./bell-panel.tsx')
const BellPanel = lazy(load)

/** The button is there at once; the list and its positioning code come when one reaches for them. */
export function Bell() {
  const [wanted, setWanted] = useState(false)
  const button = <BellButton onPointerEnter={load} onFocus={load} onClick={() => setWanted(true)} />
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <BellPanel />
    </Suspense>
  )
}

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
