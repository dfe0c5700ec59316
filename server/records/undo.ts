// Puts records back as they were, under the rights of whoever undoes. What somebody changed later stays.
import { isDeepStrictEqual } from 'node:util'
import { mostUndone } from '../../contract/changes.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Changed, type Context } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import { schemaOf } from '../objects/schema.ts'
import { apply, type Change, type Target } from './apply.ts'
import { allows, isOwn, rightsFor } from './rights.ts'
import { rowOf } from './row.ts'
import type { Stored } from './stored.ts'
import { findTaken } from './taken.ts'
import { lock } from './write.ts'

type Done = Pick<Changed, 'object' | 'record_id' | 'action' | 'fields'> & { change_set_id: string }
type Left = { record_id: string; field: string | null; reason: string }
type Window = {
  api_key_id?: string | undefined
  client?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** The changes in question, newest first. Nobody but an Admin undoes what others did. */
export async function changesToUndo(
  context: Context,
  ids: string[] | undefined,
  { api_key_id, client, since, until }: Window,
) {
  const actor = actorOf(context)
  const params = new Params()
  const conditions = [`s.company_id = ${params.add(actor.company_id, 'uuid')}`]
  if (!actor.is_admin) conditions.push(`s.actor_id = ${params.add(actor.user_id, 'uuid')}`)
  if (ids) conditions.push(`s.id = any(${params.add(ids, 'uuid[]')})`)
  const key = api_key_id ?? (ids || client ? undefined : actor.api_key_id)
  if (key) conditions.push(`s.api_key_id = ${params.add(key, 'uuid')}`)
  else if (!ids && !client)
    throw new AppError('invalid_input', 'Say what to undo: change_set_ids, api_key_id or client.', {
      errors: [{ path: 'change_set_ids', message: 'Say what to undo' }],
    })
  if (client) conditions.push(`s.client ilike ${params.add(`${client.replace(/[\\%_]/g, '\\$&')}%`)}`)
  if (!ids && !since)
    throw new AppError('invalid_input', 'Say from when on to undo.', {
      errors: [{ path: 'since', message: 'Use a moment such as 2026-06-15T12:00:00Z' }],
    })
  if (since) conditions.push(`s.at >= ${params.add(since, 'timestamptz')}`)
  if (until) conditions.push(`s.at < ${params.add(until, 'timestamptz')}`)
  const changes = await run<Done>(
    context.db,
    `select c.change_set_id, c.object, c.record_id, c.action, c.fields from change_sets s
      join changes c on c.company_id = s.company_id and c.change_set_id = s.id
      where ${conditions.join(' and ')} order by c.version desc nulls last, s.id desc, c.position desc limit ${mostUndone + 1}`,
    params,
  )
  if (changes.length > mostUndone)
    throw new AppError('conflict', `These are over ${mostUndone} changes. Choose a shorter window and undo in steps.`)
  const found = new Set(changes.map((change) => change.change_set_id))
  const unknown = ids?.find((id) => !found.has(id))
  if (unknown)
    throw new AppError(
      'not_found',
      `There is no change set ${unknown} that you may undo. List the changes to find its id.`,
    )
  return changes
}

export async function undo(context: Context, changes: Done[], dry_run: boolean) {
  const schema = await schemaOf(context.db, actorOf(context))
  const left: Left[] = []
  let undone = 0
  let isWritten = false
  for (const [key, list] of Map.groupBy(changes, (change) => change.object)) {
    const object = schema.objects.get(key)
    if (!object) {
      left.push(
        ...list.map(({ record_id }) => ({
          record_id,
          field: null,
          reason: 'Members, roles, keys and settings are not undone here',
        })),
      )
      continue
    }
    const target = { context, schema, object }
    const inverted = await withoutTaken(target, await inverse(target, list, left), left)
    const answer = await apply(target, inverted, dry_run)
    undone += inverted.length
    isWritten ||= answer.change_set_id !== null
  }
  const sets = [...new Set(changes.map((change) => change.change_set_id))]
  if (sets.length === 1) context.undoing(sets[0]!)
  if (isWritten) markUndone(context, sets)
  return { undone, left: once(left), change_set_id: isWritten ? context.change_set_id : null, dry_run }
}

/** Whoever undoes an undo brings back what that one had undone. */
function markUndone(context: Context, sets: string[]) {
  const { company_id } = actorOf(context)
  context.write((params) => {
    const [company, these] = [params.add(company_id, 'uuid'), params.add(sets, 'uuid[]')]
    return `update change_sets set undone_by = case when id = any(${these}) then ${params.add(context.change_set_id, 'uuid')} end
      where company_id = ${company} and (id = any(${these}) or undone_by = any(${these}))`
  })
}

/** A record whose value somebody else has by now stays as it is; then what it would have given up stays taken, too. */
async function withoutTaken(target: Target, changes: Change[], left: Left[]): Promise<Change[]> {
  const clashes = await findTaken(target, changes)
  if (!clashes.length) return changes
  left.push(...clashes.map(({ record_id, field, message }) => ({ record_id, field, reason: message })))
  const clashing = new Set(clashes.map(({ record_id }) => record_id))
  return withoutTaken(
    target,
    changes.filter(({ after }) => !clashing.has(after.id)),
    left,
  )
}

/** Several changes of one record may be left for the same reason. */
const once = (left: Left[]) => [...new Map(left.map((one) => [Object.values(one).join(), one])).values()]

/** What each record would be without these changes, as far as nobody changed it since. */
async function inverse(target: Target, changes: Done[], left: Left[]): Promise<Change[]> {
  const ids = [...new Set(changes.map((change) => change.record_id))]
  const rows = new Map([...(await lock(target, ids)), ...(await lock(target, ids, true))])
  const after = new Map([...rows].map(([id, row]) => [id, structuredClone(row)]))
  const isGone = await goneAmong(target, changes)
  for (const change of changes) {
    const row = after.get(change.record_id)
    if (row) takeBack(target, row, change, isGone, left)
    else left.push({ record_id: change.record_id, field: null, reason: 'It is gone for good, or not yours to see' })
  }
  return ids.flatMap((id) => changeOf(target, rows.get(id), after.get(id), left))
}

/** Records that a relation led to once, and that nothing can lead to any more. */
async function goneAmong({ context, object }: Target, changes: Done[]) {
  const relations = [...object.fields, ...object.archivedFields].filter(({ type }) => type === 'relation')
  const ids = changes.flatMap(({ fields }) =>
    relations.flatMap(({ key }) => [fields[key]?.from ?? []].flat()),
  ) as string[]
  if (!ids.length) return () => false
  const params = new Params()
  const rows = await run<{ id: string }>(
    context.db,
    `select id from records where company_id = ${params.add(actorOf(context).company_id, 'uuid')} and id = any(${params.add([...new Set(ids)], 'uuid[]')})`,
    params,
  )
  const there = new Set(rows.map(({ id }) => id))
  const led = new Set(ids)
  return (value: unknown) => led.has(value as string) && !there.has(value as string)
}

function takeBack(
  { context }: Target,
  row: Stored,
  { action, fields, record_id }: Done,
  isGone: (value: unknown) => boolean,
  left: Left[],
) {
  if (action === 'created' || action === 'restored') row.deleted_at ??= context.now.toISOString()
  if (action === 'deleted') row.deleted_at = null
  if (action === 'created') return
  for (const [field, { from: was, to }] of Object.entries(fields)) {
    const from = Array.isArray(was) ? was.filter((one) => !isGone(one)) : isGone(was) ? null : was
    if (!isDeepStrictEqual(from, was))
      left.push({ record_id, field, reason: 'It led to a record that is gone for good' })
    const now = field === 'owner' ? row.owner_id : (row.values[field] ?? null)
    if (!isDeepStrictEqual(now, to)) left.push({ record_id, field, reason: 'It was changed again later' })
    else if (field === 'owner') row.owner_id = from as string | null
    else if (from === null || (Array.isArray(from) && !from.length)) delete row.values[field]
    else row.values[field] = from
  }
}

function changeOf(
  { context, schema, object }: Target,
  before: Stored | undefined,
  after: Stored | undefined,
  left: Left[],
): Change[] {
  if (before?.deleted_at && after?.deleted_at) after.deleted_at = before.deleted_at
  if (!before || !after || isDeepStrictEqual(before, after)) return []
  const actor = actorOf(context)
  const rights = rightsFor(actor, object.key)
  const reach = !before.deleted_at === !after.deleted_at ? rights.edit : rights.delete
  if (!allows(reach, isOwn(actor, object, before))) {
    left.push({ record_id: before.id, field: null, reason: `Your role (${actor.role}) does not allow it` })
    return []
  }
  const row = rowOf(schema, object, after.values)
  return [{ before, after, row: after.deleted_at ? { ...row, uniques: [] } : row }]
}
