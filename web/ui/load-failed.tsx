import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from '../client/api.ts'
import { hearConnection, isConnected } from '../client/connection.ts'
import { hasUnsaved } from '../client/unsaved.ts'
import { Failure } from './failure.tsx'
import { PageNotLoaded } from './lazy-page.ts'
import { Page } from './page.tsx'

/** Shown in place of a page that failed; the frame around it keeps working. */
export function LoadFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const isAway = error instanceof PageNotLoaded
  const retry = () => {
    // A browser does not ask again for a script or a style that failed, so only a reload helps.
    if (!(error instanceof ApiError)) return location.reload()
    queries.reset()
    void router.invalidate()
    reset()
  }
  useEffect(() => {
    if (isAway) return hearConnection(() => isConnected() && !hasUnsaved() && location.reload())
  }, [isAway])
  return (
    <Page title={isAway ? 'No connection' : 'Something went wrong'}>
      <Failure error={error} onRetry={retry} />
    </Page>
  )
}
