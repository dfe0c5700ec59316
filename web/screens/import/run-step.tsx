import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { DownloadFailedRows } from '../../jobs/downloads.tsx'
import { CancelJob, UndoJob } from '../../jobs/job-actions.tsx'
import { jobTitle } from '../../jobs/job-words.ts'
import { isActive } from '../../jobs/jobs.ts'
import { pluralOf } from '../../records/counted.ts'
import { type ObjectShape, useSchema } from '../../records/schema.ts'
import { ImportJob, useImportJob } from './import-job.tsx'
import { StepFrame } from './step-frame.tsx'

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
      about={isOver ? undefined : 'You can leave this page: the import continues, and Jobs shows how it ends.'}
      actions={
        isOver ? (
          <>
            <UndoJob job={job} title={title} size="sm" />
            <DownloadFailedRows job={job} size="sm" />
            <Button variant="default" onClick={onAgain}>
              Import another file
            </Button>
            <Button renderRoot={(props) => <Link {...props} to="/records/$object" params={{ object: object.key }} />}>
              Show {pluralOf(object)}
            </Button>
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
