import { Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Activity as ActivityIcon, PencilLine } from 'lucide-react'
import { api } from '../../client/api.ts'
import { useSignedIn } from '../../client/session.ts'
import { ActivityList } from '../../history/activity-list.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Message } from '../../ui/message.tsx'
import { pagesOf } from '../../ui/pages.ts'
import { Results } from '../../ui/results.tsx'
import { Rows } from '../../ui/rows.tsx'
import { Section } from '../../ui/section.tsx'
import { type Entry, RequestRow } from './activity-rows.tsx'
import { ProfilePage } from './profile-page.tsx'

export const Activity = () => (
  <ProfilePage
    title="My changes"
    lead="What you changed, in the web app and through your keys and agents. You can undo it."
  >
    <Changes />
    <Section title="Requests" about="Every request made in your name. Support can look one up by its ID.">
      <Requests />
    </Section>
  </ProfilePage>
)

function Changes() {
  const { me } = useSignedIn()
  return (
    <ActivityList
      filter={{ actor_id: me.id }}
      nothing={
        <Message icon={PencilLine} title="No changes yet">
          What you create, change or delete appears here, and can be undone.
        </Message>
      }
    />
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
        Requests appear here shortly after they are made.
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
