import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../client/api.ts'
import { DownloadFailedRows } from '../../jobs/downloads.tsx'
import { isActive, jobStarted } from '../../jobs/jobs.ts'
import { counted } from '../../records/counted.ts'
import { reasonOf } from '../../ui/form-errors.ts'
import { useImportInput } from './choices.ts'
import { ImportJob, useImportJob } from './import-job.tsx'
import { StepFrame } from './step-frame.tsx'
import type { StepProps } from './step-props.ts'

type Props = StepProps & { id: string; onBack: () => void; onRun: (job: string) => void }

/** What the import would do, before it does anything. */
export function CheckStep({ object, file, name, preview, choices, id, onBack, onRun }: Props) {
  const inputOf = useImportInput()
  const { query, job } = useImportJob(id)
  const run = useMutation({
    mutationFn: () => api.importRecords(inputOf(object, file, choices, preview)),
    onSuccess: ({ job_id }) => {
      jobStarted(job_id)
      onRun(job_id)
    },
  })
  const { created = 0, updated = 0 } = job?.result ?? {}
  const isRunning = !job || isActive(job)
  const isChecked = job?.state === 'done'
  const back = () => {
    // Nobody waits for its result any more.
    if (job && isActive(job)) void api.cancelJob({ id }).catch(() => {})
    onBack()
  }
  const count = created + updated
  return (
    <StepFrame
      title={isRunning ? `Checking ${name}` : isChecked ? 'Result of the check' : 'The check was stopped'}
      about={isRunning ? 'Every row is checked. Nothing is changed.' : isChecked && aboutOf(count, job.failed)}
      failure={run.error && reasonOf(run.error)}
      actions={
        <>
          <Button variant="default" onClick={back}>
            Back
          </Button>
          {isChecked && (
            <>
              <DownloadFailedRows job={job} size="sm" />
              <Button loading={run.isPending} disabled={!count} onClick={() => run.mutate()}>
                Import {counted(count, object)}
              </Button>
            </>
          )}
        </>
      }
    >
      <ImportJob query={query} />
    </StepFrame>
  )
}

function aboutOf(count: number, failed: number) {
  if (!count) return failed ? 'No row can be imported as it is.' : 'Nothing would change.'
  return failed ? 'Rows with problems are left out. You can correct and import them later.' : 'No problems were found.'
}
