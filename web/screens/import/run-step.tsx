import { Button, Skeleton } from '@mantine/core'
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../client/api.ts'
import { isActive, type JobDetails, jobQuery, jobStarted, watchJob } from '../../client/jobs.ts'
import { CancelJob, DownloadFailedRows, UndoJob } from '../../jobs/job-actions.tsx'
import { JobProblems, JobState } from '../../jobs/job-card.tsx'
import { alsoCreated, importFigures, jobTitle } from '../../jobs/job-words.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { counted, pluralOf } from '../../records/data/value-text.ts'
import { reasonOf } from '../../ui/basics/errors.ts'
import { ButtonLink } from '../../ui/basics/links.tsx'
import { Failure } from '../../ui/basics/states.tsx'
import { Figures } from '../../ui/page/facts.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import { mappedFields, useCheck, useImportFields, valuesOf } from './choices.ts'
import css from './import.module.css'
import { StepFrame, type StepProps } from './step-frame.tsx'
import { UnknownValues } from './unknown-values.tsx'

type Props = { object: ObjectShape; id: string; onAgain: () => void }

/** The import itself. It goes on when the page is left. */
export function RunStep({ object, id, onAgain }: Props) {
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
              Import another file
            </Button>
            <ButtonLink to="/records/$object" params={{ object: object.key }}>
              Show {pluralOf(object)}
            </ButtonLink>
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
export function CheckStep({
  object,
  file,
  name,
  preview,
  choices,
  choose,
  id,
  onBack,
  onCheck,
  onRun,
}: CheckStepProps) {
  const { query, job } = useImportJob(id)
  const mapped = mappedFields(useImportFields(object), choices, preview)
  const values = valuesOf(choices, preview)
  const [checked] = useState(values)
  const isChanged = JSON.stringify(values) !== JSON.stringify(checked)
  const again = useCheck(object, file, choices, preview, onCheck)
  const run = useMutation({
    // What was checked is imported, and only once, whatever was chosen or clicked since.
    mutationFn: () => api.importRecords({ object: object.key, check_id: id }),
    onSuccess: ({ job_id }) => {
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
  return (
    <StepFrame
      title={
        isRunning
          ? `Checking ${name ?? 'the file'}`
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
            ? 'This was the result of the check before the import. To import the file again, go back and check it again.'
            : isChecked && aboutOf(count, job.failed)
      }
      failure={(run.error ?? again.error) && reasonOf(run.error ?? again.error)}
      actions={
        <>
          <Button variant="default" onClick={back}>
            Back
          </Button>
          {isChecked && (
            <>
              <DownloadFailedRows job={job} size="sm" />
              {import_job_id ? (
                <Button onClick={() => onRun(import_job_id)}>Show the import</Button>
              ) : (
                <Button loading={run.isPending} disabled={!count || isChanged} onClick={() => run.mutate()}>
                  Import {counted(count, object)}
                </Button>
              )}
            </>
          )}
        </>
      }
    >
      <ImportJob query={query}>
        {isChecked && !import_job_id && (
          <UnknownValues
            unknown={job.result?.unknown_values ?? {}}
            mapped={mapped}
            values={values}
            isChanged={isChanged}
            isPending={again.isPending}
            onChange={(next) => choose({ values: next })}
            onCheck={() => again.mutate()}
          />
        )}
      </ImportJob>
    </StepFrame>
  )
}

function aboutOf(count: number, failed: number) {
  if (!count) return failed ? 'No rows can be imported.' : 'Nothing would change.'
  return failed ? 'Rows with problems are skipped. You can fix and import them later.' : 'No problems were found.'
}

/** The job of this step. While the page shows it, no notice about it is needed. */
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
      {also.length > 0 && (
        <p className={css.hint}>
          {job.result?.dry_run ? 'Would also create' : 'Also created'}: {also.join(', ')}.
        </p>
      )}
      {(job.result?.nameless ?? 0) > 0 && (
        <p className={css.warning}>
          <CircleAlert size={14} /> {asNumber(job.result!.nameless!)} of the new records{' '}
          {job.result?.dry_run ? 'would have' : 'have'} no name.
        </p>
      )}
      {children}
      {job.problems.length > 0 && <JobProblems job={job} />}
    </div>
  )
}
