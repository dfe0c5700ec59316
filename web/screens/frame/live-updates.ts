import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { events } from '../../../contract/events.ts'
import { type LiveEvent, openLive } from '../../live.ts'
import { sessionQuery } from '../../session.ts'
import { notificationsQuery } from '../notifications/notifications.ts'

const names = ['notification', ...Object.keys(events)]

/** Fetches again what the server says has changed. A session that ended shows by fetching it. */
export function useLiveUpdates() {
  const client = useQueryClient()
  useEffect(() => {
    const again = (queryKey: readonly string[]) => void client.invalidateQueries({ queryKey })
    const onEvent = ({ event }: LiveEvent) => {
      if (event === 'resync') void client.invalidateQueries()
      if (event === 'notification') again(notificationsQuery.queryKey)
      if (['access', 'signed-out', 'company.updated'].includes(event)) again(sessionQuery.queryKey)
      if (event.startsWith('user.')) again(['users'])
    }
    return openLive({ onEvent, onState: () => {}, names })
  }, [client])
}
