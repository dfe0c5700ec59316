import { randomUUIDv7 } from 'node:crypto'
import type { FieldError } from '../../../contract/shared/errors.ts'
import { actorOf } from '../../kernel/context.ts'
import { breathing } from '../../platform/yield-to-others.ts'
import { derive } from '../built-in/derive.ts'
import { builtInFaults } from '../built-in/faults.ts'
import { withScore } from '../built-in/leads/score.ts'
import { addSubjects } from '../built-in/notes/subjects.ts'
import { refuse, rightsFor } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import type { Change, WrittenChanges } from '../values/change.ts'
import type { Values } from '../values/from-row.ts'
import { newRow } from '../values/new-row.ts'
import { rowOf } from '../values/to-row.ts'
import { readAll, refuseFaults } from './input.ts'
import { missing, withoutNulls } from './required.ts'
import { saveChanges } from './save.ts'

export async function createRecords(
  target: Target,
  inputs: Values[],
  dry_run: boolean,
  pathOf?: (i: number) => string,
): Promise<WrittenChanges> {
  const changes = await readNewRecords(target, inputs, pathOf)
  return { ...(await saveChanges(target, changes, dry_run)), changes }
}

/** The changes that create these records, which are not written yet. Refuses faulty ones. */
export async function readNewRecords(
  target: Target,
  inputs: Values[],
  pathOf = (i: number) => `records.${i}`,
): Promise<Change[]> {
  const { object } = target
  const actor = actorOf(target.context)
  if (!rightsFor(actor, object.key).create) throw refuse(actor, 'create', object)
  const defaults = defaultsOf(target)
  const drafts = await readAll(
    target,
    inputs.map((input, i) => ({ values: { ...defaults, ...input }, path: pathOf(i) })),
  )
  await addSubjects(target, drafts)
  const { changes, faults } = await newRecords(target, drafts, inputs, pathOf)
  refuseFaults(faults)
  return changes
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
  { ids = newIds(drafts.length), isImported = false }: { ids?: string[]; isImported?: boolean } = {},
) {
  const { context, schema, object } = target
  const { user_id } = actorOf(context)
  const breathe = breathing()
  const changes: Change[] = []
  const faults: FieldError[] = []
  for (const [i, { owner = user_id, ...entered }] of drafts.entries()) {
    const path = pathOf(i)
    const origin = { sent: sent[i]!, now: context.now, isImported }
    const derived = derive(target, withoutNulls(entered), origin)
    const values = withScore(target, derived, newRow(target, ids[i]!, derived, owner as string | null))
    faults.push(...missing(object, values, path), ...builtInFaults(target, values, origin, path))
    const after = newRow(target, ids[i]!, values, owner as string | null)
    changes.push({ before: undefined, after, row: rowOf(schema, object, values), path })
    await breathe()
  }
  return { changes, faults }
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
