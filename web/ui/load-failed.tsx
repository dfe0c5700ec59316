import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ApiError } from '../api.ts'
import { hearConnection, isConnected } from '../connection.ts'
import { Failure } from './failure.tsx'
import { NotFetched } from './lazy-part.tsx'
import { Page } from './page.tsx'

/** Stands in for one page that failed; the frame around it goes on working. */
export function LoadFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const isAway = error instanceof NotFetched
  const retry = async () => {
    // What broke stays broken until the page is loaded anew.
    if (!isAway && !(error instanceof ApiError)) return location.reload()
    queries.reset()
    if (isAway) await router.invalidate()
    else void router.invalidate()
    reset()
  }
  const onBack = useRef(retry)
  onBack.current = retry
  useEffect(() => {
    if (!isAway) return
    return hearConnection(() => isConnected() && void onBack.current())
  }, [isAway])
  return (
    <Page title={isAway ? 'No connection' : 'Something went wrong'}>
      <Failure error={error} onRetry={retry} />
    </Page>
  )
}
