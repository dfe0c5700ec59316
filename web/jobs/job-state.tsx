import { Badge } from '../ui/badge.tsx'
import { asNumber } from '../ui/numbers.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import css from './job-state.module.css'
import { jobNotes, percentOf, stateLabel } from './job-words.ts'
import { isActive, type Job } from './jobs.ts'

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

export function StateBadge({ state, failed }: Pick<Job, 'state' | 'failed'>) {
  const tone = tones[state] ?? (state === 'done' && failed ? 'warn' : undefined)
  return <Badge {...(tone && { tone })}>{stateLabel(state)}</Badge>
}
