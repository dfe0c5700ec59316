import { Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Activity as ActivityIcon, PencilLine } from 'lucide-react'
import { api } from '../../api.ts'
import { useSignedIn } from '../../session.ts'
import { Failure } from '../../ui/failure.tsx'
import { Message } from '../../ui/message.tsx'
import { pagesOf } from '../../ui/pages.ts'
import { Results } from '../../ui/results.tsx'
import { Rows } from '../../ui/rows.tsx'
import { Section } from '../../ui/section.tsx'
import { useNames } from '../company/names.ts'
import { ChangeRow, type Entry, RequestRow } from './activity-rows.tsx'
import { ProfilePage } from './profile-page.tsx'

export const Activity = () => (
  <ProfilePage title="Activity" lead="What you did in Kith: yourself, and through your keys and agents.">
    <Section title="Changes" about="What you changed, field by field.">
      <Changes />
    </Section>
    <Section title="Requests" about="Every call in your name. Support finds one by its id.">
      <Requests />
    </Section>
  </ProfilePage>
)

function Changes() {
  const { me } = useSignedIn()
  const nameOf = useNames()
  const otherUser = (id: string) => (id === me.id ? undefined : nameOf(id))
  const changes = useInfiniteQuery(
    pagesOf(['changes', { actor_id: me.id }], (cursor) =>
      api.listChanges({ actor_id: me.id, max_changes: 100, limit: 10, cursor }),
    ),
  )
  if (changes.isPending) return <Skeleton height={180} radius="lg" role="status" aria-label="Loading changes" />
  if (changes.isError && !changes.data)
    return <Failure error={changes.error} onRetry={changes.refetch} busy={changes.isFetching} />
  const items = changes.data.pages.flatMap((page) => page.items)
  if (!items.length)
    return (
      <Message icon={PencilLine} title="No changes yet">
        What you create, change or delete shows up here, with what it was before.
      </Message>
    )
  return (
    <Results of={changes}>
      <Rows label="Your changes">
        {items.map((set) => (
          <ChangeRow key={set.id} of={set} otherUser={otherUser} />
        ))}
      </Rows>
    </Results>
  )
}

function Requests() {
  const requests = useInfiniteQuery(pagesOf(['my-requests'], (cursor) => api.listMyRequests({ limit: 30, cursor })))
  if (requests.isPending) return <Skeleton height={180} radius="lg" role="status" aria-label="Loading requests" />
  if (requests.isError && !requests.data)
    return <Failure error={requests.error} onRetry={requests.refetch} busy={requests.isFetching} />
  const items = requests.data.pages.flatMap((page) => page.items).filter(isOwnDoing)
  if (!items.length && !requests.hasNextPage)
    return (
      <Message icon={ActivityIcon} title="No requests yet">
        They show up here a moment after they are made.
      </Message>
    )
  return (
    <Results of={requests}>
      <Rows label="Your requests">
        {items.map((entry) => (
          <RequestRow key={entry.request_id} of={entry} />
        ))}
      </Rows>
    </Results>
  )
}

/** The app asks by itself whether one is still signed in, and listens for news: nobody did that. */
const isOwnDoing = ({ operation, route }: Entry) => operation !== 'getSession' && !route.endsWith('/live')
