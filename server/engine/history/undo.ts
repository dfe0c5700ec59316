// Restores earlier values of records, within the rights of the caller. Keeps what was changed later.

import { isDeepStrictEqual } from 'node:util'
import { mostUndone } from '../../../contract/changes.ts'
import { own } from '../../../contract/shared/own.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { escapeLike, Params, run } from '../../kernel/statement.ts'
import { derive } from '../built-in/derive.ts'
import { allows, isOwn, rightsFor } from '../rights/rights.ts'
import { type Field, type ObjectSchema, type Schema, schemaOf } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { builtInValue } from '../values/built-in-values.ts'
import type { Change } from '../values/change.ts'
import type { Stored } from '../values/from-row.ts'
import { countryOf, findOption } from '../values/read-values.ts'
import { rowOf } from '../values/to-row.ts'
import { lock, lockInTrash } from '../write/lock.ts'
import { findCircles } from '../write/parent-circles.ts'
import { saveChanges } from '../write/save.ts'
import { findConflicts } from '../write/unique-conflicts.ts'
import { alreadyUndone, type Left, type PastChange } from './past-change.ts'
import { inTrash, type SetLast, settersOf } from './set-last.ts'
import { brokenConversions, cannotUndoConversion, ofConversions, partOfConversion } from './undo-conversion.ts'

type Selection = {
  ids?: string[] | undefined
  record_ids?: string[] | undefined
  api_key_id?: string | undefined
  client?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** The selected changes, newest first. Only an Admin can undo the changes of others. */
export async function changesToUndo(
  context: Context,
  { ids, record_ids, api_key_id, client, since, until }: Selection,
) {
  const actor = actorOf(context)
  const params = new Params()
  const conditions = [`s.company_id = ${params.add(actor.company_id, 'uuid')}`]
  if (!actor.is_admin) conditions.push(`s.actor_id = ${params.add(actor.user_id, 'uuid')}`)
  if (ids) conditions.push(`s.id = any(${params.add(ids, 'uuid[]')})`)
  const key = api_key_id ?? (ids || client ? undefined : actor.api_key_id)
  if (key) conditions.push(`s.api_key_id = ${params.add(key, 'uuid')}`)
  else if (!ids && !client)
    throw new AppError('invalid_input', 'Specify what to undo: change_set_ids, api_key_id or client.', {
      errors: [{ path: 'change_set_ids', message: 'Specify what to undo' }],
    })
  if (client) conditions.push(`s.client ilike ${params.add(`${escapeLike(client)}%`)}`)
  if (!ids && !since)
    throw new AppError('invalid_input', 'Specify "since", the start of the time window to undo.', {
      errors: [{ path: 'since', message: 'Use a time such as 2026-06-15T12:00:00Z' }],
    })
  if (since) conditions.push(`s.at >= ${params.add(since, 'timestamptz')}`)
  if (until) conditions.push(`s.at < ${params.add(until, 'timestamptz')}`)
  const isSelected = record_ids ? `c.record_id = any(${params.add(record_ids, 'uuid[]')})` : 'true'
  const [counted] = await run<{ count: number; total: number; ids: string[]; is_undone: boolean }>(
    context.db,
    `select count(*) filter (where ${isSelected})::int as count, count(*)::int as total,
      coalesce(array_agg(distinct s.id) filter (where ${isSelected}), '{}') as ids,
      bool_and(s.undone_by is not null) as is_undone from change_sets s
      join changes c on c.company_id = s.company_id and c.change_set_id = s.id where ${conditions.join(' and ')}`,
    params,
  )
  const unknown = ids?.find((id) => !counted!.ids.includes(id))
  if (unknown)
    throw new AppError(
      'not_found',
      `Change set ${unknown} does not exist, or you cannot undo it. List the changes to get their IDs.`,
    )
  if (counted!.count > mostUndone && counted!.is_undone)
    throw new AppError('conflict', `${alreadyUndone}. To bring the changes back, undo the change set in undone_by.`)
  const isWhole = counted!.count === counted!.total
  if (counted!.count > mostUndone && !isWhole)
    throw new AppError(
      'invalid_input',
      `Undo at most ${mostUndone} changes of single records. Send fewer record_ids.`,
      {
        errors: [{ path: 'record_ids', message: 'Send fewer' }],
      },
    )
  if (counted!.count > mostUndone) return { ...counted!, isWhole, changes: [] }
  const changes = await run<PastChange>(
    context.db,
    `select c.change_set_id, c.object, c.record_id, c.action, c.fields, c.version, s.operation, s.undone_by from change_sets s
      join changes c on c.company_id = s.company_id and c.change_set_id = s.id
      where ${conditions.join(' and ')} and ${isSelected} order by c.version desc nulls last, s.id desc, c.position desc`,
    params,
  )
  return { ...counted!, isWhole, changes }
}

/** The newest of the caller: made with the same key, or in the web app. Undoing is not one of them. */
export async function lastChangeSets(context: Context, count: number) {
  const actor = actorOf(context)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const byKey = actor.api_key_id ? `= ${params.add(actor.api_key_id, 'uuid')}` : 'is null'
  const rows = await run<{ id: string }>(
    context.db,
    `select s.id from change_sets s where s.company_id = ${company} and s.actor_id = ${params.add(actor.user_id, 'uuid')}
      and s.api_key_id ${byKey} and s.undone_by is null and s.undo_of is null
      and exists (select from changes c where c.company_id = ${company} and c.change_set_id = s.id)
      order by s.id desc limit ${params.add(count, 'int')}`,
    params,
  )
  if (!rows.length) throw new AppError('not_found', 'There is no change of yours to undo.')
  return rows.map(({ id }) => id)
}

const changedAgain = 'It was changed again later'

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
  const since: Since = {
    isDeleted: await deletedAmong(target, changes),
    isEditedSince: await editedSince(target, changes, sets),
    isLinkedSince: await linkedSince(target, changes, undoneWith(all, left)),
    setLast: await settersOf(target.context, changes, sets),
  }
  for (const change of changes) {
    const row = after.get(change.record_id)
    if (row) takeBack(target, row, change, since, left)
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

/** What has happened since the changes were made. */
type Since = {
  isDeleted: (value: unknown) => boolean
  isEditedSince: (record_id: string) => boolean
  isLinkedSince: (record_id: string) => boolean
  setLast: (record_id: string) => SetLast
}

/** The records of a call, apart from those that stay as they are. */
function undoneWith(all: PastChange[], left: Left[]) {
  const kept = new Set(left.filter(({ field }) => field === null).map(({ record_id }) => record_id))
  return [...new Set(all.map(({ record_id }) => record_id))].filter((id) => !kept.has(id))
}

/** Whether a record that these changes created has links from others, which do not go back with it. */
async function linkedSince({ context }: Target, changes: PastChange[], undone: string[]) {
  const created = changes.filter(({ action }) => action === 'created').map(({ record_id }) => record_id)
  if (!created.length) return () => false
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const rows = await run<{ to_id: string }>(
    context.db,
    `select distinct l.to_id from links l
      join records r on r.company_id = ${company} and r.id = l.from_id and r.deleted_at is null
      where l.company_id = ${company} and l.to_id = any(${params.add(created, 'uuid[]')})
      and l.from_id <> l.to_id and l.from_id <> all(${params.add(undone, 'uuid[]')})`,
    params,
  )
  const linked = new Set(rows.map(({ to_id }) => to_id))
  return (record_id: string) => linked.has(record_id)
}

/** Records and users in earlier values that have been permanently deleted or removed. */
async function deletedAmong({ context, object }: Target, changes: PastChange[]) {
  const all = [...object.fields, ...object.archivedFields]
  const idsIn = (type: Field['type'], systemKeys: string[] = []) => {
    const keys = [...all.filter((field) => field.type === type).map(({ key }) => key), ...systemKeys]
    return changes.flatMap(({ fields }) => keys.flatMap((key) => [own(fields, key)?.from ?? []].flat() as string[]))
  }
  const [records, users] = [idsIn('relation'), idsIn('user', ['owner'])]
  const wanted = new Set([...records, ...users])
  if (!wanted.size) return () => false
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const existing = await run<{ id: string }>(
    context.db,
    `select id from records where company_id = ${company} and id = any(${params.add([...new Set(records)], 'uuid[]')})
      union all select id from users where company_id = ${company} and id = any(${params.add([...new Set(users)], 'uuid[]')}) and removed_at is null`,
    params,
  )
  const known = new Set(existing.map(({ id }) => id))
  return (value: unknown) => wanted.has(value as string) && !known.has(value as string)
}

/** Whether a record that these changes created was changed afterwards, not counting changes that were undone. */
async function editedSince({ context }: Target, changes: PastChange[], undone: string[]) {
  const created = changes.filter(({ action }) => action === 'created').map(({ record_id }) => record_id)
  if (!created.length) return () => false
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const sets = params.add([...undone, context.change_set_id], 'uuid[]')
  const rows = await run<{ record_id: string }>(
    context.db,
    `select distinct c.record_id from changes c
      join change_sets s on s.company_id = ${company} and s.id = c.change_set_id and s.undone_by is null
      where c.company_id = ${company} and c.record_id = any(${params.add(created, 'uuid[]')})
      and c.action <> 'created' and c.change_set_id <> all(${sets}) and (s.undo_of is null or s.undo_of <> all(${sets}))
      and not exists (select 1 from change_sets u where u.company_id = ${company} and u.undone_by = s.id)`,
    params,
  )
  const edited = new Set(rows.map(({ record_id }) => record_id))
  return (record_id: string) => edited.has(record_id)
}

function takeBack({ context, schema, object }: Target, row: Stored, change: PastChange, since: Since, left: Left[]) {
  const { action, fields, record_id, version, undone_by } = change
  const setLast = since.setLast(record_id)
  const keep = (field: string | null, reason: string) => left.push({ record_id, field, reason })
  const isBack = action === 'deleted' ? !row.deleted_at : action !== 'updated' && row.deleted_at
  if (undone_by && isBack) return keep(null, alreadyUndone)
  if (action === 'created' && row.deleted_at) return
  if (action === 'created' && since.isEditedSince(record_id)) return keep(null, 'It was changed later')
  if (action === 'created' && since.isLinkedSince(record_id)) return keep(null, 'Other records link to it now')
  if (action === 'deleted' || action === 'restored') {
    const isSame = Boolean(row.deleted_at) === (action === 'deleted')
    if (isSame && !setLast.isBy(inTrash, version)) return keep(null, `It was ${action} again later`)
    setLast.takenBack(inTrash)
  }
  if (action === 'created' || action === 'restored') row.deleted_at ??= context.now.toISOString()
  if (action === 'deleted') row.deleted_at = null
  if (action === 'created') return
  for (const [key, { from, to }] of Object.entries(fields)) {
    const field = object.byKey.get(key)
    const now = key === 'owner' ? row.owner_id : (own(row.values, key) ?? null)
    const asNow = (value: unknown) => asStored(schema, object, field, value, row)
    const was = asNow(from)
    if (!isDeepStrictEqual(asNow(now), asNow(to))) {
      const isBefore = isDeepStrictEqual(asNow(now), was)
      // A part of the changes may have been undone before.
      if (!isBefore) keep(key, changedAgain)
      else if (undone_by) keep(key, alreadyUndone)
      continue
    }
    if (!setLast.isBy(key, version)) {
      keep(key, changedAgain)
      continue
    }
    setLast.takenBack(key)
    const { value, lost } = stillPossible(field, was, since)
    if (lost) keep(key, lost)
    if (isEmpty(value) && field?.is_required) keep(key, 'It is required now')
    else if (lost && !Array.isArray(was)) continue
    else if (key === 'owner') row.owner_id = value as string | null
    else if (isEmpty(value)) delete row.values[key]
    else row.values[key] = value
  }
}

/** Changes of earlier versions name countries and options as they were entered, and stages that pipelines shared. */
function asStored(schema: Schema, object: ObjectSchema, field: Field | undefined, value: unknown, row: Stored) {
  if (field?.type === 'country' && typeof value === 'string') return countryOf(value, schema)
  if (field?.type === 'select' && typeof value === 'string' && field.built_in_key !== 'stage')
    return findOption(field, value)?.key ?? value
  if (object.built_in_key !== 'deals' || field?.built_in_key !== 'stage' || value === null) return value
  const key = builtInValue(object, row.values, 'pipeline')
  const stages = schema.pipelines.find((pipeline) => pipeline.key === key)?.stages
  return stages?.find(({ shared_key }) => shared_key === value)?.key ?? value
}

const isEmpty = (value: unknown) => value === null || value === undefined || (Array.isArray(value) && !value.length)

/** The part of an earlier value that can still be written, and why the rest cannot. */
function stillPossible(field: Field | undefined, was: unknown, { isDeleted }: Since) {
  const options = field?.options ? new Set(field.options.map(({ key }) => key)) : undefined
  const isLost = (item: unknown) =>
    isDeleted(item) || (item !== null && options !== undefined && !options.has(item as string))
  const value = Array.isArray(was) ? was.filter((item) => !isLost(item)) : isLost(was) ? null : was
  if (isDeepStrictEqual(value, was)) return { value, lost: undefined }
  return {
    value,
    lost: options ? 'One of its options was removed' : 'It linked to something that was permanently deleted',
  }
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
