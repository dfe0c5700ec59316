import { ActionIcon, UnstyledButton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { pages } from '../../contract/shared/pages.ts'
import { followJob, isActive, isWatched, type Job, myJobsQuery, stopFollowing } from '../client/jobs.ts'
import { useSignedIn } from '../client/session.ts'
import { DownloadExport } from '../jobs/job-actions.tsx'
import { JobCard, StateIcon } from '../jobs/job-card.tsx'
import { isDryRun, isImport, jobNotes, jobTitle, percentOf } from '../jobs/job-words.ts'
import { recordsChanged } from '../records/data/record-cache.ts'
import { type ObjectShape, useSchema } from '../records/data/schema.ts'
import { saidAndUndoable } from '../records/data/undo.ts'
import { focusHeading } from '../ui/basics/keyboard.ts'
import { AnchorLink, ButtonLink } from '../ui/basics/links.tsx'
import { notify } from '../ui/basics/notices.tsx'
import { ProgressBar } from '../ui/form/file-drop.tsx'
import { PopPanel } from '../ui/form/pop-panel.tsx'
import css from './jobs-indicator.module.css'

const recentMs = 10 * 60_000
/** A check before an import has its result in the wizard. */
const isNews = (job: Job) =>
  job.finished_at !== null && Date.now() - Date.parse(job.finished_at) < recentMs && !isDryRun(job)

/** In the frame, while the user has jobs that run or ended a short while ago. */
export function JobsIndicator({ isIcon = false }: { isIcon?: boolean }) {
  const { me } = useSignedIn()
  const { data: jobs = [] } = useQuery(myJobsQuery(me.id))
  const [opened, setOpened] = useState(false)
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  useResults(jobs)
  const active = jobs.filter(isActive)
  const shown = [...active, ...jobs.filter((job) => !isActive(job) && isNews(job) && !seen.has(job.id))]
  const close = () => {
    if (!opened) return
    setOpened(false)
    setSeen(new Set([...seen, ...shown.filter((job) => !isActive(job)).map(({ id }) => id)]))
    // The button goes away with the last job, and the focus must not be lost with it.
    if (!active.length) focusHeading()
  }
  if (!shown.length) return null
  return (
    <PopPanel
      title="Background jobs"
      position="right-end"
      opened={opened}
      onClose={close}
      target={
        <JobsButton
          jobs={shown}
          isIcon={isIcon}
          aria-expanded={opened}
          onClick={() => (opened ? close() : setOpened(true))}
        />
      }
    >
      <JobsPanel jobs={shown} hasHeading={!isIcon} onLeave={close} />
    </PopPanel>
  )
}

/** Says how a job ended that was seen running, and shows its records as they are now. */
function useResults(jobs: Job[]) {
  const client = useQueryClient()
  const objects = useSchema()
  useEffect(() => {
    for (const job of jobs) {
      if (isActive(job)) {
        if (job.via === 'web') followJob(job.id)
      } else if (stopFollowing(job.id)) {
        if (!isWatched(job.id)) announceResult(job, objects)
        // An import may have added options.
        if (job.result?.options_created) void client.invalidateQueries({ queryKey: ['schema'] })
        void recordsChanged(client, job.object ?? undefined)
      }
    }
  }, [jobs, objects, client])
}

type Props = ComponentProps<'button'> & { jobs: Job[]; isIcon: boolean }

/** What runs now, or how the last job ended. */
function JobsButton({ jobs, isIcon, ...rest }: Props) {
  const objects = useSchema()
  const active = jobs.filter(isActive)
  const job = active.find(({ state }) => state === 'running') ?? active[0] ?? jobs[0]!
  const title = jobTitle(job, objects)
  const percent = isActive(job) ? percentOf(job) : undefined
  const more = active.length > 1 ? `, and ${active.length - 1} more` : ''
  const label = `Background jobs: ${title}${percent === undefined ? '' : `, ${percent} %`}${more}`
  const icon = <StateIcon of={job} size={isIcon ? 19 : 16} />
  if (isIcon)
    return (
      <ActionIcon {...rest} variant="subtle" color="gray" size={40} aria-label={label} aria-haspopup="dialog">
        {icon}
      </ActionIcon>
    )
  return (
    <UnstyledButton {...rest} className={css.button} aria-label={label} aria-haspopup="dialog">
      <span className={css.line}>
        {icon}
        <span className={css.title}>{title}</span>
        {active.length > 1 && <span className={css.percent}>+{active.length - 1}</span>}
        {percent !== undefined && <span className={css.percent}>{percent} %</span>}
      </span>
      {job.state === 'running' && <ProgressBar label={title} percent={percent} />}
    </UnstyledButton>
  )
}

type JobsPanelProps = { jobs: Job[]; hasHeading: boolean; onLeave: () => void }

const JobsPanel = ({ jobs, hasHeading, onLeave }: JobsPanelProps) => (
  <>
    {hasHeading && (
      <header className={css.head}>
        <h2>Background jobs</h2>
      </header>
    )}
    <ul className={css.list} aria-label="Background jobs">
      {jobs.map((job) => (
        <JobCard key={job.id} job={job} onLeave={onLeave} />
      ))}
    </ul>
    <footer className={css.foot}>
      <AnchorLink to={pages.jobs} onClick={onLeave}>
        All background jobs
      </AnchorLink>
    </footer>
  </>
)

const shownMs = 10_000

/** A notice about how a job ended, with what can be done next. */
function announceResult(job: Job, objects: ObjectShape[]) {
  const title = jobTitle(job, objects)
  const text = `${[title, ...jobNotes(job)].join('. ')}.`
  if (job.state === 'failed') return show('red', job.message ?? text, title)
  // Undoing an import asks first, on its page.
  if (isImport(job))
    return show(
      'pine',
      <span className={css.result}>
        <span>{text}</span>
        <ButtonLink to="/jobs/$id" params={{ id: job.id }} variant="default" size="compact-sm">
          Show the result
        </ButtonLink>
      </span>,
    )
  if (!job.result?.file_id) return saidAndUndoable(text, job.can_undo ? job.change_set_id : null)
  show(
    'pine',
    <span className={css.result}>
      <span>{text}</span>
      <DownloadExport job={job} />
    </span>,
  )
}

const show = (color: string, message: ReactNode, title?: string) =>
  notify({ message, color, autoClose: shownMs, ...(title && { title }) })
