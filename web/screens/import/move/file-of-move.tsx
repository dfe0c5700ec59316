import { Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Failure } from '../../../ui/basics/states.tsx'
import { type Choices, previewQuery } from '../choices.ts'
import { ColumnsStep } from '../columns-step.tsx'
import { MatchingStep } from '../matching-step.tsx'
import { PreviewFailure } from '../preview-failure.tsx'
import type { Move, MovedFile, MoveSearch } from './choices.ts'
import { objectsOf, usePlan } from './plan.ts'

type Props = { move: Move; file: MovedFile; isMatching: boolean; go: (search: MoveSearch) => void }

/** The columns of one file, and what happens to rows of records that exist. */
export function FileOfMove({ move, file, isMatching, go }: Props) {
  const { planned, query } = usePlan(move)
  const object = planned.find(({ id }) => id === file.id)?.into
  if (query.isError) return <Failure error={query.error} onRetry={query.refetch} busy={query.isFetching} />
  if (!object) return <Reading />
  return <Steps among={objectsOf(planned)} move={move} file={file} object={object} isMatching={isMatching} go={go} />
}

const Reading = () => <Skeleton height={320} radius="lg" role="status" aria-label="Reading the file" />

type StepsProps = Props & { object: Parameters<typeof previewQuery>[0]; among: string[] }

function Steps({ move, file: { id, name, choices }, object, among, isMatching, go }: StepsProps) {
  const preview = useQuery({ ...previewQuery(object, id, choices), placeholderData: keepPreviousData })
  if (preview.isPending) return <Reading />
  const toPlan = () => go({ step: 'plan' })
  if (preview.isError) return <PreviewFailure query={preview} back="Back to the plan" onBack={toPlan} />
  const choose = (patch: Partial<Choices>) => move.choose({ [id]: patch })
  const shared = { object, file: id, name, preview: preview.data, choices, choose }
  if (isMatching)
    return (
      <MatchingStep
        {...shared}
        among={among}
        about="What happens to records that exist, and to names that do not."
        next="Back to the plan"
        onBack={() => go({ step: 'columns', file: id })}
        onNext={toPlan}
      />
    )
  return (
    <ColumnsStep
      {...shared}
      isStale={preview.isPlaceholderData}
      back="Back to the plan"
      onBack={toPlan}
      onNext={() => go({ step: 'matching', file: id })}
    />
  )
}
