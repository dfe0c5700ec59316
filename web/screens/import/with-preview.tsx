import { Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ObjectShape } from '../../records/data/schema.ts'
import { reasonOf } from '../../ui/basics/errors.ts'
import { type ImportSearch, previewQuery, useCheck, useChoices } from './choices.ts'
import { ColumnsStep } from './columns-step.tsx'
import { MatchingStep } from './matching-step.tsx'
import { PreviewFailure } from './preview-failure.tsx'
import { CheckStep } from './run-step.tsx'
import type { StepProps } from './step-frame.tsx'

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
  const preview = useQuery({ ...previewQuery(object, file, choices), placeholderData: keepPreviousData })
  if (preview.isPending) return <Skeleton height={320} radius="lg" role="status" aria-label="Reading the file" />
  if (preview.isError) return <PreviewFailure query={preview} back="Choose another file" onBack={() => go({})} />
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
    return <MatchAndCheck {...shared} onBack={() => go({ file })} onCheck={(check) => go({ file, check })} />
  return (
    <ColumnsStep
      {...shared}
      isStale={preview.isPlaceholderData}
      back="Choose another file"
      onBack={() => go({})}
      onNext={() => go({ file, step: 'matching' })}
    />
  )
}

type MatchProps = StepProps & { onBack: () => void; onCheck: (job: string) => void }

function MatchAndCheck({ onBack, onCheck, ...step }: MatchProps) {
  const check = useCheck(step.object, step.file, step.choices, step.preview, onCheck)
  return (
    <MatchingStep
      {...step}
      about="Nothing is imported yet: the next step checks every row and shows what would happen."
      failure={check.error && reasonOf(check.error)}
      isPending={check.isPending}
      next="Check the file"
      onBack={onBack}
      onNext={() => check.mutate()}
    />
  )
}
