import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Lock } from 'lucide-react'
import { useEffect } from 'react'
import { pages } from '../../../../contract/shared/pages.ts'
import { isActive, jobQuery } from '../../../client/jobs.ts'
import { useSchema } from '../../../records/data/schema.ts'
import { AnchorLink, ButtonLink } from '../../../ui/basics/links.tsx'
import { Page } from '../../../ui/basics/page.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { useNoStrayDrops } from '../../../ui/form/file-drop.tsx'
import { Steps } from '../../../ui/page/shown-once.tsx'
import { RunFrame } from '../run-step.tsx'
import { CheckMove } from './check-move.tsx'
import { type Move, type MoveSearch, stepOf, steps, useMove, useMoveSearch } from './choices.ts'
import { FileOfMove } from './file-of-move.tsx'
import { FilesStep } from './files-step.tsx'
import css from './move.module.css'
import { PlanStep } from './plan-step.tsx'

/** Brings the files of another CRM into Kith, together. */
export function MovePage() {
  const canCreate = useSchema().some(({ rights }) => rights.create)
  const [search, go] = useMoveSearch()
  useNoStrayDrops()
  return (
    <Page
      title="Move to Kith"
      lead={
        <AnchorLink to={pages.records} className={css.back}>
          <ArrowLeft size={14} /> All records
        </AnchorLink>
      }
    >
      {canCreate ? (
        <>
          <Steps of={steps} current={stepOf(search)} />
          <Step search={search} go={go} />
        </>
      ) : (
        <Message icon={Lock} title="Your role does not allow this">
          You need permission to create records. Ask an Admin of your company.
        </Message>
      )}
    </Page>
  )
}

function Step({ search, go }: { search: MoveSearch; go: (search: MoveSearch) => void }) {
  const move = useMove()
  const { job, check, step, file } = search
  const isLoading = useLastMove(move, search, go)
  const again = () => {
    move.forget()
    go({})
  }
  if (job)
    return (
      <RunFrame id={job} again="Move more files" onAgain={again}>
        <ButtonLink to={pages.records}>Show all records</ButtonLink>
      </RunFrame>
    )
  if (isLoading) return <Skeleton height={320} radius="lg" role="status" aria-label="Loading the move" />
  if (!move.files.length || !(step || check)) return <FilesStep move={move} onNext={() => go({ step: 'plan' })} />
  if (check)
    return (
      <CheckMove
        key={check}
        move={move}
        id={check}
        onCheck={(check) => go({ check })}
        onBack={() => go({ step: 'plan' })}
        onRun={(job) => {
          move.started(job)
          go({ job })
        }}
      />
    )
  const shown = move.files.find(({ id }) => id === file)
  if (shown && step !== 'plan')
    return <FileOfMove key={shown.id} move={move} file={shown} isMatching={step === 'matching'} go={go} />
  return (
    <PlanStep
      move={move}
      onBack={() => go({})}
      onColumns={(file) => go({ step: 'columns', file })}
      onCheck={(check) => go({ check })}
    />
  )
}

/** While the move runs, it is what the page shows; the files of one that is done are not offered again. */
function useLastMove(move: Move, { job, check, step }: MoveSearch, go: (search: MoveSearch) => void) {
  const { data, isLoading } = useQuery({ ...jobQuery(move.job ?? ''), enabled: move.job !== undefined, retry: false })
  const isNew = !job && !check && !step
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it changes its state, and when the page is opened
  useEffect(() => {
    if (data?.state === 'done' || data?.state === 'undone') move.forget()
    else if (data && isActive(data) && isNew) go({ job: data.id })
  }, [data?.state, isNew])
  return isLoading && isNew
}
