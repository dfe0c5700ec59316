import { Skeleton } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { alsoCreated, importFigures } from '../../jobs/import-figures.ts'
import { JobProblems } from '../../jobs/job-problems.tsx'
import { JobState } from '../../jobs/job-state.tsx'
import { jobTitle } from '../../jobs/job-words.ts'
import { isActive, type JobDetails, jobQuery, watchJob } from '../../jobs/jobs.ts'
import { useSchema } from '../../records/schema.ts'
import { Failure } from '../../ui/failure.tsx'
import { Figures } from '../../ui/figures.tsx'
import css from './import.module.css'

/** The job of this step. While the page shows it, no notice about it is needed. */
export function useImportJob(id: string) {
  const query = useQuery(jobQuery(id))
  useEffect(() => watchJob(id), [id])
  return { query, job: query.data }
}

/** Progress, then what came of it. */
export function ImportJob({ query }: { query: UseQueryResult<JobDetails> }) {
  const objects = useSchema()
  if (query.isPending) return <Skeleton height={96} radius="lg" role="status" aria-label="Loading the import" />
  if (!query.data) return <Failure error={query.error} onRetry={query.refetch} busy={query.isFetching} />
  const job = query.data
  const also = alsoCreated(job, objects)
  return (
    <div className={css.job}>
      {(isActive(job) || job.message) && <JobState job={job} title={jobTitle(job, objects)} />}
      {(!isActive(job) || job.done > 0) && <Figures label="Result" of={importFigures(job)} />}
      {also.length > 0 && (
        <p className={css.hint}>
          {job.result?.dry_run ? 'Would also create' : 'Also created'}: {also.join(', ')}.
        </p>
      )}
      {job.problems.length > 0 && <JobProblems job={job} />}
    </div>
  )
}
