import { Skeleton } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Message } from '../../../ui/message.tsx'
import { pagesOf } from '../../../ui/pages.ts'
import { Results } from '../../../ui/results.tsx'
import { Head, Table } from '../../../ui/table.tsx'
import type { UserFilter } from '../../../users/users.ts'
import css from './member-list.module.css'
import { MemberRow } from './member-row.tsx'

export function MemberList({ filter }: { filter: UserFilter }) {
  const { may } = useSignedIn()
  const users = useInfiniteQuery({
    ...pagesOf(['users', 'list', filter], (cursor) => api.listUsers({ ...filter, limit: 50, cursor })),
    placeholderData: keepPreviousData,
  })
  if (users.isPending) return <Skeleton height={260} radius="lg" role="status" aria-label="Loading members" />
  if (users.isError && !users.data)
    return <Failure error={users.error} onRetry={users.refetch} busy={users.isFetching} />
  const items = users.data.pages.flatMap((page) => page.items)
  if (!items.length)
    return (
      <Message icon={UsersRound} title="Nobody fits">
        Check the spelling, or choose another state or kind.
      </Message>
    )
  const manages = may('members.manage')
  return (
    <Results of={users}>
      <Table label="Members" className={css.table} head={manages ? columns : columns.slice(0, 2)}>
        {items.map((user) => (
          <MemberRow key={user.id} of={user} manages={manages} />
        ))}
      </Table>
    </Results>
  )
}

const columns = ['Name', 'Role', 'Last seen', 'Two-factor'].map((column) => <Head key={column}>{column}</Head>)
