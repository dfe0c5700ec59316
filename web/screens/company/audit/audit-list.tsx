import { Skeleton } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Message } from '../../../ui/message.tsx'
import { pagesOf } from '../../../ui/pages.ts'
import { Results } from '../../../ui/results.tsx'
import { useNames } from '../../../users/names.ts'
import css from './audit.module.css'
import { AuditEntry } from './audit-entry.tsx'
import { type AuditFilter, asked } from './filter.ts'

export function AuditList({ filter }: { filter: AuditFilter }) {
  const nameOf = useNames()
  const events = useInfiniteQuery({
    ...pagesOf(['audit', filter], (cursor) => api.queryAuditLog({ ...asked(filter), limit: 50, cursor })),
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
    <Results of={events}>
      <ul className={css.entries} aria-label="Events">
        {items.map((event) => (
          <AuditEntry key={event.id} of={event} nameOf={nameOf} />
        ))}
      </ul>
    </Results>
  )
}
