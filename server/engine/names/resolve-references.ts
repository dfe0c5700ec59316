// Replaces the names of users and records in values with their ids, in three steps: collect, look up, replace.

import { didYouMean, fold, type Reference, type References } from '../../../contract/filter/index.ts'
import type { FieldError } from '../../../contract/shared/errors.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { own } from '../../../contract/shared/own.ts'
import { actorOf, mayNameRecords } from '../../kernel/context.ts'
import type { Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Stored, Values } from '../values/from-row.ts'
import { isListChange } from '../values/list-change.ts'
import { ownerField } from '../values/read-values.ts'
import { lookUp } from './look-up-references.ts'
import type { Match } from './match.ts'

/** `before`: the current values, which may stay even if they link to records in the trash or hidden from the caller. */
export type Draft = { values: Values; path: string; before?: Pick<Stored, 'id' | 'values' | 'owner_id'> | undefined }
/** One name in a draft. `isTakenOut`: it is being removed from a list, so a record with this ID need not exist. */
type Use = { field: Field; text: string; path: string; draft: Draft; isTakenOut: boolean }
type Settled = { id: string } | { fault: FieldError }

/** Every user and record must be visible to the caller: an id of another company is as unknown as a random one. */
export async function resolveReferences(target: Target, drafts: Draft[]) {
  const uses: Use[] = []
  for (const draft of drafts) mapNames(target, draft, (use) => uses.push(use))
  if (!uses.length) return { values: drafts.map(({ values }) => values), faults: [] }
  const { user_id } = actorOf(target.context)
  const wanted = uses.filter((use) => knownId(use, user_id) === undefined).map(referenceTo)
  const references = [...new Map(wanted.map((reference) => [reference.key, reference])).values()]
  const found = references.length ? await lookUp(target.context, target.schema, references) : {}
  const faults: FieldError[] = []
  const values = drafts.map((draft) =>
    mapNames(target, draft, (use) => {
      const settled = settle(use, user_id, found, mayNameRecords(target.context))
      if ('id' in settled) return settled.id
      faults.push(settled.fault)
      return null
    }),
  )
  return { values, faults }
}

/** The values of a draft with each name replaced. */
function mapNames({ object }: Target, draft: Draft, replace: (use: Use) => unknown): Values {
  const entries = Object.entries(draft.values).map(([key, value]) => {
    const field = key === 'owner' ? ownerField : object.byKey.get(key)!
    if (value === null || (field.type !== 'user' && field.type !== 'relation')) return [key, value]
    const path = `${draft.path}.${key}`
    const replaceName = (text: unknown, at: string, isTakenOut = false) =>
      replace({ field, text: String(text), path: at, draft, isTakenOut })
    const replaceNames = (list: unknown[] = [], at: string, isTakenOut = false) => [
      ...new Set(list.map((text, i) => replaceName(text, `${at}.${i}`, isTakenOut))),
    ]
    if (Array.isArray(value)) return [key, replaceNames(value, path)]
    if (!isListChange(value)) return [key, replaceName(value, path)]
    const remove = replaceNames(value.remove, `${path}.remove`, true)
    return [key, { add: replaceNames(value.add, `${path}.add`), remove }]
  })
  return Object.fromEntries(entries)
}

/** The id of a name that need not be looked up. */
function knownId({ field, text, draft: { before }, isTakenOut }: Use, me: string) {
  const id = text.toLowerCase()
  if (field.type === 'user' && (id === 'me' || id === me)) return me
  const now = field === ownerField ? before?.owner_id : before && own(before.values, field.key)
  return (isTakenOut && isId(id)) || [now].flat().includes(id) ? id : undefined
}

function referenceTo({ field, text }: Use): Reference {
  const kind = field.type === 'user' ? ('user' as const) : ('record' as const)
  const objects = field.to_objects ?? []
  return { key: `${kind} ${objects.join(' ')}: ${fold(text)}`, kind, objects, text }
}

function settle(use: Use, me: string, found: References, mayName: boolean): Settled {
  const known = knownId(use, me)
  if (known !== undefined) return { id: known }
  const matches = found[referenceTo(use).key] ?? []
  if ('nearest' in matches) return { fault: unknown(use, matches.nearest) }
  const usable = (matches as Match[]).filter(({ is_active }) => is_active !== false)
  if (usable.length === 1) return { id: usable[0]!.id }
  if (usable.length) return { fault: ambiguous(use, mayName || use.field.type === 'user' ? usable : []) }
  return { fault: matches.length ? deactivated(use, matches) : unknown(use, []) }
}

const shortened = (text: string) => text.slice(0, 60)

function unknown({ field, text, path }: Use, nearest: string[]): FieldError {
  const isUser = field.type === 'user'
  if (isId(text))
    return {
      path,
      message: isUser
        ? 'User not found. List the users to get their IDs'
        : 'This record does not exist, or it belongs to another object',
    }
  const hint = isUser ? 'Use an ID or the full name' : 'Use an ID, the full title or a unique value'
  const message = `No ${isUser ? 'user' : 'record'} is named ${shortened(text)}.${didYouMean(nearest)} ${hint}`
  return { path, message, ...(nearest.length && { nearest }) }
}

const ambiguous = ({ text, path }: Use, matches: Match[]): FieldError => ({
  path,
  message: `More than one match for ${shortened(text)}${matches.length ? ': ' : ''}${matches.map(({ title, id }) => `${title} (${id})`).join(', ')}. Use the ID`,
})

const deactivated = ({ path }: Use, [match]: Match[]): FieldError => ({
  path,
  message: `${match!.title} is deactivated. Choose an active user`,
})
