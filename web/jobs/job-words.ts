import type { JobKind } from '../../contract/jobs.ts'
import { isActive, type Job } from '../client/jobs.ts'
import { isBuiltIn } from '../records/data/built-in.ts'
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
  move: { label: 'Move', doing: 'Moving', did: 'moved' },
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
  // "Moved 29 records" would be to somewhere else.
  return job.kind === 'move' && !isDryRun(job) ? `${what} ${did}${later}` : `${did} ${what}${later}`
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

export function things(job: Job, count: number, objects: ObjectShape[]) {
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
  const { dry_run, created = 0, updated = 0, unchanged = 0, partly_imported = 0, files } = result ?? {}
  const skipped = files ? files.reduce((sum, one) => sum + (one.skipped ?? 0), 0) : (result?.skipped ?? 0)
  return [
    { count: created, label: dry_run ? 'new' : 'created' },
    { count: updated, label: dry_run ? (updated === 1 ? 'update' : 'updates') : 'updated' },
    { count: unchanged, label: 'unchanged' },
    ...(skipped ? [{ count: skipped, label: skipped === 1 ? 'skipped as a duplicate' : 'skipped as duplicates' }] : []),
    ...(partly_imported ? [{ count: partly_imported, label: 'partly imported', tone: 'warn' as const }] : []),
    { count: failed, label: failed === 1 ? 'failed row' : 'failed rows', tone: 'warn' },
  ]
}

export const filesOf = ({ object, result }: Job) => result?.files ?? [{ object, ...result }]

function summed(entries: [name: string, count: number][]) {
  const sums = new Map<string, number>()
  for (const [name, count] of entries) sums.set(name, (sums.get(name) ?? 0) + count)
  return [...sums].filter(([, count]) => count > 0)
}

/** "14 organizations", "7 new tags", "2 new options of Industry": what an import creates besides its rows. */
export function alsoCreated(job: Job, objects: ObjectShape[]): string[] {
  const files = filesOf(job)
  const related = summed(files.flatMap(({ related_created = {} }) => Object.entries(related_created)))
  // Several objects may have a field of this name, such as Tags.
  const options = summed(
    files.flatMap(({ object: key, options_created = {} }) => {
      const object = objects.find((one) => one.key === key)
      return Object.entries(options_created).map(([field, count]): [string, number] => {
        const shape = object?.byKey.get(field)
        return [shape && isBuiltIn(shape, 'tags') ? tags : (shape?.label ?? field), count]
      })
    }),
  )
  return [
    ...related.flatMap(([key, count]) => {
      const object = objects.find((one) => one.key === key)
      return object ? [counted(count, object)] : []
    }),
    ...options.map(([name, count]) => `${asNumber(count)} new ${optionWords(name, count)}`),
  ]
}

const tags = 'tags'

function optionWords(name: string, count: number) {
  if (name === tags) return count === 1 ? 'tag' : 'tags'
  return `${count === 1 ? 'option' : 'options'} of ${name}`
}
