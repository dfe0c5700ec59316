// Replaces the names of users and related records in the rows of an import with their ids: all names in one query.
import { isId } from '../../../contract/shared/ids.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { own } from '../../../contract/shared/own.ts'
import { actorOf } from '../../kernel/context.ts'
import type { Match } from '../names/match.ts'
import { foldedName, namingKeys, recordsNamed } from '../names/named-records.ts'
import { usersNamed } from '../names/named-users.ts'
import { rightsFor } from '../rights/rights.ts'
import type { Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Seen } from './import-dry-run.ts'
import type { ImportInput } from './import-input.ts'
import type { Line } from './import-line.ts'
import { linksToOwn, nameKey } from './import-names.ts'
import type { Related } from './import-related.ts'
import { createdBy, fieldCalled, type IfMissing, isOrigin } from './mapping.ts'
import { knowRecords, type Namesakes } from './namesakes.ts'

type Use = { line: Line; field: Field; objects: string[]; text: string; if_missing: IfMissing; column: string }
/**
 * For names of records of the same object that do not exist. `wait`: a later row may create the record; `later`: another
 * row does, so the link is added afterwards.
 */
export type Fate = 'missing' | 'wait' | 'later'
export type FateOf = (name: string, if_missing: IfMissing) => Fate
type Found = { matches: Map<string, Match[]>; fateOf: FateOf; namesakes: Namesakes }

export async function resolveNames(
  { target, input, seen }: { target: Target; input: ImportInput; seen: Seen },
  lines: Line[],
  related: Related,
  fates: (names: string[]) => Promise<FateOf>,
) {
  const uses = new Map(lines.map((line) => [line, usesIn(target, input, line)]))
  const all = [...uses.values()].flat()
  const matches = await lookUp(target, all, input.dry_run ? seen : undefined)
  const unknown = all.filter((use) => namesOwn(target, use) && !isId(use.text) && !matches.get(keyOf(use))?.length)
  const found: Found = {
    matches,
    fateOf: await fates([...new Set(unknown.map(({ text }) => text))]),
    namesakes: await knowRecords(target, ambiguousIn([...uses.values()], matches), seen),
  }
  for (const [line, ofLine] of uses)
    for (const [field, some] of Map.groupBy(ofLine, (use) => use.field)) {
      const others = ofLine.filter((use) => use.field !== field).flatMap((use) => matchesOf(found.matches, use))
      const ids = [...new Set(idsOf(target, some, others, found, related))]
      if (field === createdBy) line.origin.created_by = ids[0]
      else if (field.is_multi) line.values[field.key] = ids
      else if (ids.length) line.values[field.key] = ids[0]
      else delete line.values[field.key]
    }
}

/** What a line names in its columns of users and relations. */
const usesIn = ({ object }: Target, { columns }: ImportInput, line: Line) =>
  line.references.flatMap(({ mapped: { key, part, index, if_missing }, text }): Use[] => {
    const field = fieldCalled(object, key) ?? (isOrigin({ key }) ? createdBy : undefined)
    if (!field || (field === createdBy ? line.before : (own(line.values, key) ?? null) === null)) return []
    const objects = part === undefined ? (field.to_objects ?? []) : [part]
    return [{ line, field, objects, text: withoutTitle(text), if_missing, column: columns[index]! }]
  })

/** Records are still by those who have left. */
const matchesOf = (matches: Found['matches'], use: Use) =>
  (matches.get(keyOf(use)) ?? []).filter(({ is_active }) => is_active !== false || use.field === createdBy)

/** The records of names that several have, and those that their lines name elsewhere. */
const ambiguousIn = (lines: Use[][], matches: Found['matches']) =>
  lines.flatMap((uses) => {
    const records = uses.filter(({ field }) => field.type === 'relation').map((use) => matchesOf(matches, use))
    return records.some((some) => some.length > 1) ? records.flat().map(({ id }) => id) : []
  })

/** Several columns may name the one record of a field, such as by its name and by an address: they must agree. */
function idsOf(target: Target, uses: Use[], others: Match[], found: Found, related: Related): string[] {
  const [first] = uses as [Use]
  const known = uses.filter((use) => matchesOf(found.matches, use).length)
  if (first.field.is_multi || known.length < 2) {
    const asked = first.field.is_multi ? uses : [known[0] ?? first]
    return asked.flatMap((use) => idOf(target, use, others, found, related) ?? [])
  }
  const common = known
    .map((use) => matchesOf(found.matches, use))
    .reduce((a, b) => a.filter(({ id }) => b.some((other) => other.id === id)))
  if (common.length === 1) return [common[0]!.id]
  if (common.length) return [idOf(target, first, others, found, related) ?? []].flat()
  const columns = [...new Set(known.map(({ column }) => column))].join(' and ')
  first.line.faults.push(`${columns} name different ${nounsOf(target, first)}`)
  return []
}

/** Exports write a record that their reader may not open as "Private organization (ID)", and others a person as "Name (address)". */
function withoutTitle(text: string) {
  const id = /\(([^()]+)\)$/.exec(text.trim())?.[1]
  return id && (isId(id) || /^\S+@\S+\.\S+$/.test(id)) ? id : text
}

const keyOf = ({ field: { type }, objects, text }: Use) =>
  `${type} ${objects.join(' ')}: ${type === 'user' ? text.trim().toLowerCase() : foldedName(text)}`

const namesOwn = ({ object }: Target, { field, objects }: Use) =>
  linksToOwn({ object }, { type: field.type, to_objects: objects })

/** `seen`: by a dry run, whose earlier rows would have created records. */
async function lookUp({ context, schema }: Target, uses: Use[], seen: Seen | undefined) {
  const names = [...new Map(uses.map((use) => [keyOf(use), use])).values()]
  const [users, records] = [
    names.filter(({ field }) => field.type === 'user'),
    names.filter(({ field }) => field.type !== 'user'),
  ]
  const foundUsers = await usersNamed(
    context,
    users.map(({ text }) => text),
  )
  const foundRecords = await recordsNamed(context, schema, records)
  const matchesOfRecord = (use: Use, i: number) => [...foundRecords[i]!, ...seenMatches(schema, use, seen)]
  return new Map<string, Match[]>([
    ...users.map((use, i) => [keyOf(use), foundUsers[i]!] as const),
    ...records.map((use, i) => [keyOf(use), matchesOfRecord(use, i)] as const),
  ])
}

function seenMatches(schema: Target['schema'], { objects, text }: Use, seen: Seen | undefined): Match[] {
  if (!seen) return []
  const among = [...schema.objects.values()].filter(({ key }) => !objects.length || objects.includes(key))
  const matches = among.flatMap((object) =>
    namingKeys(schema, object, text).flatMap((key) => seen.names.of(nameKey(object, key))),
  )
  return [...new Map(matches.map((match) => [match.id, match])).values()]
}

/** Nothing if it is left out, or if the line fails. `others`: what the line names in its other columns. */
function idOf(target: Target, use: Use, others: Match[], found: Found, related: Related): string | undefined {
  const { line, field, text, if_missing, column } = use
  if (field.type === 'user' && text.toLowerCase() === 'me') return actorOf(target.context).user_id
  // What the record links to now may stay, even if it is in the trash.
  const now = field.key === 'owner' ? line.before?.owner_id : line.before && own(line.before.values, field.key)
  if (isId(text) && [now].flat().includes(text.toLowerCase())) return text.toLowerCase()
  const matches = found.matches.get(keyOf(use)) ?? []
  const usable = matchesOf(found.matches, use)
  if (field.type === 'user' && !usable.length) line.unknown.push({ column, text })
  if (usable.length === 1) return usable[0]!.id
  const fail = (problem: string) => void line.faults.push(`${column}: ${problem}`)
  if (usable.length > 1) {
    const named = others.map(({ id }) => id)
    const [meant, ...more] = found.namesakes.meant(usable, line.row.cells, named)
    if (meant && !more.length) return meant.id
    const problem = `several ${nounsOf(target, use)} are called ${short(text)}`
    const advice = aboutNamesakes(use, found.namesakes.otherNames(usable))
    if (if_missing !== 'fail') return void line.notes.push(`${column}: ${problem}, so it was left out. ${advice}`)
    return fail(`${problem}. ${advice}`)
  }
  const fate = !matches.length && !isId(text) && namesOwn(target, use) ? found.fateOf(text, if_missing) : 'missing'
  if (fate === 'wait') line.waits = true
  if (fate === 'later') line.lacksLinks = true
  if (fate !== 'missing') return undefined
  const problem = matches.length ? `${short(text)} is deactivated` : `there is no ${nounOf(target, use)} ${short(text)}`
  if (if_missing === 'leave_empty') return void line.notes.push(`${column}: ${problem}, so it was left out`)
  const object = if_missing === 'create' && !isId(text) ? onlyTarget(target, use) : undefined
  if (!object)
    return fail(
      `${problem}. ${field.type === 'user' ? 'Use the full name of an active user' : 'Use an ID, a title or a unique value, or let the import create or leave out what is missing'}`,
    )
  if (!rightsFor(actorOf(target.context), object.key).create)
    return fail(`${problem}, and your role does not let you create one`)
  return related.add(object, text, line, column)
}

const short = (text: string) => text.slice(0, 60)

function aboutNamesakes({ field }: Use, otherNames: string[]) {
  if (field.type === 'user') return 'Use an email address'
  if (otherNames.length) return `Use one of these instead: ${otherNames.map(short).join(', ')}`
  return 'Add a column that says which one is meant, such as an email address or the organization'
}

const nounOf = (target: Target, use: Use) =>
  use.field.type === 'user' ? 'user' : inSentence(onlyTarget(target, use)?.label ?? 'record')

const nounsOf = (target: Target, use: Use) =>
  use.field.type === 'user' ? 'users' : inSentence(onlyTarget(target, use)?.label_plural ?? 'records')

const onlyTarget = ({ schema }: Target, { objects }: Use) =>
  objects.length === 1 ? schema.objects.get(objects[0]!) : undefined
