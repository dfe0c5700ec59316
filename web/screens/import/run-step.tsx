import { Button, Skeleton } from '@mantine/core'
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../client/api.ts'
import { isActive, type JobDetails, jobQuery, jobStarted, watchJob } from '../../client/jobs.ts'
import { CancelJob, DownloadFailedRows, UndoJob } from '../../jobs/job-actions.tsx'
import { JobState } from '../../jobs/job-card.tsx'
import { JobProblems } from '../../jobs/job-problems.tsx'
import { alsoCreated, importFigures, jobTitle } from '../../jobs/job-words.ts'
import { MoveFiles } from '../../jobs/move-files.tsx'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { counted, pluralOf } from '../../records/data/value-text.ts'
import { reasonOf } from '../../ui/basics/errors.ts'
import { ButtonLink } from '../../ui/basics/links.tsx'
import { Failure } from '../../ui/basics/states.tsx'
import { Figures } from '../../ui/page/facts.tsx'
import { mappedFields, useCheck, useImportFields, valuesOf } from './choices.ts'
import css from './import.module.css'
import { Nameless } from './nameless.tsx'
import { StepFrame, type StepProps } from './step-frame.tsx'
import { type UnknownGroup, UnknownValues, unknownGroups } from './unknown-values.tsx'

type Props = { object: ObjectShape; id: string; onAgain: () => void }

export const RunStep = ({ object, id, onAgain }: Props) => (
  <RunFrame id={id} again="Import another file" onAgain={onAgain}>
    <ButtonLink to="/records/$object" params={{ object: object.key }}>
      Show {pluralOf(object)}
    </ButtonLink>
  </RunFrame>
)

/** `children`: where to go when it is over. */
type RunProps = { id: string; again: string; onAgain: () => void; children: ReactNode }

/** The import itself. It continues when the page is left. */
export function RunFrame({ id, again, onAgain, children }: RunProps) {
  const objects = useSchema()
  const { query, job } = useImportJob(id)
  const title = job ? jobTitle(job, objects) : 'Import'
  const isOver = job && !isActive(job)
  return (
    <StepFrame
      title={title}
      about={
        isOver
          ? undefined
          : 'You can leave this page. The import continues, and its result appears under Background jobs.'
      }
      actions={
        isOver ? (
          <>
            <UndoJob job={job} title={title} size="sm" />
            <DownloadFailedRows job={job} size="sm" />
            <Button variant="default" onClick={onAgain}>
              {again}
            </Button>
            {children}
          </>
        ) : (
          job && <CancelJob job={job} title={title} size="sm" />
        )
      }
    >
      <ImportJob query={query} />
    </StepFrame>
  )
}

type CheckStepProps = StepProps & {
  id: string
  onBack: () => void
  /** The job of another check. */
  onCheck: (job: string) => void
  onRun: (job: string) => void
}

/** What the import would do, before it does anything. */
export function CheckStep({ object, file, name, preview, choices, choose, id, onCheck, ...go }: CheckStepProps) {
  const mapped = mappedFields(useImportFields(object), choices, preview)
  const values = valuesOf(choices, preview)
  const [checked] = useState(values)
  const again = useCheck(object, file, choices, preview, onCheck)
  return (
    <CheckFrame
      id={id}
      what={name ?? 'the file'}
      isChanged={JSON.stringify(values) !== JSON.stringify(checked)}
      again={again}
      // What was checked is imported, and only once, whatever was chosen or clicked since.
      run={async () => (await api.importRecords({ object: object.key, check_id: id })).job_id}
      action={(count) => `Import ${counted(count, object)}`}
      groups={({ result }) =>
        unknownGroups({
          unknown: result?.unknown_values ?? {},
          mapped,
          values,
          onChange: (next) => choose({ values: next }),
        })
      }
      {...go}
    />
  )
}

type CheckFrameProps = {
  id: string
  /** What is checked. */
  what: string
  /** Something was chosen since the check. */
  isChanged: boolean
  again: { mutate: () => void; isPending: boolean; error: Error | null }
  /** Imports what was checked. Returns the job. */
  run: () => Promise<string>
  action: (count: number) => string
  groups: (job: JobDetails) => UnknownGroup[]
  onBack: () => void
  onRun: (job: string) => void
}

/** A check that runs, and what came of it. */
export function CheckFrame({ id, what, isChanged, again, action, groups, onBack, onRun, ...given }: CheckFrameProps) {
  const { query, job } = useImportJob(id)
  const run = useMutation({
    mutationFn: given.run,
    onSuccess: (job_id) => {
      jobStarted(job_id)
      onRun(job_id)
    },
  })
  const { created = 0, updated = 0, import_job_id } = job?.result ?? {}
  const isRunning = !job || isActive(job)
  const isChecked = job?.state === 'done'
  const back = () => {
    // Its result is no longer needed.
    if (job && isActive(job)) void api.cancelJob({ id }).catch(() => {})
    onBack()
  }
  const count = created + updated
  const unknown = isChecked && !import_job_id ? groups(job) : []
  return (
    <StepFrame
      title={
        isRunning
          ? `Checking ${what}`
          : import_job_id
            ? 'Already imported'
            : isChecked
              ? 'Check result'
              : 'The check was stopped'
      }
      about={
        isRunning
          ? 'Every row is checked. Nothing is changed.'
          : import_job_id
            ? `This was the result of the check before the import. To import ${what} again, go back and check again.`
            : isChecked && aboutOf(count, job)
      }
      failure={(run.error ?? again.error) && reasonOf(run.error ?? again.error)}
      actions={
        <>
          <Button variant="default" onClick={back}>
            Back
          </Button>
          {isChecked && <DownloadFailedRows job={job} size="sm" />}
          {import_job_id && <Button onClick={() => onRun(import_job_id)}>Show the import</Button>}
          {isChecked && !import_job_id && (
            <>
              {unknown.length > 0 && (
                <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
                  Check again
                </Button>
              )}
              <Button loading={run.isPending} disabled={!count || isChanged} onClick={() => run.mutate()}>
                {action(count)}
              </Button>
            </>
          )}
        </>
      }
    >
      <ImportJob query={query}>
        <UnknownValues groups={unknown} />
      </ImportJob>
    </StepFrame>
  )
}

function aboutOf(count: number, { failed, result, problem_groups }: JobDetails) {
  const partly = result?.partly_imported ?? 0
  if (!count) return failed ? 'No rows can be imported.' : 'Nothing would change.'
  if (failed)
    return `Rows that fail are skipped${partly ? ', and some are partly imported' : ''}. You can fix and import them later.`
  if (partly) return 'Every row can be imported, some of them without the values listed below.'
  return problem_groups.length ? 'Every row can be imported.' : 'No problems were found.'
}

/** The job of a step. While the page shows it, no notice about it is needed. */
function useImportJob(id: string) {
  const query = useQuery(jobQuery(id))
  useEffect(() => watchJob(id), [id])
  return { query, job: query.data }
}

/** Progress, then what came of it. */
function ImportJob({ query, children }: { query: UseQueryResult<JobDetails>; children?: ReactNode }) {
  const objects = useSchema()
  if (query.isPending) return <Skeleton height={96} radius="lg" role="status" aria-label="Loading the import" />
  if (!query.data) return <Failure error={query.error} onRetry={query.refetch} busy={query.isFetching} />
  const job = query.data
  const also = alsoCreated(job, objects)
  return (
    <div className={css.job}>
      {(isActive(job) || job.message) && <JobState job={job} title={jobTitle(job, objects)} />}
      {(!isActive(job) || job.done > 0) && <Figures label="Result" of={importFigures(job)} />}
      <MoveFiles job={job} />
      {also.length > 0 && (
        <p className={css.hint}>
          {job.result?.dry_run ? 'Would also create' : 'Also created'}: {also.join(', ')}.
        </p>
      )}
      <Nameless job={job} />
      {children}
      {job.problem_groups.length > 0 && <JobProblems job={job} />}
    </div>
  )
}
