// Users and records that a filter refers to by e-mail address, unique value or title, and that must be looked up.
import { isId } from '../ids.ts'
import type { Checked, CheckedCondition } from './check.ts'
import { noCaller } from './check-value.ts'
import { didYouMean, type Fault, listed, shortened } from './faults.ts'
import { fold } from './fold.ts'
import type { Value } from './tree.ts'

export type Reference = {
  /** The key in `References`. */
  key: string
  kind: 'user' | 'record'
  /** The objects to search for a record; empty means any. */
  objects: string[]
  text: string
}

/** What was found for each reference: all matches, or the most similar names. */
export type References = Record<string, { id: string; title: string }[] | { nearest: string[] }>

export type Found = { id: string } | { fault: Fault }

/** What must be looked up before the filter can run, without duplicates. IDs need no lookup. */
export function referencesIn(checked: Checked): Reference[] {
  const found = new Map<string, Reference>()
  const visit = (node: Checked): void => {
    if ('parts' in node) node.parts.forEach(visit)
    if ('part' in node) visit(node.part)
    if ('where' in node) visit(node.where)
    if (node.kind !== 'condition') return
    for (const value of node.values) {
      const reference = referenceOf(node, value)
      if (reference) found.set(reference.key, reference)
    }
  }
  visit(checked)
  return [...found.values()]
}

function referenceOf({ path }: CheckedCondition, value: Value): Reference | undefined {
  const { field } = path.at(-1)!
  if ((field.type !== 'user' && field.type !== 'relation') || typeof value !== 'string' || isId(value)) return
  const objects = field.to ?? []
  const kind = field.type === 'user' ? 'user' : 'record'
  return { key: `${kind} ${objects.join(' ')}: ${fold(value)}`, kind, objects, text: value }
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
  const reference = referenceOf(condition, value)
  if (!reference) return { id: String(value).toLowerCase() }
  const found = Object.hasOwn(references, reference.key) ? references[reference.key]! : []
  const [first, ...others] = 'nearest' in found ? [] : found
  const nearest = 'nearest' in found ? found.nearest : []
  const text = shortened(reference.text)
  if (!first) {
    const message = `No ${reference.kind} is named ${text}.${didYouMean(nearest)} Use an ID, ${ways[reference.kind]}.`
    return fault(text, message, nearest)
  }
  if (others.length === 0) return { id: first.id }
  const all = [first, ...others].slice(0, 5)
  const names = listed(
    all.map(({ id, title }) => `${title} (${id})`),
    'and',
  )
  return fault(
    text,
    `More than one ${reference.kind} is named ${text}: ${names}. Use the ID of the one you mean.`,
    all.slice(0, 3).map((one) => one.id),
  )
}

const ways = {
  user: 'an e-mail address or the full name',
  record: 'a unique value such as a domain, or the full title',
}
