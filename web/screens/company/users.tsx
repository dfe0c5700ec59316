import { Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { api } from '../../api.ts'
import { useSignedIn } from '../../session.ts'
import { Failure } from '../../ui/failure.tsx'
import { Initials } from '../../ui/initials.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Message } from '../../ui/message.tsx'
import css from './company.module.css'

export function Users() {
  const { me } = useSignedIn()
  const users = useInfiniteQuery({
    queryKey: ['users'],
    queryFn: ({ pageParam }) => api.listUsers({ limit: 50, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
  if (users.isPending) return <Skeleton height={168} radius="lg" role="status" aria-label="Loading users" />
  if (users.isError && !users.data)
    return <Failure error={users.error} onRetry={users.refetch} busy={users.isFetching} />
  const items = users.data.pages.flatMap((page) => page.items)
  if (!items.length) return <Message icon={UsersRound} title="No users to show" />
  return (
    <>
      <ul className={css.users}>
        {items.map((user) => (
          <li key={user.id} className={css.user}>
            <Initials name={user.name} size={32} />
            <div className={css.who}>
              <span>
                <bdi>{user.name}</bdi>
                {user.id === me.id && <span className={css.you}>you</span>}
              </span>
              {user.email && <small>{user.email}</small>}
            </div>
            <span className={css.role}>{user.role}</span>
          </li>
        ))}
      </ul>
      <LoadMore pages={users} />
    </>
  )
}
