import { ActionIcon, Button, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import {
  AlarmClock,
  AtSign,
  Bell as BellIcon,
  BellOff,
  BellRing,
  Bot,
  CalendarCheck2,
  CheckCheck,
  CircleAlert,
  Download,
  KeyRound,
  type LucideIcon,
  Mail,
  MailWarning,
  Merge,
  MessageSquareText,
  MessagesSquare,
  Send,
  ShieldCheck,
  Sprout,
  Undo2,
  UserPlus,
  UserRoundCheck,
  Webhook,
} from 'lucide-react'
import type { MouseEvent } from 'react'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { notifications as choices } from '../client/areas.ts'
import { nextPage } from '../ui/basics/lazy-pages.ts'
import { AnchorLink } from '../ui/basics/links.tsx'
import { LoadedList } from '../ui/basics/loaded.tsx'
import { complain } from '../ui/basics/notices.tsx'
import { useIsPhone } from '../ui/basics/screen.ts'
import { Message } from '../ui/basics/states.tsx'
import { PopPanel } from '../ui/form/pop-panel.tsx'
import { Ago } from '../ui/text/ago.tsx'
import css from './notifications.module.css'

/** The number of unread notifications, and the notifications themselves when it is pressed. */
export function Bell() {
  const [opened, { toggle, close }] = useDisclosure()
  const narrow = useIsPhone()
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
      <BellIcon size={18} strokeWidth={1.75} />
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

type Props = { title?: string; onLeave: () => void }

function NotificationList({ title, onLeave }: Props) {
  const { data } = useQuery(notificationsQuery)
  const { mutate } = useMarkRead()
  const isDone = !data?.unread_count
  return (
    <>
      <header className={css.head}>
        {title && <h2>{title}</h2>}
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<CheckCheck size={14} />}
          // Not `disabled`, which would drop the focus out of the list as soon as it has done its work.
          aria-disabled={isDone}
          data-disabled={isDone || undefined}
          onClick={() =>
            isDone ||
            mutate(undefined, { onError: (error) => complain('Notifications were not marked as read', error) })
          }
        >
          Mark all as read
        </Button>
      </header>
      <div className={css.list}>
        <Content onLeave={onLeave} />
      </div>
      <footer className={css.foot}>
        <AnchorLink to={choices} onClick={onLeave}>
          Notification settings
        </AnchorLink>
      </footer>
    </>
  )
}

function Content({ onLeave }: { onLeave: () => void }) {
  const list = useQuery(notificationsQuery)
  const { mutate } = useMarkRead()
  const none = (
    <Message icon={BellOff} title="Nothing new">
      Mentions, assignments and due tasks appear here.
    </Message>
  )
  return (
    <LoadedList query={list} what="notifications" height={160} empty={none}>
      {(items) => (
        <ul>
          {items.map((item) => (
            <li key={item.id}>
              <Item
                of={item}
                onOpen={() => {
                  if (!item.is_read) mutate([item.id])
                  if (item.link) onLeave()
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </LoadedList>
  )
}

function Item({ of: item, onOpen }: { of: Notification; onOpen: () => void }) {
  const router = useRouter()
  const Icon = icons[item.kind]
  const href = nextPage(item.link)
  const text = (
    <>
      <span className={css.dot} data-unread={!item.is_read || undefined}>
        {!item.is_read && <VisuallyHidden component="span">Unread: </VisuallyHidden>}
      </span>
      <span className={css.text}>
        <bdi>{item.text}</bdi>
        <small>
          <Icon size={12} strokeWidth={1.75} />
          <Ago at={item.at} />
        </small>
      </span>
    </>
  )
  if (!href)
    return (
      <button type="button" className={css.item} onClick={onOpen}>
        {text}
      </button>
    )
  const follow = (event: MouseEvent) => {
    onOpen()
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void router.navigate({ href })
  }
  return (
    <a href={href} className={css.item} onClick={follow}>
      {text}
    </a>
  )
}

const icons: Record<Notification['kind'], LucideIcon> = {
  user_invited: UserPlus,
  user_joined: UserPlus,
  mentioned: AtSign,
  task_due: AlarmClock,
  record_assigned: UserRoundCheck,
  record_changed_by_agent: Bot,
  record_matched: BellRing,
  duplicates_merged: Merge,
  weekly_summary: CalendarCheck2,
  role_changed: ShieldCheck,
  api_key_added: KeyRound,
  records_exported: Download,
  mail_changed: Mail,
  lead_submitted: Sprout,
  lead_failed: CircleAlert,
  lead_overdue: AlarmClock,
  conversation_overdue: AlarmClock,
  conversation_noticed: BellRing,
  lead_not_taken: Send,
  lead_not_accepted: Send,
  lead_returned: Undo2,
  conversation_assigned: MessagesSquare,
  message_received: MessageSquareText,
  proposal_made: Bot,
  message_failed: MailWarning,
  channel_failing: MailWarning,
  webhook_disabled: Webhook,
  account_changed: ShieldCheck,
}

type Notification = Output<typeof contract.listNotifications>['items'][number]

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: () => api.listNotifications({ limit: 30 }),
  refetchInterval: 60_000,
  refetchOnWindowFocus: 'always',
})

/** Marks these notifications as read, or all. Shown immediately. */
function useMarkRead() {
  const client = useQueryClient()
  const { queryKey } = notificationsQuery
  return useMutation({
    mutationKey: queryKey,
    mutationFn: (ids?: string[]) => api.markNotificationsRead({ ids }),
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (old) => {
        if (!old) return old
        const items = old.items.map((item) => (ids && !ids.includes(item.id) ? item : { ...item, is_read: true }))
        const before = old.items.filter((item, index) => !item.is_read && items[index]!.is_read).length
        return { ...old, items, unread_count: ids ? Math.max(0, old.unread_count - before) : 0 }
      })
    },
    // Also after a failure, which restores the old state. Only after the last of several, because an earlier response
    // would not include the later ones.
    onSettled: () => {
      if (client.isMutating({ mutationKey: queryKey }) === 1) return client.invalidateQueries({ queryKey })
    },
  })
}
