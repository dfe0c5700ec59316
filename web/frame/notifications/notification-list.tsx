import { Anchor, Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { BellOff, CheckCheck } from 'lucide-react'
import type { MouseEvent } from 'react'
import { notifications as choices } from '../../client/areas.ts'
import { Ago } from '../../ui/ago.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Message } from '../../ui/message.tsx'
import { nextPage } from '../../ui/next-page.ts'
import { complain } from '../../ui/notices.tsx'
import css from './notification-list.module.css'
import { type Notification, notificationsQuery, useMarkRead } from './notifications.ts'

type Props = { title?: string; onLeave: () => void }

export function NotificationList({ title, onLeave }: Props) {
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
          leftSection={<CheckCheck size={14} aria-hidden="true" />}
          // Not `disabled`, which would drop the focus out of the list as soon as it has done its work.
          aria-disabled={isDone}
          data-disabled={isDone || undefined}
          onClick={() =>
            isDone || mutate(undefined, { onError: (error) => complain('They were not marked as read', error) })
          }
        >
          Mark all as read
        </Button>
      </header>
      <div className={css.list}>
        <Content onLeave={onLeave} />
      </div>
      <footer className={css.foot}>
        <Anchor component={Link} to={choices} onClick={onLeave}>
          Choose what you are told
        </Anchor>
      </footer>
    </>
  )
}

function Content({ onLeave }: { onLeave: () => void }) {
  const list = useQuery(notificationsQuery)
  const { mutate } = useMarkRead()
  if (list.isPending)
    return <Skeleton height={160} radius="md" role="status" aria-label="Loading notifications" m={12} w="auto" />
  if (list.isError && !list.data) return <Failure error={list.error} onRetry={list.refetch} busy={list.isFetching} />
  if (!list.data.items.length)
    return (
      <Message icon={BellOff} title="Nothing new">
        When something concerns you, it shows up here.
      </Message>
    )
  return (
    <ul>
      {list.data.items.map((item) => (
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
  )
}

function Item({ of: item, onOpen }: { of: Notification; onOpen: () => void }) {
  const router = useRouter()
  const href = nextPage(item.link)
  const text = (
    <>
      <span className={css.dot} data-unread={!item.is_read || undefined}>
        {!item.is_read && <span className={css.unseen}>Unread: </span>}
      </span>
      <span className={css.text}>
        <bdi>{item.text}</bdi>
        <small>
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
