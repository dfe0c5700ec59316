import { onlineManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { pages } from '../../contract/shared/pages.ts'
import { ApiError, hearSignedOut } from './api.ts'
import { hearConnection, isConnected } from './connection.ts'
import { hasUnsaved } from './unsaved.ts'

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && isPassing(error),
      // Without a connection they fail, which the page says, and are repeated when it is back.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})

onlineManager.setEventListener((setOnline) => {
  const update = () => setOnline(isConnected())
  update()
  return hearConnection(update)
})

// Asks for the session, which tells the frame. One that has ended answers so, without an error.
hearSignedOut(() => void queryClient.invalidateQueries({ queryKey: ['session'] }))

/** Worth another try by itself: the server was away or stumbled. */
const isPassing = (error: Error) => !(error instanceof ApiError) || error.problem.status >= 500

function leaveWhenSignedOut(error: Error) {
  if (!(error instanceof ApiError) || error.problem.code !== 'unauthenticated') return
  if (location.pathname !== pages.signIn && !hasUnsaved()) goToSignIn()
}

/** A full page load, so that nothing of the last person stays in memory. */
export function goToSignIn() {
  const here = location.pathname + location.search
  location.assign(`${pages.signIn}?next=${encodeURIComponent(here)}`)
}
