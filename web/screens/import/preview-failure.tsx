import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { FileX2 } from 'lucide-react'
import { ApiError } from '../../client/api.ts'
import { reasonOf } from '../../ui/basics/errors.ts'
import { Failure, Message } from '../../ui/basics/states.tsx'

/** Asking again does not help: it is the file that is wrong. */
export const isUnreadable = (error: Error | null) =>
  error instanceof ApiError && error.problem.status < 500 && error.problem.status > 0

type Props = { query: Pick<UseQueryResult, 'error' | 'refetch' | 'isFetching'>; back: string; onBack: () => void }

export function PreviewFailure({ query: { error, refetch, isFetching }, back, onBack }: Props) {
  if (!isUnreadable(error)) return <Failure error={error} onRetry={refetch} busy={isFetching} />
  return (
    <Message
      icon={FileX2}
      tone="bad"
      title="This file cannot be imported"
      action={
        <Button variant="default" onClick={onBack}>
          {back}
        </Button>
      }
    >
      {reasonOf(error)}
    </Message>
  )
}
