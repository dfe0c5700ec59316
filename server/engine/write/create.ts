import { randomUUIDv7 } from 'node:crypto'
import type { FieldError } from '../../../contract/shared/errors.ts'
import { own } from '../../../contract/shared/own.ts'
import { actorOf } from '../../kernel/context.ts'
import { breathing } from '../../platform/yield-to-others.ts'
import { recordsById } from '../read/by-id.ts'
import { refuse, rightsFor } from '../rights/rights.ts'
import { builtInInUse } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { lineFaults } from '../values/deal-line.ts'
import { dealFaults } from '../values/deal-stage.ts'
import { derive } from '../values/derive.ts'
import type { Stored, Values } from '../values/from-row.ts'
import { rowOf } from '../values/to-row.ts'
import type { Change, WrittenChanges } from './change.ts'
import { readAll, refuseFaults } from './input.ts'
import { withScore } from './lead-score.ts'
import { missing, withoutNulls } from './required.ts'
import { saveChanges } from './save.ts'

export async function createRecords(
  target: Target,
  inputs: Values[],
  dry_run: boolean,
  pathOf = (i: number) => `records.${i}`,
): Promise<WrittenChanges> {
  const { object } = target
  const actor = actorOf(target.context)
  if (!rightsFor(actor, object.key).create) throw refuse(actor, 'create', object)
  const defaults = defaultsOf(target)
  const drafts = await readAll(
    target,
    inputs.map((input, i) => ({ values: { ...defaults, ...input }, path: pathOf(i) })),
  )
  await addInherited(target, drafts)
  const { changes, faults } = await newRecords(target, drafts, inputs, pathOf)
  refuseFaults(faults)
  return { ...(await saveChanges(target, changes, dry_run)), changes }
}

/**
 * The changes that create records with these values, which have been read. `sent`: what the caller gave.
 * Faults are collected: a change whose path is at the start of one must not be saved.
 */
export async function newRecords(
  target: Target,
  drafts: Values[],
  sent: Values[],
  pathOf: (i: number) => string,
  ids: string[] = newIds(drafts.length),
) {
  const { context, schema, object } = target
  const { user_id } = actorOf(context)
  const breathe = breathing()
  const changes: Change[] = []
  const faults: FieldError[] = []
  for (const [i, { owner = user_id, ...entered }] of drafts.entries()) {
    const path = pathOf(i)
    const origin = { sent: sent[i]!, now: context.now }
    const derived = derive(target, withoutNulls(entered), origin)
    const values = withScore(target, derived, newRow(target, ids[i]!, derived, owner as string | null))
    faults.push(...missing(object, values, path), ...dealFaults(target, values, origin, path))
    faults.push(...lineFaults(target, values, undefined, path))
    const after = newRow(target, ids[i]!, values, owner as string | null)
    changes.push({ before: undefined, after, row: rowOf(schema, object, values), path })
    await breathe()
  }
  return { changes, faults }
}

/** A reply is about the same records as the note that it answers, unless it says otherwise. */
async function addInherited({ context, object }: Target, drafts: Values[]) {
  const [replyTo, about] = ['reply_to', 'about'].map((key) => builtInInUse(object, key)?.key)
  if (object.built_in_key !== 'notes' || !replyTo || !about) return
  const replies = drafts.filter((draft) => draft[replyTo] && draft[about] === undefined)
  if (!replies.length) return
  const notes = await recordsById(context, object, [...new Set(replies.map((draft) => String(draft[replyTo])))])
  for (const draft of replies) draft[about] = own(notes.get(String(draft[replyTo]))?.values ?? {}, about) ?? null
}

/** UUIDs of the same millisecond are in random order. Sorting them keeps the order of the input. */
const newIds = (count: number) => Array.from({ length: count }, () => randomUUIDv7()).sort()

/** The values that a new record has where none are given. */
export const defaultsOf = ({ context, object }: Target) =>
  Object.fromEntries(
    object.fields.flatMap(({ key, type, default_value }) => {
      if (default_value === null || default_value === undefined) return []
      return [[key, type === 'user' && default_value === 'me' ? actorOf(context).user_id : default_value]]
    }),
  )

export function newRow({ context, object }: Target, id: string, values: Values, owner_id: string | null): Stored {
  const now = context.now.toISOString()
  const { user_id } = actorOf(context)
  return {
    id,
    object_id: object.id,
    values,
    title: '',
    owner_id,
    created_at: now,
    created_by: user_id,
    updated_at: now,
    last_activity_at: null,
    deleted_at: null,
    version: 0,
  }
}
