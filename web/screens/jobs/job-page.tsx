import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { pages } from '../../../contract/shared/pages.ts'
import { isActive, type JobDetails, jobQuery } from '../../client/jobs.ts'
import { nameOfDoor } from '../../history/done-by.tsx'
import { CancelJob, DownloadExport, DownloadFailedRows, UndoJob } from '../../jobs/job-actions.tsx'
import { JobState, StateBadge } from '../../jobs/job-card.tsx'
import { JobProblems } from '../../jobs/job-problems.tsx'
import { importFigures, isImport, jobTitle, kindLabel } from '../../jobs/job-words.ts'
import { MoveFiles } from '../../jobs/move-files.tsx'
import { useSchema } from '../../records/data/schema.ts'
import { Panel } from '../../ui/basics/layout.tsx'
import { AnchorLink } from '../../ui/basics/links.tsx'
import { LoadedPage } from '../../ui/basics/loaded.tsx'
import { Page } from '../../ui/basics/page.tsx'
import { Facts, Figures } from '../../ui/page/facts.tsx'
import { asMinute } from '../../ui/text/moments.ts'
import { asNumber } from '../../ui/text/numbers.ts'
import css from './jobs.module.css'

const route = getRouteApi('/frame/jobs/$id')

export function JobPage() {
  const { id } = route.useParams()
  const job = useQuery(jobQuery(id))
  return (
    <LoadedPage query={job} what="job" back={pages.jobs}>
      {(job) => <JobOf job={job} />}
    </LoadedPage>
  )
}

function JobOf({ job }: { job: JobDetails }) {
  const title = jobTitle(job, useSchema())
  return (
    <Page
      title={title}
      lead={
        <AnchorLink to={pages.jobs} className={css.back}>
          <ArrowLeft size={14} /> All background jobs
        </AnchorLink>
      }
      actions={
        <>
          <CancelJob job={job} title={title} />
          <UndoJob job={job} title={title} />
          <DownloadFailedRows job={job} />
          <DownloadExport job={job} />
        </>
      }
    >
      <Panel padded className={css.card}>
        {(isActive(job) || job.message) && <JobState job={job} title={title} />}
        {isImport(job) && <Figures label="Result" of={importFigures(job)} />}
        <Facts
          of={[
            ['State', <StateBadge key="state" {...job} />],
            ['Kind', kindLabel(job.kind)],
            ['File', job.result?.file_name],
            ['Started by', `${job.created_by_name ?? 'Someone'}, via ${nameOfDoor(job.via)}`],
            ['Started', asMinute(job.created_at)],
            ['Finished', job.finished_at && asMinute(job.finished_at)],
            ['Data as of', job.result?.as_of && asMinute(job.result.as_of)],
            ['Processed', job.total === null ? asNumber(job.done) : `${asNumber(job.done)} of ${asNumber(job.total)}`],
            ['Changed', isImport(job) || job.kind === 'export' ? null : asNumber(job.changed)],
            ['Problems', isImport(job) ? null : asNumber(job.failed)],
          ]}
        />
        <MoveFiles job={job} />
      </Panel>
      {job.problem_groups.length > 0 && (
        <div className={css.problems}>
          <JobProblems job={job} />
        </div>
      )}
    </Page>
  )
}
