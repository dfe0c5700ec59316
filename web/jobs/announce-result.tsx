import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import type { ObjectShape } from '../records/schema.ts'
import { saidAndUndoable } from '../records/undo-toast.ts'
import css from './announce-result.module.css'
import { DownloadExport } from './downloads.tsx'
import { jobNotes, jobTitle } from './job-words.ts'
import type { Job } from './jobs.ts'

const shownMs = 10_000
const closeButtonProps = { 'aria-label': 'Dismiss' }

/** A notice about how a job ended, with what can be done next. */
export function announceResult(job: Job, objects: ObjectShape[]) {
  const title = jobTitle(job, objects)
  const text = `${[title, ...jobNotes(job)].join('. ')}.`
  if (job.state === 'failed') return show('red', job.message ?? text, title)
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
  notifications.show({ message, color, autoClose: shownMs, closeButtonProps, ...(title && { title }) })
