// Stored filters, of views and of jobs. They are stored as text with the keys of fields and options and the IDs of users
// and records, so that they survive relabeling and renaming.
import {
  type Checked,
  type CheckedFilter,
  type Fault,
  type FilterInput,
  findReference,
  hasFaults,
  limits,
  mapReferences,
  type Named,
  namedIn,
  overLimit,
  print,
  referencesIn,
  referenceTo,
  type Step,
  treeOf,
} from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Reader } from '../../kernel/context.ts'
import { type Titled, titlesOf } from '../names/find-titles.ts'
import { lookUp, mostNames } from '../names/look-up-references.ts'
import { keptInstead } from '../names/merged.ts'
import { userNames } from '../names/user-names.ts'
import { readFilterIn, type ScopedField, scopeOf, wholeScopeOf } from '../rights/scope.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import { refusedFilter } from './conditions.ts'

/** `field_ids`: the fields it uses, including those of related records. */
export type StoredFilter = { text: string; field_ids: string[] }
export type Kept = { object: ObjectSchema; filter: string }

/** The filter in the form that is stored. Refuses an invalid one. */
export async function storeFilter(
  context: Reader,
  schema: Schema,
  object: ObjectSchema,
  given: string | FilterInput,
): Promise<StoredFilter> {
  const read = readFilterIn(scopeOf(schema, actorOf(context)), object.key, given)
  if (hasFaults(read)) throw refusedFilter(read.faults)
  const references = await lookUp(context, schema, referencesIn(read.checked))
  const faults: Fault[] = []
  const byId = mapReferences(read.checked, ({ condition, index, text }) => {
    const found = findReference({ references }, condition, text, index)
    if ('id' in found) return found.id
    faults.push(found.fault)
    return text
  })
  if (!faults.length) faults.push(...goneIn(byId, await knownAmong(context, schema, [byId])))
  if (faults.length) throw refusedFilter(faults)
  const text = print(treeOf(byId))
  if (text.length > limits.characters) throw refusedFilter([overLimit('characters', `${text.length} characters`, {})])
  return { text, field_ids: fieldsIn(schema, byId) }
}

/** A stored filter, ready to run. Throws if it no longer works, because it must not look as if nothing matched. */
export async function readStored(
  context: Reader,
  schema: Schema,
  object: ObjectSchema,
  filter: string,
): Promise<CheckedFilter> {
  const [error] = await errorsOfStored(context, schema, [{ object, filter }])
  if (error) throw new AppError('invalid_input', `This saved filter no longer works. ${error}`)
  return readFilterIn(scopeOf(schema, actorOf(context)), object.key, filter) as CheckedFilter
}

/** For each filter, why it no longer works, or null. Looks up the users and records of all filters together. */
export async function errorsOfStored(context: Reader, schema: Schema, all: Kept[]): Promise<(string | null)[]> {
  const scope = scopeOf(schema, actorOf(context))
  const read = all.map(({ object, filter }) => readFilterIn(scope, object.key, filter))
  const readable = read.flatMap((one) => (hasFaults(one) ? [] : [one.checked]))
  const known = await knownAmong(context, schema, readable)
  return Promise.all(
    read.map(async (one) => {
      const faults = hasFaults(one)
        ? one.faults
        : [...(await unknownIn(context, schema, one)), ...goneIn(one.checked, known)]
      return faults.length ? [...new Set(faults.map(({ message }) => message))].slice(0, 3).join(' ') : null
    }),
  )
}

/** For people: with names instead of IDs, where the name identifies the same user or record. */
export async function withNames(context: Reader, schema: Schema, { filter, checked }: CheckedFilter) {
  const known = await knownAmong(context, schema, [checked])
  const candidates = namedIn(checked).flatMap(({ condition, kind, text }) => {
    const name = isId(text) ? nameIn(known, kind, text) : undefined
    return name ? [{ id: text.toLowerCase(), reference: referenceTo({ condition, kind, text: name }) }] : []
  })
  if (!candidates.length) return print(filter)
  const asked = new Map(candidates.slice(0, mostNames).map(({ reference }) => [reference.key, reference]))
  const found = await lookUp(context, schema, [...asked.values()])
  const named = mapReferences(checked, ({ condition, kind, text }) => {
    const name = isId(text) ? nameIn(known, kind, text) : undefined
    if (!name) return text
    const matches = found[referenceTo({ condition, kind, text: name }).key] ?? []
    const isThisOne = !('nearest' in matches) && matches.length === 1 && matches[0]!.id === text.toLowerCase()
    return isThisOne && !isId(name) ? name : text
  })
  return print(treeOf(named))
}

/** Only filters stored by older versions contain names. */
async function unknownIn(context: Reader, schema: Schema, { checked }: CheckedFilter): Promise<Fault[]> {
  const wanted = referencesIn(checked)
  if (!wanted.length) return []
  const references = await lookUp(context, schema, wanted)
  return namedIn(checked).flatMap(({ condition, index, text }) => {
    const found = findReference({ references }, condition, text, index)
    return 'fault' in found ? [found.fault] : []
  })
}

type Known = {
  users: Map<string, string>
  records: Map<string, Titled>
  inTrash: Map<string, Titled>
  /** By ID, the record into which it was merged. */
  merged: Map<string, Titled>
}

/** The users and records that these filters refer to by ID and that the caller may see. */
async function knownAmong(context: Reader, schema: Schema, filters: Checked[]): Promise<Known> {
  const named = filters.flatMap(namedIn).filter(({ text }) => isId(text))
  const idsOf = (wanted: Named['kind']) => [
    ...new Set(named.filter(({ kind }) => kind === wanted).map(({ text }) => text.toLowerCase())),
  ]
  const users = await userNames(context, idsOf('user'))
  const records = byId(await titlesOf(context, schema, idsOf('record')))
  const missing = idsOf('record').filter((id) => !records.has(id))
  const kept = await keptInstead(context.db, actorOf(context).company_id, missing)
  const titles = byId(await titlesOf(context, schema, [...kept.values()]))
  const merged = new Map([...kept].flatMap(([id, to]) => (titles.has(to) ? [[id, titles.get(to)!] as const] : [])))
  return { users, records, inTrash: byId(await titlesOf(context, schema, missing, true)), merged }
}

const byId = (titled: Titled[]) => new Map(titled.map((one) => [one.id, one]))

const nameIn = ({ users, records }: Known, kind: Named['kind'], id: string) =>
  kind === 'user' ? users.get(id.toLowerCase()) : records.get(id.toLowerCase())?.title

const goneIn = (checked: Checked, known: Known) =>
  namedIn(checked).flatMap((named) => (isId(named.text) ? (goneFault(named, known) ?? []) : []))

function goneFault(
  { condition, index, text, kind }: Named,
  { users, records, inTrash, merged }: Known,
): Fault | undefined {
  const { field } = condition.path.at(-1)!
  const id = text.toLowerCase()
  const fault = (message: string): Fault => ({
    ...(condition.place.values[index] ?? condition.place.whole),
    found: text,
    message,
    nearest: [],
  })
  if (kind === 'user')
    return users.has(id) ? undefined : fault(`${field.label}: this user was removed. Choose another user.`)
  const isTarget = (titled: Titled | undefined) => titled && (!field.to?.length || field.to.includes(titled.object))
  if (isTarget(records.get(id))) return undefined
  const kept = merged.get(id)
  if (isTarget(kept)) return fault(`${field.label}: this record was merged into ${kept!.title}. Choose that one.`)
  const trashed = inTrash.get(id)
  return isTarget(trashed)
    ? fault(`${field.label}: ${trashed!.title} is in the trash. Restore it, or choose another record.`)
    : fault(`${field.label}: this record was deleted, or you don't have access to it. Choose another record.`)
}

/** The same for a filter that was stored without them. None if it no longer works. */
export function fieldsOfStored(schema: Schema, { object, filter }: Kept): string[] {
  const read = readFilterIn(wholeScopeOf(schema), object.key, filter)
  return hasFaults(read) ? [] : fieldsIn(schema, read.checked)
}

/** The IDs of the fields a filter uses, including relations followed backwards. */
function fieldsIn(schema: Schema, checked: Checked): string[] {
  const ids = new Set<string>()
  const walk = (path: Step[]) => {
    for (const { objects, field } of path) {
      if (field.part) continue
      const { from } = field as ScopedField
      const own = objects.flatMap((key) => schema.objects.get(key)?.byKey.get(field.key) ?? [])
      for (const { id } of from ?? own) ids.add(id)
    }
  }
  const visit = (node: Checked): void => {
    if ('parts' in node) node.parts.forEach(visit)
    if ('part' in node) visit(node.part)
    if ('where' in node) visit(node.where)
    if ('path' in node) walk(node.path)
  }
  visit(checked)
  return [...ids]
}
