// Writing records: checked first, all of them, then written in one statement together with their history.
import { randomUUIDv7 } from 'node:crypto'
import type { FieldError } from '../../contract/errors.ts'
import { own } from '../../contract/own.ts'
import { AppError } from '../kernel/app-error.ts'
import { breathing } from '../kernel/breathe.ts'
import { actorOf, type Patch } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import type { ObjectSchema } from '../objects/schema.ts'
import { apply, type Change, type Target, type Written } from './apply.ts'
import { contradictions, derive } from './derive.ts'
import { readAll, refuseFaults } from './input.ts'
import { allows, isOwn, readable, refuse, rightsFor } from './rights.ts'
import { rowOf } from './row.ts'
import { type Stored, storedColumns } from './stored.ts'
import type { Values } from './values.ts'

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
  // Within a millisecond ids are random; sorted, they keep the order in which the records were sent.
  const ids = drafts.map(() => randomUUIDv7()).sort()
  const breathe = breathing()
  const changes: Change[] = []
  for (const [i, values] of derived.entries()) {
    const { owner = actor.user_id } = drafts[i]!
    const after = newRow(target, ids[i]!, values, owner as string | null)
    changes.push({ before: undefined, after, row: rowOf(schema, object, values), path: pathOf(i) })
    await breathe()
  }
  return { ...(await apply(target, changes, dry_run)), changes }
}

/** What was written, and from what to what. */
export type WrittenChanges = Written & { changes: Change[] }
export type Update = { id: string; version?: number | undefined; values: Values; path: string }

export async function updateRecords(target: Target, updates: Update[], dry_run: boolean): Promise<WrittenChanges> {
  const { context, schema, object } = target
  const rows = await lock(
    target,
    updates.map((update) => update.id),
  )
  const drafts = await readAll(
    target,
    updates.map(({ id, values, path }) => ({ values, path, before: rows.get(id) })),
  )
  const seen = new Set<string>()
  for (const { id, path } of updates) {
    if (seen.has(id)) refuseFaults([{ path, message: 'This record appears twice. Combine its changes' }])
    seen.add(id)
  }
  const breathe = breathing()
  const changes: Change[] = []
  for (const [i, { id, version, path }] of updates.entries()) {
    await breathe()
    const before = editable(target, rows.get(id), path)
    if (version !== undefined && version !== before.version) throw await outdated(target, before, version, path)
    const { owner, ...patch } = drafts[i]!
    const values = derive(object, withoutNulls({ ...before.values, ...patch }), before.values, context.now)
    refuseFaults([
      ...missing(object, values, path, new Set(Object.keys(patch))),
      ...contradictions(object, patch, values, path),
    ])
    const owner_id = owner === undefined ? before.owner_id : (owner as string | null)
    const after = { ...before, values, owner_id }
    changes.push({ before, after, row: rowOf(schema, object, values), path })
  }
  return { ...(await apply(target, changes, dry_run)), changes }
}

export async function moveRecords(
  target: Target,
  ids: string[],
  to: 'trash' | 'use',
  dry_run: boolean,
): Promise<WrittenChanges> {
  const { context, schema, object } = target
  const rows = await lock(target, ids, to === 'use')
  const changes = [...new Set(ids)].map((id, i): Change => {
    const path = `ids.${i}`
    const before = rows.get(id)
    if (!before) throw noSuchRecord(object, path)
    const actor = actorOf(context)
    if (!allows(rightsFor(actor, object.key).delete, isOwn(actor, object, before)))
      throw refuse(actor, to === 'trash' ? 'delete' : 'restore', object)
    const row = rowOf(schema, object, before.values)
    const after = { ...before, deleted_at: to === 'trash' ? context.now.toISOString() : null }
    return { before, after, row: to === 'trash' ? { ...row, uniques: [] } : row, path }
  })
  return { ...(await apply(target, changes, dry_run)), changes }
}

const defaultsOf = (object: ObjectSchema) =>
  Object.fromEntries(
    object.fields.flatMap(({ key, default_value }) =>
      default_value === null || default_value === undefined ? [] : [[key, default_value]],
    ),
  )

const withoutNulls = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

/** Of a change only what it touches: a record from before a field was required can still be edited. */
function missing(object: ObjectSchema, values: Values, path: string, touched?: Set<string>): FieldError[] {
  return object.fields
    .filter(({ key, is_required }) => is_required && (!touched || touched.has(key)))
    .filter(({ key }) => (own(values, key) ?? null) === null)
    .map(({ key }) => ({ path: `${path}.${key}`, message: 'This is required' }))
}

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

/** The rows that the caller may read, held against other writers, always in the same order. */
export async function lock({ context, object }: Target, ids: string[], inTrash = false) {
  const actor = actorOf(context)
  const params = new Params()
  const limit = readable(actor, object, 'r', params)
  const rows = await run<Stored>(
    context.db,
    `select ${storedColumns} from records r where r.company_id = ${params.add(actor.company_id, 'uuid')} and r.id = any(${params.add(ids, 'uuid[]')})
      and r.object_id = ${params.add(object.id, 'uuid')} and r.deleted_at is ${inTrash ? 'not ' : ''}null${limit && ` and ${limit}`} order by r.id for update`,
    params,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export const noSuchRecord = (object: ObjectSchema, path: string) =>
  new AppError('not_found', `There is no such ${object.label.toLowerCase()}, or not one that you may see.`, {
    errors: [{ path, message: 'There is no such record' }],
  })

function editable({ context, object }: Target, row: Stored | undefined, path: string): Stored {
  if (!row) throw noSuchRecord(object, path)
  const actor = actorOf(context)
  if (allows(rightsFor(actor, object.key).edit, isOwn(actor, object, row))) return row
  throw refuse(actor, 'change these', object)
}

async function outdated({ context }: Target, now: Stored, known: number, path: string) {
  const params = new Params()
  const rows = await run<{ fields: Patch }>(
    context.db,
    `select fields from changes where company_id = ${params.add(actorOf(context).company_id, 'uuid')} and record_id = ${params.add(now.id, 'uuid')} and version > ${params.add(known, 'bigint')} order by version`,
    params,
  )
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row.fields)))]
  const what = fields.length ? ` Changed meanwhile: ${fields.join(', ')}.` : ''
  return new AppError(
    'conflict',
    `This record has changed: you read version ${known}, it is ${now.version} now.${what} Read it again, then send your change with version ${now.version}.`,
    {
      errors: fields.map((field) => ({
        path: `${path}.${field}`,
        message: `Is now ${JSON.stringify((field === 'owner' ? now.owner_id : own(now.values, field)) ?? null)}`,
      })),
    },
  )
}
