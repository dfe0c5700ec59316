import { notifications } from '@mantine/notifications'
import type { ObjectShape } from '../records/schema.ts'
import { saidAndUndoable } from '../records/undo-toast.ts'
import { jobNotes, jobTitle } from './job-words.ts'
import type { Job } from './jobs.ts'

/** A notice about how a job ended, with a way to undo it. */
export function announceResult(job: Job, objects: ObjectShape[]) {
  const title = jobTitle(job, objects)
  const text = [title, ...jobNotes(job)].join('. ')
  if (job.state !== 'failed') return saidAndUndoable(`${text}.`, job.can_undo ? job.change_set_id : null)
  const message = job.message ?? text
  notifications.show({ title, message, color: 'red', autoClose: 10_000, closeButtonProps: { 'aria-label': 'Dismiss' } })
}
