import { inSentence } from '../../contract/in-sentence.ts'
import type { ObjectShape } from '../records/schema.ts'
import type { Change } from './change-sets.ts'

/** "4 people and 1 deal", grouped by what was done with them. */
export function inWords(changes: Change[], objects: ObjectShape[]) {
  const byAction = [...Map.groupBy(changes, ({ action }) => action)]
  return byAction.map(([action, some]) => `${verbOf(action)} ${counted(some, objects)}`).join(', ')
}

const verbs: Record<Change['action'], string> = {
  created: 'Created',
  updated: 'Changed',
  deleted: 'Deleted',
  restored: 'Restored',
}
export const verbOf = (action: Change['action']) => verbs[action]

function counted(changes: Change[], objects: ObjectShape[]) {
  const byObject = [...Map.groupBy(changes, ({ object }) => object)]
  const words = byObject.map(([key, { length }]) => `${length} ${nounOf(key, length, objects)}`)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** What is no record, such as a role, is called as it is. */
export function nounOf(key: string, count: number, objects: ObjectShape[]) {
  const object = objects.find((one) => one.key === key)
  const plural = object?.label_plural ?? key.replaceAll('_', ' ')
  const noun = count === 1 ? (object?.label ?? plural.replace(/s$/, '')) : plural
  return inSentence(noun)
}

export const records = (count: number) => (count === 1 ? '1 record' : `${count} records`)

const mostNamed = 3

/** "Status, Score and 2 more": the fields that were changed. What was created or deleted speaks for itself. */
export function fieldsInWords(changes: Change[], objects: ObjectShape[]) {
  if (changes.some(({ action }) => action !== 'updated')) return ''
  const named = changes.flatMap(({ object, fields }) => {
    const known = objects.find(({ key }) => key === object)?.byKey
    return Object.keys(fields).map((key) => known?.get(key)?.label ?? key)
  })
  const all = [...new Set(named)]
  const shown = all.slice(0, all.length === mostNamed + 1 ? undefined : mostNamed)
  return all.length > shown.length ? `${shown.join(', ')} and ${all.length - shown.length} more` : shown.join(', ')
}

/** "moved to Won": a change of the stage says most. What follows from it, such as the status, is in the details. */
export function moveIn(changes: Change[], objects: ObjectShape[]) {
  const [change, ...others] = changes
  if (!change || others.length || change.action !== 'updated') return undefined
  const fields = objects.find(({ key }) => key === change.object)?.byKey
  const stage = Object.keys(change.fields)
    .map((key) => fields?.get(key))
    .find((field) => field && !field.is_read_only && field.options?.some(({ kind }) => kind))
  const to = stage && change.fields[stage.key]?.to
  const label = stage?.options?.find(({ key }) => key === to)?.label
  return label && `moved to ${label}`
}
