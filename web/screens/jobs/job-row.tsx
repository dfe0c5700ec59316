import { nameOfDoor } from '../../history/doors.ts'
import { DownloadExport } from '../../jobs/downloads.tsx'
import { CancelJob, UndoJob } from '../../jobs/job-actions.tsx'
import { JobState, StateBadge } from '../../jobs/job-state.tsx'
import { jobTitle } from '../../jobs/job-words.ts'
import type { Job } from '../../jobs/jobs.ts'
import { useSchema } from '../../records/schema.ts'
import { Ago } from '../../ui/ago.tsx'
import { RowLink } from '../../ui/row-link.tsx'
import { Cell, Row } from '../../ui/table.tsx'
import css from './jobs.module.css'

export function JobRow({ job }: { job: Job }) {
  const title = jobTitle(job, useSchema())
  return (
    <Row>
      <Cell kind="job">
        <div className={css.job}>
          <RowLink to="/jobs/$id" params={{ id: job.id }}>
            {title}
          </RowLink>
          <JobState job={job} title={title} />
        </div>
      </Cell>
      <Cell kind="state">
        <StateBadge state={job.state} failed={job.failed} />
      </Cell>
      <Cell kind="by" label="Started by">
        <span>
          <bdi>{job.created_by_name ?? 'Someone'}</bdi>
          {job.via !== 'web' && <span className={css.via}> via {nameOfDoor(job.via)}</span>}
        </span>
      </Cell>
      <Cell kind="at" label="Started">
        <Ago at={job.created_at} />
      </Cell>
      <Cell kind="actions">
        <div className={css.actions}>
          <CancelJob job={job} title={title} />
          <UndoJob job={job} title={title} />
          <DownloadExport job={job} />
        </div>
      </Cell>
    </Row>
  )
}
