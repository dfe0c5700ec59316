// Adds the views of contract/built-in/views.ts that are newer than what a company has.
import { randomUUIDv7 } from 'node:crypto'
import { type BuiltInView, builtInViews, builtInViewsVersion } from '../../../contract/built-in/views.ts'
import { fold } from '../../../contract/filter/index.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/context.ts'
import { type Db, transaction } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { storeFilter } from '../read/stored-filter.ts'
import { readSchema, type Schema } from '../schema/schema.ts'
import { anAdmin } from './store-old-filters.ts'

export type DesiredViews = { version: number; views: BuiltInView[] }

const current: DesiredViews = { version: builtInViewsVersion, views: builtInViews }

/** Each company in its own transaction, so that an interrupted start continues next time. */
export async function addAllBuiltInViews(db: Db, log: Pick<Log, 'warn'>, now: Date, desired = current) {
  const outdated = db.selectFrom('companies').select('id').where('built_in_views_version', '<', desired.version)
  let added = 0
  for (const { id } of await outdated.orderBy('id').execute()) {
    try {
      if (await transaction(db, (tx) => addBuiltInViews(tx, id, now, desired))) added++
    } catch (error) {
      // A failure in one company must not affect the others.
      log.warn({ err: error, company_id: id }, 'the built-in views of a company could not be added; will retry')
    }
  }
  return added
}

/** Inside a transaction. They belong to an Admin. Returns whether there was anything to do. */
export async function addBuiltInViews(db: Db, company_id: string, now: Date, desired = current) {
  const { built_in_views_version: version } = await db
    .selectFrom('companies')
    .select('built_in_views_version')
    .where('id', '=', company_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (version >= desired.version) return false
  const owner = await anAdmin(db, company_id)
  if (!owner) return false
  const added = desired.views.filter(({ since }) => since > version)
  const rows = await newViews(db, now, owner, added)
  if (rows.length) await db.insertInto('views').values(rows).execute()
  await db
    .updateTable('companies')
    .set({ built_in_views_version: desired.version })
    .where('id', '=', company_id)
    .execute()
  return true
}

/** A view that the company lacks a field or an option for is left out, and so is one whose name is taken. */
async function newViews(db: Db, now: Date, owner: Actor, views: BuiltInView[]) {
  const { company_id, user_id: owner_id } = owner
  const schema = await readSchema(db, company_id)
  const known = await db
    .selectFrom('views')
    .select(['object_id', 'name', 'position', 'is_shared'])
    .where('company_id', '=', company_id)
    .execute()
  const rows = []
  for (const [i, { object: built_in_key, name, filter, sort, board }] of views.entries()) {
    const object = schema.builtIn.get(built_in_key)
    const named = [filter, ...sort].map((text) => withKeys(schema, text))
    const field = board === undefined ? undefined : withKeys(schema, board)
    if (!object || named.includes(undefined) || (board && !field)) continue
    const others = known.filter(({ object_id }) => object_id === object.id)
    if (others.some((one) => one.is_shared && fold(one.name) === fold(name))) continue
    const stored = filter
      ? await storeFilter({ actor: owner, db, now }, schema, object, named[0]!).catch(unlessRefused)
      : { text: null, field_ids: [] }
    if (!stored) continue
    rows.push({
      company_id,
      id: randomUUIDv7(),
      object_id: object.id,
      owner_id,
      name,
      is_shared: true,
      filter: stored.text,
      filter_field_ids: stored.field_ids,
      sort: JSON.stringify(named.slice(1)),
      columns: '[]',
      ...(field && { type: 'board', group_by: JSON.stringify({ field }) }),
      layout: 'comfortable',
      position: Math.max(-1, ...others.map(({ position }) => position)) + 1 + i,
      created_at: now,
    })
  }
  return rows
}

const unlessRefused = (error: unknown) => {
  if (error instanceof AppError) return undefined
  throw error
}

/** With the company's keys. Nothing: it no longer has one of the fields. */
export function withKeys(schema: Schema, text: string) {
  let isMissing = false
  const written = text.replace(/\{(\w+)(?:\.(\w+))?\}/g, (_, object: string, field: string | undefined) => {
    const found = schema.builtIn.get(object)
    const key = field === undefined ? found?.key : found?.builtIn.get(field)?.key
    if (key === undefined) isMissing = true
    return key ?? ''
  })
  return isMissing ? undefined : written
}
