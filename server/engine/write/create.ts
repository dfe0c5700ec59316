import { randomUUIDv7 } from 'node:crypto'
import { actorOf } from '../../kernel/context.ts'
import { breathing } from '../../platform/yield-to-others.ts'
import { refuse, rightsFor } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { contradictions, derive } from '../values/derive.ts'
import type { Stored, Values } from '../values/from-row.ts'
import { rowOf } from '../values/to-row.ts'
import type { Change, WrittenChanges } from './change.ts'
import { readAll, refuseFaults } from './input.ts'
import { missing, withoutNulls } from './required.ts'
import { saveChanges } from './save.ts'

export async function createRecords(
  target: Target,
  inputs: Values[],
  dry_run: boolean,
  pathOf = (i: number) => `records.${i}`,
): Promise<WrittenChanges> {
  const { context, schema, object } = target
  const actor = actorOf(context)
  if (!rightsFor(actor, object.key).create) throw refuse(actor, 'create', object)
  const defaults = defaultsOf(object)
  const drafts = await readAll(
    target,
    inputs.map((input, i) => ({ values: { ...defaults, ...input }, path: pathOf(i) })),
  )
  const derived = drafts.map(({ owner: _, ...entered }) =>
    derive(object, withoutNulls(entered), undefined, context.now),
  )
  refuseFaults(
    derived.flatMap((values, i) => [
      ...missing(object, values, pathOf(i)),
      ...contradictions(object, inputs[i]!, values, pathOf(i)),
    ]),
  )
  // UUIDs of the same millisecond are in random order. Sorting them keeps the order of the input.
  const ids = drafts.map(() => randomUUIDv7()).sort()
  const breathe = breathing()
  const changes: Change[] = []
  for (const [i, values] of derived.entries()) {
    const { owner = actor.user_id } = drafts[i]!
    const after = newRow(target, ids[i]!, values, owner as string | null)
    changes.push({ before: undefined, after, row: rowOf(schema, object, values), path: pathOf(i) })
    await breathe()
  }
  return { ...(await saveChanges(target, changes, dry_run)), changes }
}

const defaultsOf = (object: ObjectSchema) =>
  Object.fromEntries(
    object.fields.flatMap(({ key, default_value }) =>
      default_value === null || default_value === undefined ? [] : [[key, default_value]],
    ),
  )

function newRow({ context, object }: Target, id: string, values: Values, owner_id: string | null): Stored {
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
