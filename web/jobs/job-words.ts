import type { JobKind } from '../../contract/jobs.ts'
import { isActive, type Job } from '../client/jobs.ts'
import type { ObjectShape } from '../records/data/schema.ts'
import { counted, nounFor } from '../records/data/value-text.ts'
import type { Figure } from '../ui/page/facts.tsx'
import { asNumber } from '../ui/text/numbers.ts'

type Words = { label: string; doing: string; did: string }

const words: Record<JobKind, Words> = {
  bulk_update: { label: 'Bulk edit', doing: 'Changing', did: 'Changed' },
  bulk_delete: { label: 'Bulk delete', doing: 'Deleting', did: 'Deleted' },
  merge: { label: 'Merge', doing: 'Merging', did: 'Merged' },
  purge: { label: 'Permanent deletion', doing: 'Permanently deleting', did: 'Permanently deleted' },
  undo: { label: 'Undo', doing: 'Undoing', did: 'Undid' },
  import: { label: 'Import', doing: 'Importing', did: 'Imported' },
  move: { label: 'Move', doing: 'Moving in', did: 'Moved in' },
  export: { label: 'Export', doing: 'Exporting', did: 'Exported' },
  replay: { label: 'Webhook replay', doing: 'Queueing', did: 'Queued' },
  mailbox_sync: { label: 'Mailbox sync', doing: 'Reading', did: 'Read' },
}
export const kindLabel = (kind: JobKind) => words[kind].label

const states: Record<Job['state'], string> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  cancelled: 'Cancelled',
  failed: 'Failed',
  undone: 'Undone',
}
export const stateLabel = (state: Job['state']) => states[state]

/** "Changing 1,240 people" while it runs, then what became of it: "Changed 400 of 1,240 people". */
export function jobTitle(job: Job, objects: ObjectShape[]) {
  const { doing, did } = isDryRun(job) ? dryRun : words[job.kind]
  const { total, state } = job
  const later = state === 'undone' ? ', then undone' : job.is_partly_undone ? ', then partly undone' : ''
  // Its numbers count the records that link to the merged ones, too.
  if (job.kind === 'merge') return `${isActive(job) ? doing : did} ${nounOf(job, 2, objects)}${later}`
  if (isActive(job)) return `${doing} ${total === null ? nounOf(job, 2, objects) : things(job, total, objects)}`
  const count = doneCount(job)
  const isPart = total !== null && count < total && (state === 'cancelled' || state === 'failed')
  const what = isPart ? `${asNumber(count)} of ${things(job, total, objects)}` : things(job, count, objects)
  return `${did} ${what}${later}`
}

const dryRun = { doing: 'Checking', did: 'Checked' }
export const isImport = ({ kind }: Pick<Job, 'kind'>) => kind === 'import' || kind === 'move'
export const isDryRun = ({ result }: Job) => result?.dry_run === true

function doneCount({ kind, result, done, changed }: Job) {
  // A record may have several of the changes that are undone. A dry run and an export change nothing.
  if (kind === 'undo' || kind === 'export' || kind === 'replay' || result?.dry_run) return result?.rows ?? done
  // Related records that were missing count as changed, too.
  return isImport({ kind }) && result ? (result.created ?? 0) + (result.updated ?? 0) : changed
}

function things(job: Job, count: number, objects: ObjectShape[]) {
  return `${asNumber(count)} ${nounOf(job, count, objects)}`
}

const nouns: Partial<Record<JobKind, string>> = { undo: 'change', replay: 'event', mailbox_sync: 'message' }

function nounOf(job: Job, count: number, objects: ObjectShape[]) {
  const object = objects.find(({ key }) => key === job.object)
  if (object) return nounFor(count, object)
  const noun = nouns[job.kind] ?? 'record'
  return count === 1 ? noun : `${noun}s`
}

/** What the title leaves out: records that stayed as they were, and problems. */
export function jobNotes(job: Job) {
  const { kind, done, changed, failed } = job
  const partly = job.result?.partly_imported ?? 0
  const unchanged = kind === 'bulk_update' ? done - changed - failed : (job.result?.unchanged ?? 0)
  return [
    ...(unchanged > 0 && !isActive(job) ? [`${asNumber(unchanged)} unchanged`] : []),
    ...(partly ? [`${asNumber(partly)} partly imported`] : []),
    ...(failed ? [failed === 1 ? '1 problem' : `${asNumber(failed)} problems`] : []),
  ]
}

/** From 0 to 100, or undefined if the total is unknown. */
export const percentOf = ({ total, done }: Job) =>
  total === null ? undefined : total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))

/** What an import did to the rows of its file; of a dry run, what it would do. */
export function importFigures({ result, failed }: Job): Figure[] {
  const { dry_run, created = 0, updated = 0, unchanged = 0, partly_imported = 0 } = result ?? {}
  return [
    { count: created, label: dry_run ? 'new' : 'created' },
    { count: updated, label: dry_run ? (updated === 1 ? 'update' : 'updates') : 'updated' },
    { count: unchanged, label: 'unchanged' },
    ...(partly_imported ? [{ count: partly_imported, label: 'partly imported', tone: 'warn' as const }] : []),
    { count: failed, label: failed === 1 ? 'failed row' : 'failed rows', tone: 'warn' },
  ]
}

/** "14 organizations and 2 options of Industry": what an import creates besides its rows. */
export const alsoCreated = ({ object, result }: Job, objects: ObjectShape[]): string[] => {
  const files = result?.files ?? [{ object, ...result }]
  const related_created: Record<string, number> = {}
  for (const [key, count] of files.flatMap((one) => Object.entries(one.related_created ?? {})))
    related_created[key] = (related_created[key] ?? 0) + count
  return [
    ...createdBeside({ object: null, related_created }, objects),
    ...files.flatMap(({ object, options_created = {} }) => createdBeside({ object, options_created }, objects)),
  ]
}

type Counts = Pick<NonNullable<Job['result']>, 'related_created' | 'options_created'>

function createdBeside({ object: key, ...counts }: Counts & Pick<Job, 'object'>, objects: ObjectShape[]) {
  const { related_created = {}, options_created = {} } = counts
  const object = objects.find((one) => one.key === key)
  const related = Object.entries(related_created).flatMap(([other, count]) => {
    const shape = objects.find((one) => one.key === other)
    return count && shape ? [counted(count, shape)] : []
  })
  const options = Object.entries(options_created).flatMap(([field, count]) =>
    count
      ? [`${asNumber(count)} ${count === 1 ? 'option' : 'options'} of ${object?.byKey.get(field)?.label ?? field}`]
      : [],
  )
  return [...related, ...options]
}
