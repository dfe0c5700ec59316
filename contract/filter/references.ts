// Users and records that a filter refers to by email address, unique value or title, and that must be looked up.
import { isId } from '../shared/ids.ts'
import type { Checked, CheckedCondition } from './check.ts'
import { noCaller } from './check-value.ts'
import { type Fault, listed, shortened, suggesting } from './faults.ts'
import { fold } from './fold.ts'
import type { Value } from './tree.ts'

export type Reference = {
  /** The key in `References`. */
  key: string
  kind: 'user' | 'record' | 'users'
  /** The objects to search for a record; empty means any. */
  objects: string[]
  text: string
}

/** What was found for each reference: all matches, or the most similar names. */
export type References = Record<string, { id: string; title: string }[] | { nearest: string[] }>

export type Found = { id: string } | { fault: Fault }

/** A user or record in a filter, by id or by name. `index`: which of the condition's values. */
export type Named = { condition: CheckedCondition; index: number; text: string; kind: 'user' | 'record' }

/** The filter with each user and record it names replaced. */
export function mapReferences(checked: Checked, replace: (named: Named) => string): Checked {
  if ('parts' in checked) return { ...checked, parts: checked.parts.map((part) => mapReferences(part, replace)) }
  if ('part' in checked) return { ...checked, part: mapReferences(checked.part, replace) }
  if ('where' in checked) return { ...checked, where: mapReferences(checked.where, replace) }
  if (checked.kind !== 'condition') return checked
  const { type } = checked.path.at(-1)!.field
  if (type !== 'user' && type !== 'relation') return checked
  const kind = type === 'user' ? 'user' : 'record'
  const values = checked.values.map((text, index) =>
    typeof text === 'string' ? replace({ condition: checked, index, text, kind }) : text,
  )
  return { ...checked, values }
}

export function namedIn(checked: Checked): Named[] {
  const all: Named[] = []
  mapReferences(checked, (named) => {
    all.push(named)
    return named.text
  })
  return all
}

/** What must be looked up before the filter can run, without duplicates. IDs need no lookup. */
export function referencesIn(checked: Checked): Reference[] {
  const references = namedIn(checked).filter(({ text }) => !isId(text))
  const named = [...new Map(references.map(referenceTo).map((one) => [one.key, one])).values()]
  return comparesNames(checked) ? [...named, { key: allUsers, kind: 'users', objects: [], text: '' }] : named
}

/** The key under which all users are found, to compare their names: owner.name ~ "ada". */
export const allUsers = 'users'

function comparesNames(checked: Checked): boolean {
  if ('parts' in checked) return checked.parts.some(comparesNames)
  if ('part' in checked) return comparesNames(checked.part)
  if ('where' in checked) return comparesNames(checked.where)
  return checked.kind === 'condition' && checked.path.at(-1)!.field.part === 'name'
}

export function referenceTo({ condition, kind, text }: Omit<Named, 'index'>): Reference {
  const objects = condition.path.at(-1)!.field.to ?? []
  return { key: `${kind} ${objects.join(' ')}: ${fold(text)}`, kind, objects, text }
}

/** The ID that a value of a user or relation field stands for. */
export function findReference(
  { me, references = {} }: { me?: string; references?: References },
  condition: CheckedCondition,
  value: Value,
  index: number,
): Found {
  const spot = condition.place.values[index] ?? condition.place.whole
  const fault = (found: string, message: string, nearest: string[] = []) => ({
    fault: { ...spot, found, message, nearest },
  })
  if (typeof value === 'object') return me ? { id: me } : fault('me', noCaller)
  const text = String(value)
  if (isId(text)) return { id: text.toLowerCase() }
  const kind = condition.path.at(-1)!.field.type === 'user' ? 'user' : 'record'
  const reference = referenceTo({ condition, kind, text })
  const found = Object.hasOwn(references, reference.key) ? references[reference.key]! : []
  const [first, ...others] = 'nearest' in found ? [] : found
  const nearest = 'nearest' in found ? found.nearest : []
  const name = shortened(text)
  if (!first) {
    const said = suggesting(`No ${kind} is named ${name}.`, nearest, ` Use an ID, ${ways[kind]}.`)
    return { fault: { ...spot, found: name, ...said } }
  }
  if (others.length === 0) return { id: first.id }
  const all = [first, ...others].slice(0, 5)
  const names = listed(
    all.map(({ id, title }) => `${title} (${id})`),
    'and',
  )
  return fault(
    name,
    `More than one ${reference.kind} is named ${name}: ${names}. Use the ID of the one you mean.`,
    all.slice(0, 3).map((one) => one.id),
  )
}

const ways = {
  user: 'an email address or the full name',
  record: 'a unique value such as a domain, or the full title',
}
