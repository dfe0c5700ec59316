// Writes some rows of an import. A row that fails is reported and does not stop the others.
import { type JobResult, mostPreviewed } from '../../../contract/jobs.ts'
import { own } from '../../../contract/own.ts'
import type { Problem, StepTools } from '../../jobs/job.ts'
import { actorOf } from '../../kernel/context.ts'
import { breathing } from '../../platform/yield-to-others.ts'
import { allows, isOwn, rightsFor, seenBy } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import { withStageOfPipeline } from '../values/deal-stage.ts'
import type { Values } from '../values/from-row.ts'
import { changedList, isList, mostValues } from '../values/list-change.ts'
import { type Reading, readValues } from '../values/read-values.ts'
import { cut } from '../values/to-row.ts'
import { type Change, differing } from '../write/change.ts'
import { defaultsOf, newRecords } from '../write/create.ts'
import { readingFor } from '../write/input.ts'
import { saveChanges } from '../write/save.ts'
import { findConflicts } from '../write/unique-conflicts.ts'
import { changedRecord } from '../write/update.ts'
import { withKnown } from '../write/upsert.ts'
import type { ImportInput } from './import-input.ts'
import { addFaults, dropRepeatedTitle, type Line, problemsOf, readLines } from './import-line.ts'
import { inWaves, matchLines } from './import-match.ts'
import { resolveNames } from './import-references.ts'
import { createRelated, relatedRecords } from './import-related.ts'
import type { Seen } from './import-seen.ts'
import { writableFields } from './mapping.ts'
import type { Row } from './rows.ts'

type Counts = Required<Pick<JobResult, 'created' | 'updated' | 'unchanged' | 'related_created'>> &
  Pick<JobResult, 'changes'>
type Work = { tools: StepTools; target: Target; input: ImportInput; seen: Seen; reading: Reading; counts: Counts }

export async function importRows(tools: StepTools, target: Target, input: ImportInput, rows: Row[], seen: Seen) {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, related_created: {} }
  const reading: Reading = {
    ...readingFor(target),
    aboutCountry: 'choose the country of the phone numbers (format.country)',
    aboutOptions: 'Use one of the options, or let the import add or leave out what is missing (if_missing)',
  }
  const fields = new Map(writableFields(target.object).map((field) => [field.key, field]))
  const work: Work = { tools, target, input, seen, reading, counts }
  const lines = await readLines({ input, seen, target, fields }, rows)
  for (const wave of inWaves(target, input, lines, reading)) await importWave(work, wave)
  const problems: Problem[] = lines.flatMap(problemsOf)
  const related = Object.values(counts.related_created).reduce((sum, count) => sum + count, 0)
  const changed = input.dry_run ? 0 : counts.created + counts.updated + related
  return { counts: counts satisfies JobResult, problems, changed }
}

async function importWave(work: Work, lines: Line[]) {
  const { tools, target, input, seen, reading, counts } = work
  const related = relatedRecords()
  await matchLines(target, input, lines, reading)
  lines.forEach(dropRepeatedTitle)
  await resolveNames(target, input, lines, related)
  const changes = await changesOf(work, lines)
  for (const [object, count] of Object.entries(
    await createRelated(tools, target, related, input.dry_run ? seen : undefined),
  ))
    counts.related_created[object] = (counts.related_created[object] ?? 0) + count
  const isLeft = ({ line }: Drafted) => !line.faults.length
  await save(work, 'created', changes.created.filter(isLeft))
  await save(work, 'updated', changes.updated.filter(isLeft))
}

type Drafted = { line: Line; change: Change }

/** The changes of the lines without faults, which may get some here. */
async function changesOf({ target, input, reading }: Work, lines: Line[]) {
  const byPath = new Map(lines.map((line) => [line.path, line]))
  const { schema, object } = target
  const drafts = new Map<Line, Values>()
  const breathe = breathing()
  for (const line of lines) {
    const given = withStageOfPipeline(target, valuesOf(target, input, line), line.before?.values)
    const { values, faults } = readValues(schema, object, given, line.path, reading)
    addFaults(input, byPath, faults)
    drafts.set(line, withLists(target, input, line, values))
    await breathe()
  }
  const left = lines.filter(({ faults }) => !faults.length)
  const [added, kept] = [left.filter(({ before }) => !before), left.filter(({ before }) => before)]
  const fresh = await newRecords(
    target,
    added.map((line) => drafts.get(line)!),
    added.map(({ values }) => values),
    (i) => added[i]!.path,
  )
  const changed = kept.map((line) => changedRecord(target, line.before!, drafts.get(line)!, line.path))
  addFaults(input, byPath, [...fresh.faults, ...changed.flatMap(({ faults }) => faults)])
  for (const line of kept) if (!mayEdit(target, line)) line.faults.push('Your role does not let you change this record')
  const created = added.map((line, i): Drafted => ({ line, change: fresh.changes[i]! }))
  const updated = kept.map((line, i): Drafted => ({ line, change: changed[i]!.change }))
  await addConflicts(target, [...created, ...updated])
  return { created, updated }
}

/** What the record gets: an empty cell of a new record means its default; for a user, that it has none. */
function valuesOf(target: Target, { match_by, mapping }: ImportInput, { values, before }: Line): Values {
  const { object } = target
  if (!before) {
    const users = mapping.filter(({ key }) => object.byKey.get(key)?.type === 'user').map(({ key }) => [key, null])
    const filled = Object.entries(values).filter(([, value]) => value !== null)
    return { ...defaultsOf(target), ...Object.fromEntries(users), ...Object.fromEntries(filled) }
  }
  const field = object.byKey.get(match_by ?? '')
  if (!field) return values
  return { ...values, [field.key]: withKnown(target, field, own(before.values, field.key), values[field.key]) }
}

/** What the lists of an existing record become. */
function withLists({ schema, object }: Target, { lists }: ImportInput, line: Line, values: Values): Values {
  const { before, faults } = line
  if (!before || lists === 'replace') return values
  const entries = Object.entries(values).map(([key, value]) => {
    const field = object.byKey.get(key)
    if (!field || !isList(field) || !Array.isArray(value)) return [key, value]
    const joined = changedList(schema, field, own(before.values, key), { add: value })
    if (joined && joined.length > mostValues) faults.push(`${field.label}: use at most ${mostValues} values`)
    return [key, joined]
  })
  return Object.fromEntries(entries)
}

function mayEdit({ context, object }: Target, { before }: Line) {
  const actor = actorOf(context)
  return allows(rightsFor(actor, object.key).edit, isOwn(actor, object, before!))
}

/** Unique values that another record or an earlier row has. */
async function addConflicts(target: Target, drafted: Drafted[]) {
  const left = drafted.filter(({ line }) => !line.faults.length)
  const lines = new Map(left.map(({ line, change }) => [change.after.id, line]))
  const conflicts = await findConflicts(
    target,
    left.map(({ change }) => change),
  )
  const firstWith = (value: string | undefined) =>
    left.find(({ change }) => change.row.uniques.some(({ key }) => key === value))?.line.row.line
  for (const { record_id, code, value, message } of conflicts) {
    const other = code === 'used_twice' ? firstWith(value) : undefined
    lines.get(record_id)!.faults.push(other === undefined ? message : `${value} is in line ${other}, too`)
  }
}

async function save({ tools, target, input, seen, counts }: Work, kind: 'created' | 'updated', drafted: Drafted[]) {
  const effective = drafted.filter(
    ({ change }) => kind === 'created' || Object.keys(differing(change.before, change.after)).length,
  )
  counts.unchanged += drafted.length - effective.length
  if (input.dry_run) {
    for (const one of effective) countDry(one, target, input, seen, counts)
    return
  }
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

function countDry({ line, change }: Drafted, target: Target, { match_by }: ImportInput, seen: Seen, counts: Counts) {
  if (change.before) {
    counts.updated++
    const changes = counts.changes ?? []
    if (changes.length < mostPreviewed) counts.changes = [...changes, previewOf(target, line, change)]
    return
  }
  const { object } = target
  const earlier = change.row.uniques.find(({ field_id, key }) => seen.uniques.has(`${field_id} ${key}`))
  if (earlier && object.byKey.get(match_by ?? '')?.id === earlier.field_id) counts.updated++
  else if (earlier) line.faults.push(`An earlier row of this file has ${earlier.key}`)
  else counts.created++
  if (!line.faults.length) for (const { field_id, key } of change.row.uniques) seen.uniques.add(`${field_id} ${key}`)
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
