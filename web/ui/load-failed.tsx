import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiError } from '../api.ts'
import { Failure } from './failure.tsx'
import { Page } from './page.tsx'

/** Stands in for one page that failed; the frame around it goes on working. */
export function LoadFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const retry = () => {
    // A part of the app that failed to load stays failed until the page is loaded anew.
    if (!(error instanceof ApiError)) return location.reload()
    queries.reset()
    reset()
    void router.invalidate()
  }
  return (
    <Page title="Something went wrong">
      <Failure error={error} onRetry={retry} />
    </Page>
  )
}
