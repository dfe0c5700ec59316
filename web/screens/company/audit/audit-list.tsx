import { Skeleton } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { api } from '../../../api.ts'
import { Failure } from '../../../ui/failure.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { Message } from '../../../ui/message.tsx'
import css from './audit.module.css'
import { AuditEntry } from './audit-entry.tsx'
import { type AuditFilter, asked } from './filter.ts'
import { useNames } from './names.ts'

export function AuditList({ filter }: { filter: AuditFilter }) {
  const nameOf = useNames()
  const events = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => api.queryAuditLog({ ...asked(filter), limit: 50, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  })
  if (events.isPending) return <Skeleton height={360} radius="lg" role="status" aria-label="Loading the audit log" />
  if (events.isError && !events.data)
    return <Failure error={events.error} onRetry={events.refetch} busy={events.isFetching} />
  const items = events.data.pages.flatMap((page) => page.items)
  if (!items.length)
    return (
      <Message icon={ScrollText} title="Nothing fits">
        Choose another event, another user or a longer time.
      </Message>
    )
  return (
    <div className={css.results} data-stale={events.isPlaceholderData || undefined}>
      <ul className={css.entries} aria-label="Events">
        {items.map((event) => (
          <AuditEntry key={event.id} of={event} nameOf={nameOf} />
        ))}
      </ul>
      <LoadMore pages={events} />
    </div>
  )
}
