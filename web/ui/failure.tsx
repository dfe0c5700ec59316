import { Button } from '@mantine/core'
import { CloudOff, RotateCw, TriangleAlert } from 'lucide-react'
import { ApiError } from '../api.ts'
import { NotFetched } from './lazy-part.tsx'
import { Message } from './message.tsx'

/** What went wrong, in words, with a way to try again. */
export function Failure({ error, onRetry, busy }: { error: unknown; onRetry: () => void; busy?: boolean }) {
  const problem = error instanceof ApiError ? error.problem : undefined
  // A part of the app that cannot be fetched means the same as an API that cannot.
  const away = problem
    ? problem.status === 0
    : error instanceof NotFetched || /preload|dynamically imported|fetch/i.test(String(error))
  return (
    <Message
      icon={away ? CloudOff : TriangleAlert}
      tone="bad"
      title={away ? 'The server cannot be reached' : (problem?.title ?? 'This page could not be shown')}
      note={problem?.request_id && `Request id: ${problem.request_id}`}
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
      {error instanceof NotFetched
        ? 'This page comes by itself when the connection is back.'
        : away
          ? 'Check the connection, then try again.'
          : (problem?.detail ?? 'Something unexpected happened. Try again, or load the page anew.')}
    </Message>
  )
}
