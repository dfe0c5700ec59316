// Writing records: checked first, all of them, then written in one statement together with their history.
import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../contract/errors.ts'
import { AppError } from '../kernel/app-error.ts'
import { type Actor, actorOf, type Context, type Patch } from '../kernel/context.ts'
import { type Db, isUniqueViolation } from '../kernel/db.ts'
import { inserting, Params, rowsOf, run } from '../kernel/statement.ts'
import type { ObjectSchema, Schema } from '../objects/schema.ts'
import { derive } from './derive.ts'
import { resolveReferences } from './resolve-references.ts'
import { allows, isOwn, readable, refuse, rightsFor } from './rights.ts'
import { type Row, rowOf } from './row.ts'
import { type Shown, type Stored, shown, storedColumns } from './stored.ts'
import { readValues, type Values } from './values.ts'

export type Target = { context: Context; schema: Schema; object: ObjectSchema }
type Written = { records: Shown[]; change_set_id: string | null; dry_run: boolean }

export async function createRecords(target: Target, inputs: Values[], dry_run: boolean): Promise<Written> {
  const { context, schema, object } = target
  const actor = actorOf(context)
  if (!rightsFor(actor, object.key).create) throw refuse(actor, 'create', object)
  const defaults = defaultsOf(object)
  const drafts = await readAll(
    target,
    inputs.map((input) => ({ ...defaults, ...input })),
    (i) => `records.${i}`,
  )
  refuseFaults(drafts.flatMap((values, i) => missing(object, values, `records.${i}`)))
  // Within a millisecond ids are random; sorted, they keep the order in which the records were sent.
  const ids = drafts.map(() => randomUUIDv7()).sort()
  const made = drafts.map((values, i): Change => {
    const { owner = actor.user_id, ...entered } = values
    const own = derive(object, withoutNulls(entered), undefined, context.now)
    const stored = newRow(target, ids[i]!, own, owner as string | null)
    return { before: undefined, after: stored, row: rowOf(schema, object, own) }
  })
  return apply(target, made, dry_run)
}

export type Update = { id: string; version?: number | undefined; values: Values; path: string }

export async function updateRecords(target: Target, updates: Update[], dry_run: boolean): Promise<Written> {
  const { context, schema, object } = target
  const rows = await lock(
    target,
    updates.map((update) => update.id),
  )
  const drafts = await readAll(
    target,
    updates.map((update) => update.values),
    (i) => updates[i]!.path,
    (i) => rows.get(updates[i]!.id),
  )
  const seen = new Set<string>()
  for (const { id, path } of updates) {
    if (seen.has(id)) refuseFaults([{ path, message: 'This record is there twice. Put its changes into one' }])
    seen.add(id)
  }
  const changes: Change[] = []
  for (const [i, { id, version, path }] of updates.entries()) {
    const before = editable(target, rows.get(id), path)
    if (version !== undefined && version !== before.version) throw await outdated(target, before, version, path)
    const { owner, ...patch } = drafts[i]!
    const values = derive(object, withoutNulls({ ...before.values, ...patch }), before.values, context.now)
    refuseFaults(missing(object, values, path, new Set(Object.keys(patch))))
    const owner_id = owner === undefined ? before.owner_id : (owner as string | null)
    const after = { ...before, values, owner_id }
    changes.push({ before, after, row: rowOf(schema, object, values) })
  }
  return apply(target, changes, dry_run)
}

export async function moveRecords(
  target: Target,
  ids: string[],
  to: 'trash' | 'use',
  dry_run: boolean,
): Promise<Written> {
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
    return { before, after, row: to === 'trash' ? { ...row, uniques: [] } : row }
  })
  return apply(target, changes, dry_run)
}

async function readAll(
  target: Target,
  inputs: Values[],
  pathOf: (i: number) => string,
  beforeOf: (i: number) => Stored | undefined = () => undefined,
) {
  const drafts = readEach(target, inputs, pathOf)
  refuseFaults(await resolveReferences(target, drafts, pathOf, beforeOf))
  return drafts
}

/** Without looking up users and records. */
export function readEach({ schema, object }: Target, inputs: Values[], pathOf: (i: number) => string) {
  const read = inputs.map((input, i) => readValues(schema, object, input, pathOf(i)))
  refuseFaults(read.flatMap((one) => one.faults))
  return read.map((one) => one.values)
}

export function refuseFaults(faults: FieldError[]) {
  if (!faults.length) return
  const words = faults.slice(0, 20).map(({ path, message }) => `${path}: ${message}`)
  throw new AppError('invalid_input', `Correct this and send it again; nothing was written. ${words.join('; ')}`, {
    errors: faults.slice(0, 100),
  })
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
    .filter(({ key }) => values[key] === undefined || values[key] === null)
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
        message: `Is now ${JSON.stringify((field === 'owner' ? now.owner_id : now.values[field]) ?? null)}`,
      })),
    },
  )
}

export type Change = { before: Stored | undefined; after: Stored; row: Row }

/** Notes what changes and hands over the statements that make it so. */
export async function apply(target: Target, changes: Change[], dry_run: boolean): Promise<Written> {
  const { context, schema, object } = target
  const real: Change[] = []
  const records = changes.map((change) => {
    const { before, after, row } = change
    const fields = differing(before, after)
    const action = actionOf(change)
    if (before && action === 'updated' && !Object.keys(fields).length) return shown(object, before)
    after.version = (before?.version ?? 0) + 1
    after.updated_at = context.now.toISOString()
    after.title = row.title
    real.push(change)
    if (!dry_run) note(target, after, action, fields)
    return shown(object, after)
  })
  await refuseTaken(target, real, dry_run)
  const isEmpty = dry_run || !real.length
  if (!isEmpty) put(target, real, schema)
  return { records, change_set_id: isEmpty ? null : context.change_set_id, dry_run }
}

function actionOf({ before, after }: Change) {
  if (!before) return 'created' as const
  if (!before.deleted_at === !after.deleted_at) return 'updated' as const
  return after.deleted_at ? ('deleted' as const) : ('restored' as const)
}

function differing(before: Stored | undefined, after: Stored): Patch {
  const patch: Patch = {}
  for (const key of new Set([...Object.keys(before?.values ?? {}), ...Object.keys(after.values)])) {
    const [from, to] = [before?.values[key] ?? null, after.values[key] ?? null]
    if (!isDeepStrictEqual(from, to)) patch[key] = { from, to }
  }
  if ((before?.owner_id ?? null) !== after.owner_id)
    patch.owner = { from: before?.owner_id ?? null, to: after.owner_id }
  return patch
}

function note(
  { context, object }: Target,
  { id, version }: Stored,
  action: ReturnType<typeof actionOf>,
  fields: Patch,
) {
  context.changed({ object: object.key, record_id: id, action, fields, version })
  const about = { object: object.key, record_id: id }
  if (action === 'deleted' || action === 'restored') return context.emit(`record.${action}`, about)
  context.emit(`record.${action}`, {
    ...about,
    patch: Object.fromEntries(Object.entries(fields).map(([key, { to }]) => [key, to])),
  })
}

type Unique = { field_id: string; key: string; record_id: string }

/** Two records of this call, or one of it and one that is there, want the same unique value. */
async function refuseTaken({ context, object }: Target, changes: Change[], dry_run: boolean) {
  const wanted = changes.flatMap(({ after, row }) =>
    row.uniques.map((one): Unique => ({ ...one, record_id: after.id })),
  )
  const holders = new Map<string, string>()
  for (const { field_id, key, record_id } of wanted) {
    const held = holders.get(`${field_id} ${key}`)
    if (held && held !== record_id) throw taken(object, field_id, key, 'twice in this call')
    holders.set(`${field_id} ${key}`, record_id)
  }
  if (!wanted.length) return
  const changed = changes.map(({ after }) => after.id)
  const clashing = dry_run && (await clash(context.db, object, actorOf(context), wanted, changed))
  if (clashing) throw clashing
  context.explain(async (error, db) => {
    if (!isUniqueViolation(error, 'unique_values_pkey')) return undefined
    return (
      (await clash(db, object, actorOf(context), wanted, changed)) ??
      new AppError('conflict', 'Another record has this value already.')
    )
  })
}

/** Those that change in this call give up what another of them wants, or it was refused before. */
async function clash(db: Db, object: ObjectSchema, actor: Actor, wanted: Unique[], changed: string[]) {
  const params = new Params()
  const rows = await run<Unique & { title: string; is_readable: boolean | null }>(
    db,
    `select u.field_id, u.key, u.record_id, r.title, ${readable(actor, object, 'r', params) || 'true'} as is_readable from unique_values u join records r on r.company_id = u.company_id and r.id = u.record_id
      where u.company_id = ${params.add(actor.company_id, 'uuid')} and u.record_id <> all(${params.add(changed, 'uuid[]')}) and (u.field_id, u.key) in
      (select field_id, key from jsonb_to_recordset(${params.add(JSON.stringify(wanted), 'jsonb')}) as x(field_id uuid, key text))`,
    params,
  )
  const other = rows.find((row) =>
    wanted.some((one) => one.key === row.key && one.field_id === row.field_id && one.record_id !== row.record_id),
  )
  const holder = other?.is_readable ? `with ${other.title} (${other.record_id})` : 'with one that you may not see'
  return other && taken(object, other.field_id, other.key, holder)
}

function taken(object: ObjectSchema, field_id: string, key: string, where: string) {
  const field = object.fields.find((one) => one.id === field_id)?.key ?? 'value'
  return new AppError(
    'conflict',
    `The ${field} ${key} is taken: ${where}. Change that record, or use upsert_records.`,
    {
      errors: [{ path: field, message: `${key} is taken` }],
    },
  )
}

function put({ context, object }: Target, changes: Change[], schema: Schema) {
  const { company_id } = actorOf(context)
  const rows = changes.map(({ after, row }) => ({
    ...after,
    company_id,
    match: row.match,
    search: row.search,
    title: row.title,
    ...row.slots,
  }))
  if (!changes[0]!.before) return putNew(context, rows, changes)
  context.write(
    (params) => `update records r set ${columns.map((name) => `${name} = x.${name}`).join(', ')}
      from ${rowsOf('records', rows)(params)} x where r.company_id = x.company_id and r.id = x.id`,
  )
  const was = (change: Change) =>
    change.before && !change.before.deleted_at ? rowOf(schema, object, change.before.values) : undefined
  const uniques = changes.map((change) => ({
    id: change.after.id,
    from: was(change)?.uniques ?? [],
    to: change.row.uniques,
  }))
  const links = changes.map((change) => ({
    id: change.after.id,
    from: change.before ? rowOf(schema, object, change.before.values).links : [],
    to: change.row.links,
  }))
  const exchanged = uniques.map(({ id, from, to }) =>
    diff(from, to, ({ field_id, key }) => ({ company_id, record_id: id, field_id, key })),
  )
  exchange(context, 'unique_values', handOver(context, exchanged))
  exchange(
    context,
    'links',
    links.map(({ id, from, to }) =>
      diff(from, to, (one) => ({
        company_id,
        from_id: id,
        field_id: one.field_id,
        to_id: one.to_id,
        position: one.position,
      })),
    ),
  )
}

function putNew(context: Context, rows: object[], changes: Change[]) {
  const { company_id } = actorOf(context)
  const each = <T extends object>(of: (row: Row) => T[], id: 'record_id' | 'from_id') =>
    changes.flatMap(({ after, row }) => of(row).map((one) => ({ company_id, [id]: after.id, ...one })))
  context.insert('records', rows)
  context.insert(
    'unique_values',
    each((row) => row.uniques, 'record_id'),
  )
  context.insert(
    'links',
    each((row) => row.links, 'from_id'),
  )
}

export const slotNames = [
  ...Array.from({ length: 12 }, (_, i) => `n${i + 1}`),
  ...Array.from({ length: 20 }, (_, i) => `s${i + 1}`),
]
const columns = ['values', 'match', 'search', 'title', 'owner_id', 'updated_at', 'deleted_at', 'version', ...slotNames]

function diff<T extends { field_id: string; key?: string; to_id?: string; position?: number }, R>(
  from: T[],
  to: T[],
  rowFor: (one: T) => R,
) {
  const same = (a: T, b: T) => a.field_id === b.field_id && a.key === b.key && a.to_id === b.to_id
  const isThere = (one: T) => from.some((other) => same(one, other) && one.position === other.position)
  return {
    gone: from.filter((one) => !to.some((other) => same(one, other))).map(rowFor),
    added: to.filter((one) => !isThere(one)).map(rowFor),
  }
}

type UniqueRow = Unique & { company_id: string }

/** What only changes hands is updated: within one statement a row cannot be taken out and put in again. */
function handOver(context: Context, diffs: { gone: UniqueRow[]; added: UniqueRow[] }[]) {
  const [gone, added] = [diffs.flatMap((one) => one.gone), diffs.flatMap((one) => one.added)]
  const isIn = (list: UniqueRow[]) => {
    const keys = new Set(list.map(({ field_id, key }) => `${field_id} ${key}`))
    return ({ field_id, key }: UniqueRow) => keys.has(`${field_id} ${key}`)
  }
  const moved = added.filter(isIn(gone))
  if (!moved.length) return diffs
  context.write(
    (params) => `update unique_values t set record_id = x.record_id from ${rowsOf('unique_values', moved)(params)} x
    where t.company_id = x.company_id and t.field_id = x.field_id and t.key = x.key`,
  )
  const isMoved = isIn(moved)
  return [{ gone: gone.filter((one) => !isMoved(one)), added: added.filter((one) => !isMoved(one)) }]
}

/** Only what differs. */
function exchange(context: Context, table: 'unique_values' | 'links', diffs: { gone: object[]; added: object[] }[]) {
  const [gone, added] = [diffs.flatMap((one) => one.gone), diffs.flatMap((one) => one.added)]
  const own = table === 'links' ? 't.from_id = x.from_id and t.to_id = x.to_id' : 't.key = x.key'
  const moved =
    table === 'links'
      ? 'on conflict (company_id, from_id, field_id, to_id) do update set position = excluded.position'
      : ''
  if (gone.length)
    context.write(
      (params) => `delete from ${table} t using ${rowsOf(table, gone)(params)} x
        where t.company_id = x.company_id and t.field_id = x.field_id and ${own}`,
    )
  if (added.length) context.write((params) => `${inserting(table, added)(params)} ${moved}`)
}
