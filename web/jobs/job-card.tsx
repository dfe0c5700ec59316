import { Link } from '@tanstack/react-router'
import { Ban, CircleAlert, CircleCheck, Clock, LoaderCircle, type LucideIcon, Undo2 } from 'lucide-react'
import { Fragment } from 'react'
import { isActive, type Job } from '../client/jobs.ts'
import { useSchema } from '../records/data/schema.ts'
import { Badge } from '../ui/basics/avatar.tsx'
import { ProgressBar } from '../ui/form/file-drop.tsx'
import { Ago } from '../ui/text/ago.tsx'
import { asNumber } from '../ui/text/numbers.ts'
import { CancelJob, DownloadExport, DownloadFailedRows, UndoJob } from './job-actions.tsx'
import css from './job-card.module.css'
import { jobNotes, jobTitle, percentOf, stateLabel } from './job-words.ts'

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
        <JobFiles job={job} />
        <JobState job={job} title={title} />
        <div className={css.actions}>
          <CancelJob job={job} title={title} />
          <UndoJob job={job} title={title} onAsk={onLeave} />
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
  return <Icon size={size} className={css.icon} data-state={failed && state === 'done' ? 'failed' : state} />
}

const mostNamed = 3

/** The files that it imports, or the one that it wrote. */
export function JobFiles({ job: { result } }: { job: Job }) {
  const names = result?.files?.map(({ file_name }) => file_name) ?? [result?.file_name ?? []].flat()
  if (!names.length) return null
  const left = names.length - mostNamed
  return (
    <span className={css.files}>
      {names.slice(0, mostNamed).map((name, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: files may have the same name, and their order is fixed
        <Fragment key={i}>
          {i > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {left > 0 && ` and ${asNumber(left)} more`}
    </span>
  )
}

/** A bar with figures while a job runs, afterwards what its title leaves out. */
export function JobState({ job, title }: { job: Job; title: string }) {
  if (!isActive(job)) return <Outcome of={job} />
  const percent = percentOf(job)
  return (
    <div className={css.progress}>
      {job.state === 'running' && <ProgressBar label={title} percent={percent} />}
      <span className={css.figures}>
        {job.state === 'waiting' ? (
          'Waiting to start'
        ) : (
          <>
            <span>
              {asNumber(job.done)}
              {job.total !== null && ` of ${asNumber(job.total)}`}
            </span>
            {percent !== undefined && <span>{percent} %</span>}
          </>
        )}
      </span>
    </div>
  )
}

function Outcome({ of: job }: { of: Job }) {
  const notes = jobNotes(job)
  if (!notes.length && !job.message) return null
  return (
    <div className={css.outcome}>
      {job.message && <span dir="auto">{job.message}</span>}
      {notes.length > 0 && <span>{notes.join(' · ')}</span>}
    </div>
  )
}

const tones: Partial<Record<Job['state'], 'accent' | 'warn'>> = { running: 'accent', failed: 'warn', cancelled: 'warn' }

export function StateBadge({ state, failed, is_partly_undone }: Pick<Job, 'state' | 'failed' | 'is_partly_undone'>) {
  const tone = tones[state] ?? (state === 'done' && failed ? 'warn' : undefined)
  return <Badge {...(tone && { tone })}>{is_partly_undone ? 'Partly undone' : stateLabel(state)}</Badge>
}
