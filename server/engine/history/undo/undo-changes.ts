// Undoes the changes of a call or of a step of a job: restores earlier values of records, within the rights of the caller,
// and keeps what was changed later.

import { isDeepStrictEqual } from 'node:util'
import { actorOf, type Context } from '../../../kernel/context.ts'
import { Params, run } from '../../../kernel/statement.ts'
import { derive } from '../../built-in/derive.ts'
import { allows, isOwn, rightsFor } from '../../rights/rights.ts'
import { type Schema, schemaOf } from '../../schema/schema.ts'
import type { Target } from '../../schema/target.ts'
import type { Change } from '../../values/change.ts'
import type { Stored } from '../../values/from-row.ts'
import { rowOf } from '../../values/to-row.ts'
import { lock, lockInTrash } from '../../write/lock.ts'
import { findCircles } from '../../write/parent-circles.ts'
import { saveChanges } from '../../write/save.ts'
import { findConflicts } from '../../write/unique-conflicts.ts'
import { changedSince } from './changed-since.ts'
import type { Left, PastChange } from './past-change.ts'
import { brokenConversions, cannotUndoConversion, ofConversions, partOfConversion } from './undo-conversion.ts'
import { undoOneChange } from './undo-one-change.ts'

/**
 * Of `sets`, which count as undone after the last part: a job undoes them in several. `isWhole`: none of their records is
 * left out, as a person can do.
 */
type Part = { sets: string[]; isLast: boolean; hasWritten: boolean; isWhole: boolean }

export async function undo(context: Context, changes: PastChange[], dry_run: boolean, part: Part) {
  const { sets } = part
  const schema = await schemaOf(context.db, actorOf(context))
  const { inverted, left } = await plan(context, schema, changes, part)
  let isWritten = false
  for (const { target, changes } of inverted) {
    const answer = await saveChanges(target, changes, dry_run)
    isWritten ||= answer.change_set_id !== null
  }
  const undone = inverted.reduce((sum, { changes }) => sum + changes.length, 0)
  if (sets.length === 1) context.undoing(sets[0]!)
  if (part.isLast && (isWritten || part.hasWritten)) await markUndone(context, sets)
  return { undone, left: withoutRepeats(left), change_set_id: isWritten ? context.change_set_id : null, dry_run }
}

type Plan = { inverted: { target: Target; changes: Change[] }[]; left: Left[] }

async function plan(context: Context, schema: Schema, changes: PastChange[], part: Part): Promise<Plan> {
  const { sets } = part
  const left: Left[] = []
  const inverted: Plan['inverted'] = []
  const mayTakeBack = part.isWhole ? ofConversions(schema, changes) : () => false
  for (const [key, list] of Map.groupBy(changes, (change) => change.object)) {
    const object = schema.objects.get(key)
    if (!object) {
      left.push(
        ...list.map(({ record_id }) => ({
          record_id,
          field: null,
          reason: 'Changes to members, roles, keys and settings cannot be undone',
        })),
      )
      continue
    }
    const target = { context, schema, object }
    const inverse = await inverseOf(target, { changes: list, left, sets, all: changes, mayTakeBack })
    inverted.push({ target, changes: await withoutConflicts(target, inverse, left) })
  }
  const broken = part.isWhole ? brokenConversions(schema, changes, left) : []
  if (!broken.length) return { inverted, left }
  if (sets.length === 1) throw cannotUndoConversion(broken[0]!.because)
  const isBroken = (change: PastChange) => broken.some(({ id }) => id === change.change_set_id)
  const rest = await plan(
    context,
    schema,
    changes.filter((change) => !isBroken(change)),
    part,
  )
  const kept = changes.filter(isBroken).map(({ record_id }) => ({ record_id, field: null, reason: partOfConversion }))
  return { ...rest, left: [...rest.left, ...kept] }
}

/** Undoing an undo makes the original change sets count as not undone again. */
async function markUndone(context: Context, sets: string[]) {
  const { company_id } = actorOf(context)
  const params = new Params()
  const counting = await run<{ id: string }>(
    context.db,
    `select id from change_sets where company_id = ${params.add(company_id, 'uuid')}
      and undone_by = any(${params.add(sets, 'uuid[]')})`,
    params,
  )
  context.write((params) => {
    const [company, these] = [params.add(company_id, 'uuid'), params.add(sets, 'uuid[]')]
    return `update change_sets set undone_by = case when id = any(${these}) then ${params.add(context.change_set_id, 'uuid')} end
      where company_id = ${company} and (id = any(${these}) or undone_by = any(${these}))`
  })
  context.emit('changes.undone', { change_set_ids: [...sets, ...counting.map(({ id }) => id)] })
}

/**
 * Leaves out records whose earlier unique value another record has now, or whose earlier parent is below them now. Such a
 * record keeps its current value,
 * which may cause further conflicts, so the rest is checked again.
 */
async function withoutConflicts(target: Target, changes: Change[], left: Left[]): Promise<Change[]> {
  const conflicts = [...(await findConflicts(target, changes)), ...(await findCircles(target, changes))]
  if (!conflicts.length) return changes
  left.push(...conflicts.map(({ record_id, field, message }) => ({ record_id, field, reason: message })))
  const conflicting = new Set(conflicts.map(({ record_id }) => record_id))
  return withoutConflicts(
    target,
    changes.filter(({ after }) => !conflicting.has(after.id)),
    left,
  )
}

/** Several changes to one record may be kept for the same reason. */
const withoutRepeats = (left: Left[]) => [...new Map(left.map((item) => [Object.values(item).join(), item])).values()]

type Inverting = {
  changes: PastChange[]
  left: Left[]
  sets: string[]
  all: PastChange[]
  mayTakeBack: (record_id: string) => boolean
}

/** Each record without these changes, except where it was changed later. */
async function inverseOf(target: Target, { changes, left, sets, all, mayTakeBack }: Inverting): Promise<Change[]> {
  const ids = [...new Set(changes.map((change) => change.record_id))]
  const rows = new Map([...(await lock(target, ids)), ...(await lockInTrash(target, ids))])
  const after = new Map([...rows].map(([id, row]) => [id, structuredClone(row)]))
  const since = await changedSince(target, { changes, left, sets, all })
  for (const change of changes) {
    const row = after.get(change.record_id)
    if (row) undoOneChange(target, row, change, since, left)
    else
      left.push({
        record_id: change.record_id,
        field: null,
        reason: 'The record was permanently deleted, or you cannot see it',
      })
  }
  return ids
    .flatMap((id) => changeOf(target, rows.get(id), after.get(id), left, mayTakeBack(id)))
    .map((change) => ({ ...change, undoes: sets }))
}

function changeOf(
  { context, schema, object }: Target,
  before: Stored | undefined,
  after: Stored | undefined,
  left: Left[],
  mayTakeBack: boolean,
): Change[] {
  if (!before || !after) return []
  if (before.deleted_at && after.deleted_at) after.deleted_at = before.deleted_at
  if (isDeepStrictEqual(before, after)) return []
  const actor = actorOf(context)
  const rights = rightsFor(actor, object.key)
  const isMoved = !before.deleted_at !== !after.deleted_at
  const isEdited = before.owner_id !== after.owner_id || !isDeepStrictEqual(before.values, after.values)
  const own = isOwn(actor, object, before)
  const isAllowed = (!isMoved || allows(rights.delete, own)) && (!isEdited || allows(rights.edit, own))
  if (!isAllowed && !mayTakeBack) {
    left.push({ record_id: before.id, field: null, reason: `Your role (${actor.role}) does not allow it` })
    return []
  }
  if (isEdited)
    after.values = derive({ schema, object }, after.values, {
      before: before.values,
      created_at: before.created_at,
      now: context.now,
    })
  const row = rowOf(schema, object, after.values)
  return [{ before, after, row: after.deleted_at ? { ...row, uniques: [] } : row }]
}
