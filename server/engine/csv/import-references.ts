// Replaces the names of users and related records in the rows of an import with their ids: all names in one query.
import { isId } from '../../../contract/shared/ids.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { own } from '../../../contract/shared/own.ts'
import { actorOf } from '../../kernel/context.ts'
import type { Match } from '../names/match.ts'
import { foldedName, recordsNamed } from '../names/named-records.ts'
import { usersNamed } from '../names/named-users.ts'
import { rightsFor } from '../rights/rights.ts'
import type { Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { ImportInput } from './import-input.ts'
import type { Line } from './import-line.ts'
import { linksToOwn } from './import-names.ts'
import type { Related } from './import-related.ts'
import { fieldCalled, type IfMissing } from './mapping.ts'

type Use = { line: Line; field: Field; text: string; if_missing: IfMissing; column: string }
/**
 * For names of records of the same object that do not exist. `wait`: a later row may create the record; `later`: another
 * row does, so the link is added afterwards; `several`: rows share the name; or the ID that it would have.
 */
export type Fate = 'missing' | 'wait' | 'later' | 'several' | { id: string }
export type FateOf = (name: string, if_missing: IfMissing) => Fate
type Found = { matches: Map<string, Match[]>; fateOf: FateOf }

export async function resolveNames(
  target: Target,
  input: ImportInput,
  lines: Line[],
  related: Related,
  fates: (names: string[]) => Promise<FateOf>,
) {
  const columns = referenceColumns(target, input)
  const usesOf = (line: Line) =>
    columns.flatMap(({ field, ...column }) => {
      const value = own(line.values, field.key)
      return value === undefined || value === null
        ? []
        : [value].flat().map((text): Use => ({ line, field, text: withoutTitle(String(text)), ...column }))
    })
  const uses = lines.flatMap(usesOf)
  const matches = await lookUp(target, uses)
  const unknown = uses.filter(
    (use) => linksToOwn(target, use.field) && !isId(use.text) && !matches.get(keyOf(use))?.length,
  )
  const found = { matches, fateOf: await fates([...new Set(unknown.map(({ text }) => text))]) }
  for (const line of lines)
    for (const { field } of columns) {
      const uses = usesOf(line).filter((use) => use.field === field)
      if (!uses.length) continue
      const ids = [...new Set(uses.flatMap((use) => idOf(target, use, found, related) ?? []))]
      if (field.is_multi) line.values[field.key] = ids
      else if (ids.length) line.values[field.key] = ids[0]
      else delete line.values[field.key]
    }
}

/** Exports write a record that their reader may not open as "Private organization (ID)". */
function withoutTitle(text: string) {
  const id = /\(([^()]+)\)$/.exec(text.trim())?.[1]
  return id && isId(id) ? id : text
}

function referenceColumns({ object }: Target, { mapping, columns }: ImportInput) {
  const fields = new Map(mapping.map((mapped) => [mapped.key, mapped]))
  return [...fields.values()].flatMap(({ key, index, if_missing }) => {
    const field = fieldCalled(object, key)
    const isReference = field?.type === 'user' || field?.type === 'relation'
    return isReference ? [{ field: field!, if_missing, column: columns[index]! }] : []
  })
}

const keyOf = ({ field: { type, to_objects }, text }: Use) =>
  `${type} ${to_objects?.join(' ') ?? ''}: ${type === 'user' ? text.trim().toLowerCase() : foldedName(text)}`

async function lookUp({ context, schema }: Target, uses: Use[]) {
  const names = [...new Map(uses.map((use) => [keyOf(use), use])).values()]
  const [users, records] = [
    names.filter(({ field }) => field.type === 'user'),
    names.filter(({ field }) => field.type !== 'user'),
  ]
  const foundUsers = await usersNamed(
    context,
    users.map(({ text }) => text),
  )
  const foundRecords = await recordsNamed(
    context,
    schema,
    records.map(({ field, text }) => ({ objects: field.to_objects ?? [], text })),
  )
  return new Map<string, Match[]>([
    ...users.map((use, i) => [keyOf(use), foundUsers[i]!] as const),
    ...records.map((use, i) => [keyOf(use), foundRecords[i]!] as const),
  ])
}

/** Nothing if it is left out, or if the line fails. */
function idOf(target: Target, use: Use, found: Found, related: Related): string | undefined {
  const { line, field, text, if_missing, column } = use
  if (field.type === 'user' && text.toLowerCase() === 'me') return actorOf(target.context).user_id
  // What the record links to now may stay, even if it is in the trash.
  const now = field.key === 'owner' ? line.before?.owner_id : line.before && own(line.before.values, field.key)
  if (isId(text) && [now].flat().includes(text.toLowerCase())) return text.toLowerCase()
  const matches = found.matches.get(keyOf(use)) ?? []
  const usable = matches.filter(({ is_active }) => is_active !== false)
  if (usable.length === 1) return usable[0]!.id
  const fail = (problem: string) => void line.faults.push(`${column}: ${problem}`)
  if (usable.length > 1)
    return fail(
      `several are called ${short(text)}: ${usable.map(({ title, id }) => `${title} (${id})`).join(', ')}. Use the ID`,
    )
  const fate = !matches.length && !isId(text) && linksToOwn(target, field) ? found.fateOf(text, if_missing) : 'missing'
  if (typeof fate === 'object') return fate.id
  if (fate === 'several') return fail(`several rows of this file are named ${short(text)}`)
  if (fate === 'wait') line.waits = true
  if (fate === 'later') line.lacksLinks = true
  if (fate !== 'missing') return undefined
  const problem = matches.length
    ? `${short(text)} is deactivated`
    : `there is no ${nounOf(target, field)} ${short(text)}`
  if (if_missing === 'leave_empty') return void line.notes.push(`${column}: ${problem}, so it was left out`)
  const object = if_missing === 'create' && !isId(text) ? onlyTarget(target, field) : undefined
  if (!object)
    return fail(
      `${problem}. ${field.type === 'user' ? 'Use the full name of an active user' : 'Use an ID, a title or a unique value, or let the import create or leave out what is missing (if_missing)'}`,
    )
  if (!rightsFor(actorOf(target.context), object.key).create)
    return fail(`${problem}, and your role does not let you create one`)
  return related.add(object, text, line, column)
}

const short = (text: string) => text.slice(0, 60)

const nounOf = (target: Target, field: Field) =>
  field.type === 'user' ? 'user' : inSentence(onlyTarget(target, field)?.label ?? 'record')

const onlyTarget = ({ schema }: Target, { to_objects }: Field) =>
  to_objects?.length === 1 ? schema.objects.get(to_objects[0]!) : undefined
