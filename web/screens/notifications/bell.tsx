import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Bell as BellIcon } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import css from './bell.module.css'
import { notificationsQuery } from './notifications.ts'

const BellPanel = lazyPart(() => import('./bell-panel.tsx'), { waiting: () => <BellButton />, isQuiet: true })

/** The button is there at once; the list and its positioning code come when one reaches for them. */
export function Bell() {
  const [wanted, setWanted] = useState(false)
  if (wanted) return <BellPanel />
  return <BellButton onPointerEnter={BellPanel.prepare} onFocus={BellPanel.prepare} onClick={() => setWanted(true)} />
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
