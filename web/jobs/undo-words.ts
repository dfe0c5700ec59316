// What undoing a job means, said before it happens.
import type { Job } from '../client/jobs.ts'
import type { ObjectShape } from '../records/data/schema.ts'
import { asNumber } from '../ui/text/numbers.ts'
import { filesOf, isImport, kindLabel, things } from './job-words.ts'

/** "Undo this move?" */
export const undoTitle = ({ kind }: Job) =>
  kind === 'undo' ? 'Restore what was undone?' : `Undo this ${kindLabel(kind).toLowerCase()}?`

/** "291 records that it created move to the trash, 12 get their earlier values back." */
export function undoWords(job: Job, objects: ObjectShape[]) {
  const what = things(job, job.changed, objects)
  const isOne = job.changed === 1
  if (isImport(job)) return undoImportWords(job)
  if (job.kind === 'bulk_delete') return `${what} ${isOne ? 'comes' : 'come'} back from the trash.`
  if (job.kind === 'merge') return 'The merged records come back, with everything that was linked to them.'
  if (job.kind === 'undo') return `${what} ${isOne ? 'is' : 'are'} made again.`
  return `${what} ${isOne ? 'gets its' : 'get their'} earlier values back.`
}

const records = (count: number) => `${asNumber(count)} ${count === 1 ? 'record' : 'records'}`

function undoImportWords(job: Job) {
  const related = filesOf(job).flatMap(({ related_created = {} }) => Object.values(related_created))
  const created = related.reduce((sum, count) => sum + count, job.result?.created ?? 0)
  const updated = job.result?.updated ?? 0
  const parts = [
    ...(created ? [`${records(created)} that it created ${created === 1 ? 'moves' : 'move'} to the trash`] : []),
    ...(updated
      ? [
          `${created ? asNumber(updated) : records(updated)} ${updated === 1 ? 'gets its' : 'get their'} earlier values back`,
        ]
      : []),
  ]
  const hasOptions = filesOf(job).some(({ options_created = {} }) => Object.keys(options_created).length > 0)
  return parts.length ? `${parts.join(', ')}.${hasOptions ? ' Options that it added stay.' : ''}` : ''
}
