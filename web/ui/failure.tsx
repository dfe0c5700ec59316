import { Button } from '@mantine/core'
import { CloudOff, RotateCw, TriangleAlert } from 'lucide-react'
import { ApiError } from '../client/api.ts'
import { PageNotLoaded } from './lazy-page.ts'
import { Message } from './message.tsx'

type Props = { error: unknown; onRetry: () => void; busy?: boolean }

/** What went wrong, in words, with a way to try again. */
export function Failure({ error, onRetry, busy }: Props) {
  const problem = error instanceof ApiError ? error.problem : undefined
  const isAway = error instanceof PageNotLoaded || problem?.status === 0
  return (
    <Message
      icon={isAway ? CloudOff : TriangleAlert}
      tone="bad"
      title={isAway ? 'The server cannot be reached' : (problem?.title ?? 'This page could not be shown')}
      note={problem?.request_id && `Request ID: ${problem.request_id}`}
      action={
        <Button
          variant="default"
          leftSection={<RotateCw size={14} aria-hidden="true" />}
          onClick={onRetry}
          loading={busy}
        >
          Retry
        </Button>
      }
    >
      {error instanceof PageNotLoaded
        ? 'The page loads when you are back online.'
        : isAway
          ? 'Check your connection and try again.'
          : (problem?.detail ?? 'Something unexpected happened. Try again, or reload the page.')}
    </Message>
  )
}
