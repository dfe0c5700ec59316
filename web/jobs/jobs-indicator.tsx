import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSignedIn } from '../client/session.ts'
import { recordsChanged } from '../records/record-cache.ts'
import { useSchema } from '../records/schema.ts'
import { focusHeading } from '../ui/arrival.ts'
import { PopPanel } from '../ui/pop-panel.tsx'
import { announceResult } from './announce-result.tsx'
import { isDryRun } from './job-words.ts'
import { followJob, isActive, isWatched, type Job, myJobsQuery, stopFollowing } from './jobs.ts'
import { JobsButton } from './jobs-button.tsx'
import { JobsPanel } from './jobs-panel.tsx'

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
      title="Jobs"
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
