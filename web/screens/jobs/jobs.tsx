import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { isActive, jobPagesQuery } from '../../jobs/jobs.ts'
import { Failure } from '../../ui/failure.tsx'
import { Message } from '../../ui/message.tsx'
import { Page } from '../../ui/page.tsx'
import { Results } from '../../ui/results.tsx'
import { Head, Table } from '../../ui/table.tsx'
import { JobFilters } from './job-filters.tsx'
import { JobRow } from './job-row.tsx'
import css from './jobs.module.css'
import { type JobSearch, useJobSearch } from './search.ts'

export function Jobs() {
  const { search, change, clear } = useJobSearch()
  return (
    <Page
      title="Jobs"
      lead="Bulk edits, imports, exports and other long-running work. Jobs continue when you leave the page, and what they changed can be undone."
      wide
    >
      <JobFilters search={search} onChange={change} onClear={clear} />
      <JobList search={search} onClear={clear} />
    </Page>
  )
}

const columns = ['Job', 'State', 'Started by', 'Started', 'Actions'].map((column) => <Head key={column}>{column}</Head>)

function JobList({ search, onClear }: { search: JobSearch; onClear: () => void }) {
  const jobs = useInfiniteQuery({
    ...jobPagesQuery({ state: search.state, kind: search.kind, created_by: search.by }),
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.items.some(isActive)) ? 3000 : false),
  })
  if (jobs.isPending) return <Skeleton height={260} radius="lg" role="status" aria-label="Loading jobs" />
  if (jobs.isError && !jobs.data) return <Failure error={jobs.error} onRetry={jobs.refetch} busy={jobs.isFetching} />
  const items = jobs.data.pages.flatMap((page) => page.items)
  if (!items.length) return <Nothing isFiltered={Object.keys(search).length > 0} onClear={onClear} />
  return (
    <Results of={jobs}>
      <Table label="Jobs" className={css.table ?? ''} head={columns}>
        {items.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </Table>
    </Results>
  )
}

const Nothing = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) =>
  isFiltered ? (
    <Message
      icon={ListChecks}
      title="No jobs match these filters"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      Choose another state or kind.
    </Message>
  ) : (
    <Message icon={ListChecks} title="No jobs yet">
      Select records in a list and edit or delete many of them at once: the job that does it shows here, with its
      progress and its result.
    </Message>
  )
