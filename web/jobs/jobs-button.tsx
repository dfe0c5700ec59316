import { ActionIcon, UnstyledButton } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useSchema } from '../records/schema.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { StateIcon } from './job-card.tsx'
import { jobTitle, percentOf } from './job-words.ts'
import { isActive, type Job } from './jobs.ts'
import css from './jobs-button.module.css'

type Props = ComponentProps<'button'> & { jobs: Job[]; isIcon: boolean }

/** What runs now, or how the last job ended. */
export function JobsButton({ jobs, isIcon, ...rest }: Props) {
  const objects = useSchema()
  const active = jobs.filter(isActive)
  const job = active.find(({ state }) => state === 'running') ?? active[0] ?? jobs[0]!
  const title = jobTitle(job, objects)
  const percent = isActive(job) ? percentOf(job) : undefined
  const more = active.length > 1 ? `, and ${active.length - 1} more` : ''
  const label = `Jobs: ${title}${percent === undefined ? '' : `, ${percent} %`}${more}`
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
