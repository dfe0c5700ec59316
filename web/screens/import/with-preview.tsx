import { Button, Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FileX2 } from 'lucide-react'
import { ApiError, api } from '../../client/api.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { reasonOf } from '../../ui/basics/errors.ts'
import { Failure, Message } from '../../ui/basics/states.tsx'
import { type ImportSearch, useChoices } from './choices.ts'
import { ColumnsStep } from './columns-step.tsx'
import { MatchingStep } from './matching-step.tsx'
import { CheckStep } from './run-step.tsx'

type Props = {
  object: ObjectShape
  file: string
  name: string | undefined
  search: ImportSearch
  go: (search: ImportSearch) => void
}

/** The steps that know the columns of the file. */
export function WithPreview({ object, file, name, search, go }: Props) {
  const [choices, choose] = useChoices(file)
  const preview = useQuery({
    queryKey: ['import preview', object.key, file, choices.format],
    queryFn: () => api.previewImport({ object: object.key, file_id: file, format: choices.format }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (preview.isPending) return <Skeleton height={320} radius="lg" role="status" aria-label="Reading the file" />
  if (preview.isError) {
    const isUnreadable =
      preview.error instanceof ApiError && preview.error.problem.status < 500 && preview.error.problem.status > 0
    if (!isUnreadable) return <Failure error={preview.error} onRetry={preview.refetch} busy={preview.isFetching} />
    return (
      <Message
        icon={FileX2}
        tone="bad"
        title="This file cannot be imported"
        action={
          <Button variant="default" onClick={() => go({})}>
            Choose another file
          </Button>
        }
      >
        {reasonOf(preview.error)}
      </Message>
    )
  }
  const shared = { object, file, name, preview: preview.data, choices, choose }
  if (search.check)
    return (
      <CheckStep
        key={search.check}
        {...shared}
        id={search.check}
        onCheck={(check) => go({ file, check })}
        onBack={() => go({ file, step: 'matching' })}
        onRun={(job) => go({ job })}
      />
    )
  if (search.step === 'matching')
    return <MatchingStep {...shared} onBack={() => go({ file })} onCheck={(check) => go({ file, check })} />
  return (
    <ColumnsStep
      {...shared}
      isStale={preview.isPlaceholderData}
      onBack={() => go({})}
      onNext={() => go({ file, step: 'matching' })}
    />
  )
}
