// Writes some rows of an import. A row that fails is reported and does not stop the others.
import type { JobResult } from '../../../contract/jobs.ts'
import type { Problem, StepTools } from '../../jobs/job.ts'
import { namingKeys } from '../names/named-records.ts'
import type { Target } from '../schema/target.ts'
import type { Reading } from '../values/read-values.ts'
import { readingFor } from '../write/input.ts'
import { lock } from '../write/lock.ts'
import { changesOf, type Drafted } from './import-changes.ts'
import { nothingSeen, type Seen } from './import-dry-run.ts'
import { matchDuplicates } from './import-duplicates.ts'
import type { ImportInput } from './import-input.ts'
import { dropRepeatedTitle, isOpen, isWaiting, type Line, readLines } from './import-line.ts'
import { inWaves, matchKeys, matchLines } from './import-match.ts'
import { namesOf, ownRelations } from './import-names.ts'
import { kindsOf, problemsOf } from './import-problems.ts'
import { type FateOf, resolveNames } from './import-references.ts'
import { createRelated, relatedRecords } from './import-related.ts'
import { type Counts, save } from './import-save.ts'
import { cleanMatchList } from './import-unreadable.ts'
import { type WaitingRow, waitingWith } from './import-waiting.ts'
import { type Mapped, writableFields } from './mapping.ts'
import type { Row } from './rows.ts'

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
  given: FileRow[],
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
  const read = await readLines({ input, seen, target, fields }, given)
  const lines = read.filter(({ isSkipped }) => !isSkipped)
  const rows = given.filter((_, i) => !read[i]!.isSkipped)
  if (lines.length < read.length) counts.skipped = read.length - lines.length
  for (const line of lines) cleanMatchList({ target, input }, line, reading)
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
  countPartly(counts, lines)
  const problems: Problem[] = read.flatMap((line) => problemsOf(input, line))
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
  return { counts: counts satisfies JobResult, problems, changed, lines: read, waiting, lackingLinks }
}

function countPartly(counts: Counts, lines: Line[]) {
  const done = lines.filter((line) => isOpen(line) && !line.isSkipped)
  const unreadable = done.filter((line) => line.unreadable.length).length
  const partly = done.filter((line) => line.unreadable.length || line.leftOut.length).length
  if (unreadable) counts.unreadable = unreadable
  if (partly) counts.partly_imported = partly
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
  return lines.flatMap(({ row: { line, cells }, faults, leftOut, notes }): Problem[] => {
    const left = [...new Set([...faults, ...leftOut, ...notes])]
    const message = `${left.join('; ')}. The rest of the row was imported`
    return left.length ? [{ line, message, kinds: kindsOf(input, cells, left), is_note: true }] : []
  })
}
