import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { pages } from '../../contract/pages.ts'
import { JobCard } from './job-card.tsx'
import type { Job } from './jobs.ts'
import css from './jobs-panel.module.css'

type Props = { jobs: Job[]; hasHeading: boolean; onLeave: () => void }

export const JobsPanel = ({ jobs, hasHeading, onLeave }: Props) => (
  <>
    {hasHeading && (
      <header className={css.head}>
        <h2>Jobs</h2>
      </header>
    )}
    <ul className={css.list} aria-label="Jobs">
      {jobs.map((job) => (
        <JobCard key={job.id} job={job} onLeave={onLeave} />
      ))}
    </ul>
    <footer className={css.foot}>
      <Anchor component={Link} to={pages.jobs} onClick={onLeave}>
        All jobs
      </Anchor>
    </footer>
  </>
)
