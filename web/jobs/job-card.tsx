import { Link } from '@tanstack/react-router'
import { Ban, CircleAlert, CircleCheck, Clock, LoaderCircle, type LucideIcon, Undo2 } from 'lucide-react'
import { useSchema } from '../records/schema.ts'
import { Ago } from '../ui/ago.tsx'
import { DownloadExport, DownloadFailedRows } from './downloads.tsx'
import { CancelJob, UndoJob } from './job-actions.tsx'
import css from './job-card.module.css'
import { JobState } from './job-state.tsx'
import { jobTitle } from './job-words.ts'
import type { Job } from './jobs.ts'

/** One job in the panel: how far it is or how it ended, and what can be done about it. */
export function JobCard({ job, onLeave }: { job: Job; onLeave: () => void }) {
  const title = jobTitle(job, useSchema())
  return (
    <li className={css.card}>
      <StateIcon of={job} />
      <div className={css.content}>
        <div className={css.head}>
          <Link to="/jobs/$id" params={{ id: job.id }} className={css.title} onClick={onLeave}>
            {title}
          </Link>
          {job.finished_at && (
            <span className={css.when}>
              <Ago at={job.finished_at} />
            </span>
          )}
        </div>
        <JobState job={job} title={title} />
        <div className={css.actions}>
          <CancelJob job={job} title={title} />
          <UndoJob job={job} title={title} />
          <DownloadFailedRows job={job} />
          <DownloadExport job={job} />
        </div>
      </div>
    </li>
  )
}

const icons: Record<Job['state'], LucideIcon> = {
  waiting: Clock,
  running: LoaderCircle,
  done: CircleCheck,
  cancelled: Ban,
  failed: CircleAlert,
  undone: Undo2,
}

export function StateIcon({ of: { state, failed }, size = 16 }: { of: Job; size?: number }) {
  const Icon = state === 'done' && failed ? CircleAlert : icons[state]
  return (
    <Icon
      size={size}
      className={css.icon}
      data-state={failed && state === 'done' ? 'failed' : state}
      aria-hidden="true"
    />
  )
}
