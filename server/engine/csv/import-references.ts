// Replaces the names of users and related records in the rows of an import with their ids: all names in one query.
import { isId } from '../../../contract/shared/ids.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { own } from '../../../contract/shared/own.ts'
import { actorOf } from '../../kernel/context.ts'
import type { Match } from '../names/match.ts'
import { foldedName, namingKeys, recordsNamed } from '../names/named-records.ts'
import { usersNamed } from '../names/named-users.ts'
import { rightsFor } from '../rights/rights.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Seen } from './import-dry-run.ts'
import type { ImportInput } from './import-input.ts'
import { type Line, meant } from './import-line.ts'
import { meantBy, namesIn } from './import-lists.ts'
import { linksToOwn, nameKey } from './import-names.ts'
import type { Related } from './import-related.ts'
import { createdBy, fieldCalled, hasFullName, type IfMissing, isOrigin, type Mapped } from './mapping.ts'
import { knowRecords, type Namesakes } from './namesakes.ts'

type Use = {
  line: Line
  field: Field
  objects: string[]
  text: string
  if_missing: IfMissing
  column: string
  mapped: Mapped
  /** It names several records of which some do not exist. */
  isRefused?: boolean
}
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
  const written = new Map(lines.map((line) => [line, usesIn(target, input, line)]))
  const whole = [...written.values()].flat()
  const ofWhole = await lookUp(target, whole, input.dry_run ? seen : undefined)
  const inLists = whole.flatMap((use) => (ofWhole.get(keyOf(use))?.length ? [] : candidatesOf(input, use)))
  const ofLists = inLists.length ? await lookUp(target, inLists, input.dry_run ? seen : undefined) : []
  const matches = new Map([...ofWhole, ...ofLists])
  const unknown = [...whole, ...inLists].filter(
    (use) => namesOwn(target, use) && !isId(use.text) && !matches.get(keyOf(use))?.length,
  )
  const fateOf = await fates([...new Set(unknown.map(({ text }) => text))])
  const uses = new Map([...written].map(([line, some]) => [line, listed(target, input, some, { matches, fateOf })]))
  const found: Found = {
    matches,
    fateOf,
    namesakes: await knowRecords(target, ambiguousIn([...uses.values()], matches), seen),
  }
  for (const [line, ofLine] of uses)
    for (const [field, all] of Map.groupBy(ofLine, (use) => use.field)) {
      const some = all.filter(({ isRefused }) => !isRefused)
      const othersOf = (use: Use) =>
        ofLine.filter((other) => keyOf(other) !== keyOf(use)).flatMap((other) => matchesOf(found.matches, other))
      const ids = some.length ? [...new Set(idsOf(target, some, othersOf, found, related))] : []
      if (field === createdBy) line.origin.created_by = ids[0] ?? null
      // What is left out changes nothing in a record that exists.
      else if (ids.length) line.values[field.key] = field.is_multi ? ids : ids[0]
      else delete line.values[field.key]
    }
}

/** What a line names in its columns of users and relations. */
const usesIn = ({ object }: Target, { columns }: ImportInput, line: Line) =>
  line.references.flatMap(({ mapped, text }): Use[] => {
    const { key, part, index, if_missing } = mapped
    const field = fieldCalled(object, key) ?? (isOrigin({ key }) ? createdBy : undefined)
    if (!field || (field === createdBy ? line.before : (own(line.values, key) ?? null) === null)) return []
    const objects = part === undefined ? (field.to_objects ?? []) : [part]
    return [{ line, field, objects, text: withoutTitle(text), if_missing, column: columns[index]!, mapped }]
  })

/** What a cell that is not known as a whole may name. */
function candidatesOf(input: ImportInput, use: Use): Use[] {
  const names = namesIn(use.text)
  if (!names) return []
  const texts = [...names.parts, ...(names.uninverted ? [names.uninverted] : [])]
  return texts.map((text) => partOf(input, use, text))
}

const partOf = (input: ImportInput, use: Use, text: string): Use => ({
  ...use,
  text: withoutTitle(meant(input, use.mapped, text)),
})

/** With one use for each name in a cell. A field that holds one takes the first that exists. */
function listed(target: Target, input: ImportInput, uses: Use[], found: Pick<Found, 'matches' | 'fateOf'>): Use[] {
  const isKnown = (use: Use) =>
    matchesOf(found.matches, use).length > 0 ||
    (!found.matches.get(keyOf(use))?.length &&
      !isId(use.text) &&
      namesOwn(target, use) &&
      found.fateOf(use.text, use.if_missing) !== 'missing')
  return uses.flatMap((use): Use[] => {
    const names = namesIn(use.text)
    if (!names || found.matches.get(keyOf(use))?.length || isKnown(use)) return [use]
    const isPeople = use.field.type === 'user' || isOfPeople(onlyTarget(target, use))
    const texts = meantBy(use.text, names, { isKnown: (text) => isKnown(partOf(input, use, text)), isPeople })
    if (!texts) return [refusedList(target, input, use, names.parts, isKnown)]
    const some = texts.map((text) => partOf(input, use, text))
    if (some.length < 2 || use.field.is_multi) return some
    const first = some.find(isKnown) ?? some[0]!
    const noun = nounOf(target, use)
    use.line.leftOut.push(`${use.column}: only ${short(first.text)} was taken, because the field holds one ${noun}`)
    return [first]
  })
}

function refusedList(target: Target, input: ImportInput, use: Use, parts: string[], isKnown: (use: Use) => boolean) {
  const missing = parts.filter((text) => !isKnown(partOf(input, use, text)))
  const names = new Intl.ListFormat('en').format(missing.map((text) => `“${short(text)}”`))
  const problem = `“${short(use.text)}” may be one name or several, and there is no ${nounOf(target, use)} ${names}`
  if (use.if_missing === 'fail') use.line.faults.push(`${use.column}: ${problem}`)
  else use.line.leftOut.push(`${use.column}: ${problem}, so it was left out`)
  return { ...use, isRefused: true }
}

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
function idsOf(target: Target, uses: Use[], others: (use: Use) => Match[], found: Found, related: Related): string[] {
  const [first] = uses as [Use]
  const known = uses.filter((use) => matchesOf(found.matches, use).length)
  if (first.field.is_multi || known.length < 2) {
    const asked = first.field.is_multi ? uses : [known[0] ?? first]
    return asked.flatMap((use) => idOf(target, use, others(use), found, related) ?? [])
  }
  const common = known
    .map((use) => matchesOf(found.matches, use))
    .reduce((a, b) => a.filter(({ id }) => b.some((other) => other.id === id)))
  if (common.length === 1) return [common[0]!.id]
  if (common.length) return [idOf(target, first, others(first), found, related) ?? []].flat()
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

/** Nothing if it is left out, or if the line fails. `others`: what else the line names. */
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
    if (if_missing !== 'fail') return void line.leftOut.push(`${column}: ${problem}, so it was left out. ${advice}`)
    return fail(`${problem}. ${advice}`)
  }
  const fate = !matches.length && !isId(text) && namesOwn(target, use) ? found.fateOf(text, if_missing) : 'missing'
  if (fate === 'wait') line.waits = true
  if (fate === 'later') line.lacksLinks = true
  if (fate !== 'missing') return undefined
  const problem = matches.length ? `${short(text)} is deactivated` : `there is no ${nounOf(target, use)} ${short(text)}`
  if (if_missing === 'leave_empty') return void line.leftOut.push(`${column}: ${problem}, so it was left out`)
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

const isOfPeople = (object: ObjectSchema | undefined) => object !== undefined && hasFullName(object)

const onlyTarget = ({ schema }: Target, { objects }: Use) =>
  objects.length === 1 ? schema.objects.get(objects[0]!) : undefined
