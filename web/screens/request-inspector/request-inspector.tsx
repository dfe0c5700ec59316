import { SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Activity, Lock, Search } from 'lucide-react'
import { useState } from 'react'
import type { contract } from '../../../contract/index.ts'
import type { Input } from '../../../contract/operation.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { api } from '../../client/api.ts'
import { pagesOf } from '../../client/pages.ts'
import { useSignedIn } from '../../client/session.ts'
import { Filters } from '../../ui/basics/layout.tsx'
import { LoadedList } from '../../ui/basics/loaded.tsx'
import { Page } from '../../ui/basics/page.tsx'
import { Message } from '../../ui/basics/states.tsx'
import { RequestList } from './request-list.tsx'

type Status = NonNullable<Input<typeof contract.listRequests>['status']> | 'all'

const statuses: { value: Status; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'ok', label: 'OK' },
  { value: 'refused', label: 'Refused' },
  { value: 'failed', label: 'Failed' },
]

export function RequestInspector() {
  const { may } = useSignedIn()
  // A link to one request, such as from the API page.
  const { request_id: linked = '' } = useSearch({ strict: false })
  const [typed, setTyped] = useState(linked)
  const [status, setStatus] = useState<Status>('all')
  const [id] = useDebouncedValue(typed.trim(), 250)
  const isWhole = id === '' || isId(id) || isTrace(id)
  return (
    <Page
      title="Request inspector"
      lead="Requests by users of your company via the web app, the REST API and MCP, newest first."
      wide
    >
      {may('requests.read') ? (
        <>
          <Filters>
            <TextInput
              label="Request or trace ID"
              data-wide
              leftSection={<Search size={14} />}
              maxLength={100}
              spellCheck={false}
              value={typed}
              error={!isWhole && 'Paste the whole ID, such as 0199c3a1-5d2e-7c41-9b7a-3f1f6e0d2a11'}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <SegmentedControl
              aria-label="Status"
              data={statuses}
              value={status}
              onChange={(value) => setStatus(value as Status)}
            />
          </Filters>
          <Requests id={isWhole ? id : ''} status={status} />
        </>
      ) : (
        <Message icon={Lock} title="You don’t have access">
          Your role does not allow reading requests. Ask an Admin of your company.
        </Message>
      )}
    </Page>
  )
}

/** Of a traceparent, which programs send. */
const isTrace = (id: string) => /^[0-9a-f]{32}$/.test(id)

function Requests({ id, status }: { id: string; status: Status }) {
  const filter = {
    ...(id && (isTrace(id) ? { trace_id: id } : { request_id: id })),
    status: status === 'all' ? undefined : status,
  }
  const requests = useInfiniteQuery({
    ...pagesOf(['requests', filter], (cursor) => api.listRequests({ ...filter, limit: 50, cursor })),
    placeholderData: keepPreviousData,
  })
  const none = <NoRequests filtered={id !== '' || status !== 'all'} />
  return (
    <LoadedList query={requests} what="requests" height={320} empty={none}>
      {(items) => <RequestList items={items} />}
    </LoadedList>
  )
}

function NoRequests({ filtered }: { filtered: boolean }) {
  const { request_days: days } = useSignedIn().company
  return (
    <Message icon={Activity} title={filtered ? 'No matches' : 'No requests yet'}>
      {filtered
        ? `Check the ID, or choose another status. Requests are kept for ${days === 1 ? '1 day' : `${days} days`}.`
        : 'Requests by people, programs and agents appear here immediately.'}
    </Message>
  )
}
