// Writes what an import makes of records or, in a dry run, counts it.
import { type JobResult, mostPreviewed } from '../../../contract/jobs.ts'
import { own } from '../../../contract/shared/own.ts'
import type { StepTools } from '../../jobs/job.ts'
import { actorOf } from '../../kernel/context.ts'
import { seenBy } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import { type Change, differing } from '../values/change.ts'
import type { Values } from '../values/from-row.ts'
import type { Reading } from '../values/read-values.ts'
import { cut } from '../values/to-row.ts'
import { saveChanges } from '../write/save.ts'
import type { Drafted } from './import-changes.ts'
import type { Seen } from './import-dry-run.ts'
import type { ImportInput } from './import-input.ts'
import type { Line } from './import-line.ts'
import { isByTitle, matchKeys } from './import-match.ts'
import { nameKey } from './import-names.ts'
import { titleKeys } from './mapping.ts'

export type Counts = Required<Pick<JobResult, 'created' | 'updated' | 'unchanged' | 'related_created'>> &
  Pick<JobResult, 'changes' | 'nameless' | 'nameless_lines' | 'skipped' | 'partly_imported' | 'unreadable'>
type Work = {
  tools: StepTools
  target: Target
  input: ImportInput
  seen: Seen
  reading: Reading
  counts: Counts
  /** By which other rows may name the record of a line; none if no row can name another one. */
  namesOf: (line: Line) => string[]
}

export async function save(work: Work, kind: 'created' | 'updated', drafted: Drafted[]) {
  const { tools, target, input, counts } = work
  const effective = drafted.filter(
    ({ change }) => kind === 'created' || Object.keys(differing(change.before, change.after)).length,
  )
  counts.unchanged += drafted.length - effective.length
  const nameless = kind === 'created' ? effective.filter(({ change }) => isNameless(target, change.after.values)) : []
  if (nameless.length) {
    counts.nameless = (counts.nameless ?? 0) + nameless.length
    counts.nameless_lines = [...(counts.nameless_lines ?? []), ...nameless.map(({ line }) => line.row.line)]
  }
  if (input.dry_run) {
    for (const one of effective) countDry(one, work)
    return
  }
  for (const { line, change } of drafted) line.record_id = change.after.id
  counts[kind] += await tools.write(
    effective,
    async (context, some) => {
      const changes = some.map(({ change }) => change)
      await saveChanges({ ...target, context }, changes, false)
      return some.length
    },
    ({ line }, { message }) => line.faults.push(message),
  )
}

/** Records of some objects, such as notes, never have a name. */
function isNameless({ object }: Target, values: Values) {
  const keys = titleKeys(object)
  return keys.length > 0 && keys.every((key) => own(values, key) === undefined)
}

function countDry({ line, change }: Drafted, { target, input, reading, seen, counts, namesOf }: Work) {
  const { match_by } = input
  if (change.before) {
    counts.updated++
    const changes = counts.changes ?? []
    if (changes.length < mostPreviewed) counts.changes = [...changes, previewOf(target, line, change)]
    return
  }
  const { object } = target
  const titles = isByTitle(target, input)
    ? matchKeys(target, input, line, reading).map((key) => `${object.key} ${key}`)
    : []
  const earlier = change.row.uniques.find(({ field_id, key }) => seen.uniques.has(`${field_id} ${key}`))
  if (titles.some(seen.uniques.has)) counts.updated++
  else if (earlier && object.byKey.get(match_by ?? '')?.id === earlier.field_id) counts.updated++
  else if (earlier) line.faults.push(`An earlier row has ${earlier.key}`)
  else {
    counts.created++
    remember(target.object, seen, namesOf(line), change)
  }
  if (line.faults.length) return
  for (const key of [...titles, ...change.row.uniques.map(({ field_id, key }) => `${field_id} ${key}`)])
    seen.uniques.add(key)
}

/** Later rows may name it, and know it by its links and unique values from others of its name. */
function remember(object: Target['object'], { names }: Seen, keys: string[], { after, row: { title } }: Change) {
  if (!keys.length) return
  const textsOf = (fields: Target['object']['fields']) =>
    fields.flatMap(({ key }) => [own(after.values, key) ?? []].flat().map(String))
  const links = textsOf(object.fields.filter(({ type }) => type === 'relation'))
  const uniques = textsOf(object.fields.filter(({ is_unique }) => is_unique))
  names.add(
    keys.map((key) => nameKey(object, key)),
    { id: after.id, title },
    { links, uniques },
  )
}

/** What would change, of the fields that the importing user may see. */
function previewOf({ context, object }: Target, { row: { line } }: Line, { before, after, row: { title } }: Change) {
  const seen = seenBy(actorOf(context), object)
  const short = (value: unknown) => (typeof value === 'string' ? cut(value) : value)
  const fields = Object.entries(differing(before, after))
    .filter(([key]) => key === 'owner' || seen.byKey.has(key))
    .map(([key, { from, to }]) => [key, { from: short(from), to: short(to) }])
  return { line, record_id: after.id, title, fields: Object.fromEntries(fields) }
}
