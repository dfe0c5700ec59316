// The records that a notification is about, as far as its reader may see them now and their rules want to know of them.
import { sql } from 'kysely'
import type { ruleKinds } from '../../contract/notification-rules.ts'
import { conditionsOf } from '../engine/read/conditions.ts'
import { errorsOfStored } from '../engine/read/stored-filter.ts'
import { rightsFor } from '../engine/rights/rights.ts'
import type { ObjectSchema, Schema } from '../engine/schema/schema.ts'
import type { Actor, Reader } from '../kernel/context.ts'
import { Params, run, type Statement } from '../kernel/statement.ts'
import type { Db } from '../platform/db.ts'

export type Reading = { reader: Actor; db: Db; schema: Schema; now: Date; deleted?: boolean }
type Kind = Exclude<(typeof ruleKinds)[number], 'record_matched'>
export type Found = { count: number; id: string; title: string }

/** As a context that can only read. */
export const contextOf = ({ reader, db, now }: Reading): Reader => ({ actor: reader, db, now })

/** How many records among those that `where` finds, and the first one. `r` is the table of records in it. */
export async function wantedRecords(reading: Reading, kind: Kind, object: ObjectSchema, where: Statement) {
  const filters = await filtersOf(reading, kind, object)
  return findReadable(reading, object, filters, where)
}

/** Records that match one of the filters; without any, all of them. */
export async function findReadable(reading: Reading, object: ObjectSchema, filters: string[], where: Statement) {
  const { reader, db, schema, now, deleted = false } = reading
  if (object.archived_at || rightsFor(reader, object.key).read === 'none') return undefined
  const asked = (filter: string | undefined) =>
    conditionsOf(contextOf(reading), schema, object, { filter, deleted, at: now })
  const all = await Promise.all(filters.length ? filters.map(asked) : [asked(undefined)])
  const params = new Params()
  const matching = all.map((conditions) => `(${conditions(params).join(' and ')})`).join(' or ')
  const company = params.add(reader.company_id, 'uuid')
  const [found] = await run<Found>(
    db,
    `select count(*) over ()::int as count, r.id, r.title from records r
      where r.company_id = ${company} and ${where(params)} and (${matching}) order by r.id limit 1`,
    params,
  )
  return found
}

/** The filters of the reader's rules about this kind of notification. One that no longer works is left out. */
async function filtersOf(reading: Reading, kind: Kind, object: ObjectSchema) {
  const { reader, db, schema } = reading
  const { rows } = await sql<{ filter: string }>`
    select filter from subscriptions where company_id = ${reader.company_id} and owner_id = ${reader.user_id}
      and notification_kind = ${kind} and object_id = ${object.id} and is_active and filter is not null
    order by id`.execute(db)
  const stored = rows.map(({ filter }) => ({ object, filter }))
  const errors = await errorsOfStored(contextOf(reading), schema, stored)
  return rows.filter((_, i) => !errors[i]).map(({ filter }) => filter)
}
