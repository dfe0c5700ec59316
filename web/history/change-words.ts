import { inSentence } from '../../contract/shared/in-sentence.ts'
import { builtInField } from '../records/data/built-in.ts'
import { isLeads } from '../records/data/leads.ts'
import type { ObjectShape } from '../records/data/schema.ts'
import type { Change, ChangeSet } from './change-sets.ts'

/** "Created 4 people and 1 deal, changed 1 NDA", grouped by what was done with them. */
export function inWords(changes: Change[], objects: ObjectShape[]) {
  const [first = '', ...others] = [...Map.groupBy(changes, ({ action }) => action)].map(
    ([action, some]) => `${verbOf(action)} ${counted(some, objects)}`,
  )
  return [first, ...others.map(inSentence)].join(', ')
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

type Merged = NonNullable<ChangeSet['merged']>

/** "Merged 2 people into", and the title of the record that was kept. */
export function mergedInWords(
  { object, count }: Pick<Merged, 'object' | 'count'>,
  into: string | undefined,
  objects: ObjectShape[],
) {
  const what = `Merged ${count} ${nounOf(object, count, objects)}`
  return into ? [`${what} into`, into] : [what]
}

/** In the history of a record that was kept, or that was merged. */
export function mergeIn({ merged }: Pick<ChangeSet, 'merged'>, changes: Change[], objects: ObjectShape[]) {
  if (!merged) return undefined
  if (changes.some(({ action }) => action === 'deleted')) return 'merged this into another record'
  const isKept = changes.some(({ record_id }) => record_id === merged.record_id)
  return isKept ? `merged ${merged.count} ${nounOf(merged.object, merged.count, objects)} into this` : undefined
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

/** The description of a merge already says what it changed. */
export const detailsIn = ({ changes, merged }: Pick<ChangeSet, 'changes' | 'merged'>, objects: ObjectShape[]) =>
  merged ? '' : fieldsInWords(changes, objects)

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

/** What an undo took back: "moved to Won", "changed Amount". Its changes lead back, so they are read the other way round. */
export function undoneIn(changes: Change[], objects: ObjectShape[], nameOf: (id: unknown) => string) {
  const undone = changes.map((change) => ({
    ...change,
    action: opposites[change.action],
    fields: Object.fromEntries(
      Object.entries(change.fields).map(([key, { from, to }]) => [key, { from: to, to: from }]),
    ),
  }))
  const fields = fieldsInWords(undone, objects)
  const [only] = undone
  return (
    moveIn(undone, objects) ??
    eventIn(undone, objects, nameOf) ??
    (fields ? `changed ${fields}` : `${verbOf(only?.action ?? 'updated').toLowerCase()} this`)
  )
}

const opposites: Record<Change['action'], Change['action']> = {
  created: 'deleted',
  updated: 'updated',
  deleted: 'created',
  restored: 'deleted',
}

/** What became of a lead, or who has it now: says more than the number of fields. */
export function eventIn(changes: Change[], objects: ObjectShape[], nameOf: (id: unknown) => string) {
  const [change, ...others] = changes
  if (!change || others.length || change.action !== 'updated') return undefined
  const object = objects.find(({ key }) => key === change.object)
  const keys = Object.keys(change.fields)
  if (object && isLeads(object)) {
    const of = (key: string) => change.fields[builtInField(object, key)?.key ?? '']
    if (of('status')?.to === 'converted' && convertedKeys.some((key) => of(key)?.to)) return conversion
    if (of('first_response_at')?.to && !of('first_response_at')?.from) return 'recorded the first response'
    const sent = sendingIn(of)
    if (sent) return sent
  }
  if (keys.length !== 1 || keys[0] !== 'owner') return undefined
  const to = change.fields.owner?.to
  return to ? `assigned this to ${nameOf(to)}` : 'removed the owner'
}

/** Who took a lead that was sent on, who returned it, or that it was not placed. The rule that did it is the actor. */
function sendingIn(of: (key: string) => { from?: unknown; to?: unknown } | undefined) {
  const names = (value: unknown) => [value ?? []].flat().map(String)
  const [sending, taken] = [of('sending'), of('delivered_to')]
  const added = names(taken?.to).filter((name) => !names(taken?.from).includes(name))
  if (added.length) return `delivered this lead to ${added.join(', ')}`
  const returned = names(taken?.from).filter((name) => !names(taken?.to).includes(name))
  if (returned.length) return `recorded that ${returned.join(', ')} returned this lead`
  if (sending?.to === 'not_taken') return 'could not place this lead'
  if (sending?.to === 'unknown') return 'sent this lead, but it is unknown whether it arrived'
  return undefined
}

export const conversion = 'converted this lead'
const convertedKeys = ['converted_person', 'converted_organization', 'converted_deal']

/** What a form on a website sent, with the page and whether the person agreed. */
export function submissionIn(changes: Change[], objects: ObjectShape[]) {
  const change = changes.find(({ object }) => objects.some((one) => one.key === object && isLeads(one)))
  const object = objects.find(({ key }) => key === change?.object)
  const of = (key: string) => object && change?.fields[builtInField(object, key)?.key ?? '']?.to
  return {
    isNew: change?.action === 'created',
    page: of('page'),
    hasConsent: of('consent') === true,
    message: of('message'),
  }
}

/** The name of a task of Kith itself says nothing to people. */
export const actorIn = ({ principal, actor_name }: Pick<ChangeSet, 'principal' | 'actor_name'>) =>
  principal?.kind === 'system' ? 'Kith' : (principal?.name ?? actor_name ?? 'Someone')
