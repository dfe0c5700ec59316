import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { events } from '../../contract/events.ts'
import { type LiveEvent, openLive } from '../client/live.ts'
import { sessionQuery } from '../client/session.ts'
import { heardOfJob } from '../jobs/jobs.ts'
import { recordsChangedSoon } from '../records/record-cache.ts'
import { notificationsQuery } from './notifications/notifications.ts'

const names = ['notification', 'records', 'jobs', ...Object.keys(events)]

/** Fetches again what the server says has changed. A session that ended shows by fetching it. */
export function useLiveUpdates() {
  const client = useQueryClient()
  useEffect(() => {
    const again = (queryKey: readonly string[]) => void client.invalidateQueries({ queryKey })
    const onEvent = ({ event, data }: LiveEvent) => {
      if (event === 'resync') void client.invalidateQueries()
      if (event === 'records') recordsChangedSoon(client, String(data.object))
      if (event === 'jobs') heardOfJob(data, myId(client))
      if (event === 'schema.updated') for (const key of ['schema', 'views']) again([key])
      if (event === 'notification') again(notificationsQuery.queryKey)
      if (['access', 'signed-out', 'company.updated'].includes(event)) again(sessionQuery.queryKey)
      if (event.startsWith('user.')) again(['users'])
    }
    return openLive({ onEvent, names })
  }, [client])
}

function myId(client: QueryClient) {
  const session = client.getQueryData(sessionQuery.queryKey)
  return session?.state === 'signed_in' ? session.me.id : undefined
}
