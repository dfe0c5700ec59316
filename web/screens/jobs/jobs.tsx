import { useInfiniteQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { jobKinds, jobStates } from '../../../contract/jobs.ts'
import { isActive, type Job, jobPagesQuery } from '../../client/jobs.ts'
import { nameOfDoor } from '../../history/done-by.tsx'
import { CancelJob, DownloadExport, UndoJob } from '../../jobs/job-actions.tsx'
import { JobFiles, JobState, StateBadge } from '../../jobs/job-card.tsx'
import { jobTitle, kindLabel, stateLabel } from '../../jobs/job-words.ts'
import { useSchema } from '../../records/data/schema.ts'
import { useIsAdmin } from '../../roles/roles.ts'
import { Filters } from '../../ui/basics/layout.tsx'
import { LoadedList } from '../../ui/basics/loaded.tsx'
import { Page } from '../../ui/basics/page.tsx'
import { Message, NoMatches } from '../../ui/basics/states.tsx'
import { FilterSelect } from '../../ui/form/filter-select.tsx'
import { RowLink } from '../../ui/page/rows.tsx'
import { type Column, DataTable } from '../../ui/page/table.tsx'
import { Ago } from '../../ui/text/ago.tsx'
import { UserSelect } from '../../users/user-select.tsx'
import css from './jobs.module.css'
import { type JobSearch, useJobSearch } from './search.ts'

export function Jobs() {
  const { search, change, clear } = useJobSearch()
  return (
    <Page
      title="Background jobs"
      lead="Bulk edits, imports, exports and other long-running work. They continue when you leave the page, and you can undo their changes."
      wide
    >
      <JobFilters search={search} onChange={change} onClear={clear} />
      <JobList search={search} onClear={clear} />
    </Page>
  )
}

function JobList({ search, onClear }: { search: JobSearch; onClear: () => void }) {
  const jobs = useInfiniteQuery({
    ...jobPagesQuery({ state: search.state, kind: search.kind, created_by: search.by }),
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.items.some(isActive)) ? 3000 : false),
  })
  const none = <Nothing isFiltered={Object.keys(search).length > 0} onClear={onClear} />
  return (
    <LoadedList query={jobs} what="jobs" empty={none}>
      {(items) => <DataTable label="Background jobs" className={css.table} columns={columns} items={items} />}
    </LoadedList>
  )
}

const Nothing = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) =>
  isFiltered ? (
    <NoMatches icon={ListChecks} title="No background jobs match these filters" onClear={onClear}>
      Choose another state or kind.
    </NoMatches>
  ) : (
    <Message icon={ListChecks} title="No background jobs yet">
      Bulk edits, imports and exports appear here with their progress and result.
    </Message>
  )

const columns: Column<Job>[] = [
  { key: 'job', label: 'Job', bare: true, cell: (job) => <JobLink job={job} /> },
  { key: 'state', label: 'State', bare: true, cell: (job) => <StateBadge {...job} /> },
  {
    key: 'by',
    label: 'Started by',
    cell: ({ created_by_name, via }) => (
      <span>
        <bdi>{created_by_name ?? 'Someone'}</bdi>
        {via !== 'web' && <span className={css.via}> via {nameOfDoor(via)}</span>}
      </span>
    ),
  },
  { key: 'at', label: 'Started', cell: ({ created_at }) => <Ago at={created_at} /> },
  { key: 'actions', label: 'Actions', bare: true, cell: (job) => <JobActions job={job} /> },
]

function JobLink({ job }: { job: Job }) {
  const title = jobTitle(job, useSchema())
  return (
    <div className={css.job}>
      <RowLink to="/jobs/$id" params={{ id: job.id }}>
        {title}
      </RowLink>
      <JobFiles job={job} />
      <JobState job={job} title={title} />
    </div>
  )
}

function JobActions({ job }: { job: Job }) {
  const title = jobTitle(job, useSchema())
  return (
    <div className={css.actions}>
      <CancelJob job={job} title={title} />
      <UndoJob job={job} title={title} />
      <DownloadExport job={job} />
    </div>
  )
}

type Props = {
  search: JobSearch
  onChange: (patch: Partial<Record<keyof JobSearch, string | null>>) => void
  onClear: () => void
}

const states = jobStates.map((value) => ({ value, label: stateLabel(value) }))

const kinds = jobKinds.map((value) => ({ value, label: kindLabel(value) }))

/** Others than Admins see their own jobs only, so they need not choose a user. */
function JobFilters({ search, onChange, onClear }: Props) {
  const isAdmin = useIsAdmin()
  return (
    <Filters onClear={Object.keys(search).length > 0 && onClear}>
      <FilterSelect
        label="State"
        placeholder="Any state"
        data={states}
        value={search.state}
        onChange={(state) => onChange({ state })}
      />
      <FilterSelect
        label="Kind"
        placeholder="Any kind"
        data={kinds}
        value={search.kind}
        onChange={(kind) => onChange({ kind })}
      />
      {isAdmin && (
        <UserSelect
          label="Started by"
          placeholder="Anyone"
          clearLabel="Anyone"
          state="all"
          value={search.by ?? null}
          onChange={(by) => onChange({ by })}
        />
      )}
    </Filters>
  )
}
