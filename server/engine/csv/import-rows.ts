// Writes some rows of an import. A row that fails is reported and does not stop the others.
import { type JobResult, mostPreviewed } from '../../../contract/jobs.ts'
import { own } from '../../../contract/shared/own.ts'
import type { Problem, StepTools } from '../../jobs/job.ts'
import { actorOf } from '../../kernel/context.ts'
import { breathing } from '../../platform/yield-to-others.ts'
import { withStageOfPipeline, withStageOfStatus } from '../built-in/deals/stage.ts'
import { withImportedTimes } from '../built-in/imported-times.ts'
import { namingKeys } from '../names/named-records.ts'
import { allows, isOwn, rightsFor, seenBy } from '../rights/rights.ts'
import { builtInInUse } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { type Change, differing } from '../values/change.ts'
import type { Values } from '../values/from-row.ts'
import { changedList, isList, mostValues } from '../values/list-change.ts'
import { instantOf } from '../values/read-times.ts'
import { type Reading, readValues } from '../values/read-values.ts'
import { cut } from '../values/to-row.ts'
import { defaultsOf, newRecords } from '../write/create.ts'
import { readingFor } from '../write/input.ts'
import { lock } from '../write/lock.ts'
import { findCircles } from '../write/parent-circles.ts'
import { saveChanges } from '../write/save.ts'
import { findConflicts } from '../write/unique-conflicts.ts'
import { changedRecord } from '../write/update.ts'
import { withKnown } from '../write/upsert.ts'
import { nothingSeen, type Seen } from './import-dry-run.ts'
import { matchDuplicates } from './import-duplicates.ts'
import type { ImportInput } from './import-input.ts'
import { addFaults, dropRepeatedTitle, isOpen, isWaiting, type Line, readLines } from './import-line.ts'
import { inWaves, isByTitle, matchKeys, matchLines } from './import-match.ts'
import { nameKey, namesOf, ownRelations } from './import-names.ts'
import { kindsOf, problemsOf } from './import-problems.ts'
import { type FateOf, resolveNames } from './import-references.ts'
import { createRelated, relatedRecords } from './import-related.ts'
import { type WaitingRow, waitingWith } from './import-waiting.ts'
import { fieldCalled, type Mapped, titleKeys, writableFields } from './mapping.ts'
import type { Row } from './rows.ts'

type Counts = Required<Pick<JobResult, 'created' | 'updated' | 'unchanged' | 'related_created'>> &
  Pick<JobResult, 'changes' | 'nameless' | 'skipped'>
/**
 * Rows may name records that other rows of the file create. `file`: in its order, those that name a record which does not
 * exist are put aside. `round`: those that were, as long as the rows they name wait, too. `circles`: rows that name each
 * other are imported without these links. `links`: they get them.
 */
export type Phase = 'file' | 'round' | 'circles' | 'links'
export type FileRow = Row & { position: number }
type Work = {
  tools: StepTools
  target: Target
  input: ImportInput
  seen: Seen
  phase: Phase
  reading: Reading
  counts: Counts
  /** By which other rows may name the record of a line; none if no row can name another one. */
  namesOf: (line: Line) => string[]
  /** By which a line finds its record. */
  matchKeysOf: (line: Line) => string[]
}

export async function importRows(
  tools: StepTools,
  target: Target,
  input: ImportInput,
  rows: FileRow[],
  seen: Seen,
  phase: Phase,
) {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, related_created: {} }
  const reading: Reading = {
    ...readingFor(target),
    aboutCountry: 'choose the country of the phone numbers (format.country)',
    aboutOptions: 'Use one of the options, or let the import add or leave out what is missing',
  }
  const fields = new Map(writableFields(target.object).map((field) => [field.key, field]))
  const lines = await readLines({ input, seen, target, fields }, rows)
  const keys = keysIn(target, input, seen, lines, reading)
  const work: Work = { tools, target, input, seen, phase, reading, counts, ...keys }
  await holdBack(work, lines, rows)
  const aside = new Set<string>()
  for (const wave of inWaves(target, input, lines, reading)) {
    for (const line of wave) line.waits ||= keys.matchKeysOf(line).some((key) => aside.has(key))
    await importWave(
      work,
      wave.filter(({ waits }) => !waits),
    )
    if (phase === 'file') for (const key of wave.filter(isWaiting).flatMap(keys.matchKeysOf)) aside.add(key)
  }
  const problems: Problem[] = lines.flatMap((line) => problemsOf(input, line))
  const related = Object.values(counts.related_created).reduce((sum, count) => sum + count, 0)
  const changed = input.dry_run ? 0 : counts.created + counts.updated + related
  const waiting = lines.flatMap((line, i) =>
    isWaiting(line)
      ? [{ row: line.row, position: rows[i]!.position, keys: [...keys.namesOf(line), ...keys.matchKeysOf(line)] }]
      : [],
  )
  const lackingLinks = lines.flatMap(({ faults, lacksLinks, record_id }, i) =>
    lacksLinks && record_id && !faults.length ? [{ position: rows[i]!.position, record_id }] : [],
  )
  return { counts: counts satisfies JobResult, problems, changed, lines, waiting, lackingLinks }
}

/** Before they are looked at: what they find may change their values. */
function keysIn(target: Target, input: ImportInput, seen: Seen, lines: Line[], reading: Reading) {
  const canWait = ownRelations(target, input).length > 0
  const isNamed = canWait || (input.dry_run && seen.named.has(target.object.key))
  const names = new Map(isNamed ? lines.map((line) => [line, namesOf(target, line, reading)]) : [])
  const matches = new Map(
    canWait && input.mode !== 'create'
      ? lines.map((line) => [line, matchKeys(target, input, line, reading).map((key) => `match ${key}`)])
      : [],
  )
  return { namesOf: (line: Line) => names.get(line) ?? [], matchKeysOf: (line: Line) => matches.get(line) ?? [] }
}

/** Rows of one record are applied in their order, so one that follows a waiting row waits, too. */
async function holdBack({ tools, phase, matchKeysOf }: Work, lines: Line[], rows: FileRow[]) {
  // These are imported in the order of the file.
  if (phase === 'circles') return
  const first = await waitingWith(tools.context.db, tools.job, lines.flatMap(matchKeysOf))
  for (const [i, line] of lines.entries())
    line.waits = matchKeysOf(line).some((key) => (first.get(key) ?? Infinity) < rows[i]!.position)
}

async function importWave(work: Work, lines: Line[]) {
  const { tools, target, input, seen, phase, reading, counts } = work
  const related = relatedRecords()
  await matchLines(target, input, lines, reading)
  lines.forEach(dropRepeatedTitle)
  await resolveNames(work, lines, related, (names) => fatesOf(work, names))
  const later = phase === 'links' ? [] : await matchDuplicates(target, input, lines, reading)
  const now = lines.filter((line) => !line.isSkipped && !later.includes(line))
  const skipped = lines.filter(({ isSkipped }) => isSkipped).length
  if (skipped) counts.skipped = (counts.skipped ?? 0) + skipped
  const changes = await changesOf(work, now)
  for (const [object, count] of Object.entries(
    await createRelated(tools, target, related, input.dry_run ? seen : undefined),
  ))
    counts.related_created[object] = (counts.related_created[object] ?? 0) + count
  const isLeft = ({ line }: Drafted) => isOpen(line)
  await save(work, 'created', changes.created.filter(isLeft))
  await save(work, 'updated', changes.updated.filter(isLeft))
  if (later.length) await importRepeated(work, later)
}

/** Rows of records that rows before them have just created. A dry run has not created them. */
async function importRepeated(work: Work, lines: Line[]) {
  const { target, input, reading, counts } = work
  if (input.dry_run) counts.updated += lines.length
  else {
    await matchDuplicates(target, input, lines, reading)
    const { created, updated } = await changesOf(work, lines)
    await save(
      work,
      'created',
      created.filter(({ line }) => isOpen(line)),
    )
    await save(
      work,
      'updated',
      updated.filter(({ line }) => isOpen(line)),
    )
  }
}

/** What becomes of names of records of the same object that do not exist. */
async function fatesOf({ tools, target, phase }: Work, names: string[]): Promise<FateOf> {
  const keysOf = (name: string) => namingKeys(target.schema, target.object, name)
  const isWaited = phase === 'round' || phase === 'circles'
  const waiting = isWaited ? await waitingWith(tools.context.db, tools.job, names.flatMap(keysOf)) : new Map()
  return (name, if_missing) => {
    const keys = keysOf(name)
    if (phase === 'file') return 'wait'
    if (keys.some((key) => waiting.has(key))) return phase === 'round' ? 'wait' : 'later'
    // What is left empty is noted once, when the links are added.
    return phase === 'circles' && if_missing === 'leave_empty' ? 'later' : 'missing'
  }
}

/** Adds the links of rows that were imported without. What cannot be linked is noted: the rest of the row is there. */
export async function linkRows(tools: StepTools, target: Target, given: ImportInput, rows: WaitingRow[]) {
  const mapping = given.mapping.map((mapped): Mapped => ({ ...mapped, if_missing: 'leave_empty' }))
  const { match_by: _, ...input } = { ...given, mapping }
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, related_created: {} }
  const seen = nothingSeen()
  const fields = new Map(writableFields(target.object).map((field) => [field.key, field]))
  const lines = await readLines({ input, seen, target, fields }, rows)
  const ids = rows.map(({ record_id }) => record_id!)
  const relations = new Set(ownRelations(target, input).map(({ key }) => key))
  const work: Work = {
    tools,
    target,
    input,
    seen,
    phase: 'links',
    reading: readingFor(target),
    counts,
    namesOf: () => [],
    matchKeysOf: () => [],
  }
  // One by one: each link may be part of the circle that the next one closes.
  for (const [i, line] of lines.entries()) {
    line.before = (await lock(target, [ids[i]!])).get(ids[i]!)
    line.values = Object.fromEntries(Object.entries(line.values).filter(([key]) => relations.has(key)))
    await resolveNames(work, [line], relatedRecords(), (names) => fatesOf(work, names))
    if (!line.before) line.faults.push('Its links were not added, because you can no longer see the record')
    const { updated } = await changesOf(work, [line])
    await save(
      work,
      'updated',
      updated.filter(({ line }) => isOpen(line)),
    )
  }
  return lines.flatMap(({ row: { line, cells }, faults, notes }): Problem[] => {
    const left = [...new Set([...faults, ...notes])]
    const message = `${left.join('; ')}. The rest of the row was imported`
    return left.length ? [{ line, message, kinds: kindsOf(input, cells, left), is_note: true }] : []
  })
}

type Drafted = { line: Line; change: Change }

/** The changes of the lines without faults, which may get some here. */
async function changesOf({ target, input, reading, phase }: Work, lines: Line[]) {
  const byPath = new Map(lines.map((line) => [line.path, line]))
  const { schema, object } = target
  const drafts = new Map<Line, Values>()
  const breathe = breathing()
  for (const line of lines) {
    const given = withStageOfPipeline(target, valuesOf(target, input, line), line.before?.values)
    const { values, faults } = readValues(schema, object, withStatus(target, given, line), line.path, reading)
    addFaults(input, byPath, faults)
    readOriginTime(target, line, reading)
    const { created_at } = line.origin
    const timed = line.before ? values : withImportedTimes(target, values, { created_at, here: reading.here! })
    drafts.set(line, withLists(target, input, line, timed))
    await breathe()
  }
  const left = lines.filter(isOpen)
  const [added, kept] = [left.filter(({ before }) => !before), left.filter(({ before }) => before)]
  const fresh = await newRecords(
    target,
    added.map((line) => drafts.get(line)!),
    added.map(({ values }) => values),
    (i) => added[i]!.path,
    { isImported: true },
  )
  const changed = kept.map((line) => changedRecord(target, line.before!, drafts.get(line)!, line.path))
  addFaults(input, byPath, [...fresh.faults, ...changed.flatMap(({ faults }) => faults)])
  // The links of a new record belong to it.
  for (const line of phase === 'links' ? [] : kept)
    if (!mayEdit(target, line)) line.faults.push('Your role does not let you change this record')
  const created = added.map((line, i): Drafted => ({ line, change: withOrigin(fresh.changes[i]!, line) }))
  const updated = kept.map((line, i): Drafted => ({ line, change: changed[i]!.change }))
  await addConflicts(target, [...created, ...updated])
  return { created, updated }
}

function withStatus(target: Target, values: Values, { status, values: sent, before, notes }: Line): Values {
  if (!status) return values
  const closed = builtInInUse(target.object, 'closed_at')?.key
  const isReopened = status === 'open' && closed !== undefined && own(sent, closed) !== undefined
  if (isReopened) {
    delete sent[closed]
    notes.push('The deal is open, so its closing time was left out')
  }
  const left = isReopened ? Object.fromEntries(Object.entries(values).filter(([key]) => key !== closed)) : values
  return withStageOfStatus(target, left, { sent, before: before?.values, status })
}

function readOriginTime({ context }: Target, { origin, faults }: Line, { here }: Reading) {
  if (origin.created_at === undefined) return
  const at = instantOf(origin.created_at, here)
  if (at && at <= context.now.toISOString()) origin.created_at = at
  else faults.push(`${origin.created_at.slice(0, 60)}: Use a time in the past for when the record was created`)
}

/** Only the record itself says so: the change set has who imported it, and when. */
function withOrigin(change: Change, { origin: { created_at, created_by } }: Line): Change {
  const origin = { ...(created_at !== undefined && { created_at }), ...(created_by !== undefined && { created_by }) }
  return { ...change, after: { ...change.after, ...origin } }
}

/** What the record gets: an empty cell of a new record means its default; for a user such as the owner, that it has none. */
function valuesOf(target: Target, { match_by, mapping }: ImportInput, { values, before }: Line): Values {
  const { object } = target
  if (!before) {
    const users = mapping.filter(({ key }) => fieldCalled(object, key)?.type === 'user').map(({ key }) => [key, null])
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

/** Unique values that another record or an earlier row has, and parents that are below their children. */
async function addConflicts(target: Target, drafted: Drafted[]) {
  const left = drafted.filter(({ line }) => isOpen(line))
  const lines = new Map(left.map(({ line, change }) => [change.after.id, line]))
  const changes = left.map(({ change }) => change)
  const conflicts = [...(await findConflicts(target, changes)), ...(await findCircles(target, changes))]
  const firstWith = (value: string | undefined) =>
    left.find(({ change }) => change.row.uniques.some(({ key }) => key === value))?.line.row.line
  for (const { record_id, code, value, message } of conflicts) {
    const other = code === 'used_twice' ? firstWith(value) : undefined
    // IDs are for programs.
    const said = message.replace(idInBrackets, '')
    lines.get(record_id)!.faults.push(other === undefined ? said : `${value} is also in line ${other}`)
  }
}

const idInBrackets = / \([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\)/g

async function save(work: Work, kind: 'created' | 'updated', drafted: Drafted[]) {
  const { tools, target, input, counts } = work
  const effective = drafted.filter(
    ({ change }) => kind === 'created' || Object.keys(differing(change.before, change.after)).length,
  )
  counts.unchanged += drafted.length - effective.length
  const nameless =
    kind === 'created' ? effective.filter(({ change }) => isNameless(target, change.after.values)).length : 0
  if (nameless) counts.nameless = (counts.nameless ?? 0) + nameless
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
