// Checks and saves subscriptions. They are part of the cached schema, so that a write compares them without reading them.

import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { hasFaults } from '../../../contract/filter/index.ts'
import { mostSubscriptions } from '../../../contract/notification-rules.ts'
import { refused } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'
import { refuseMore } from '../../kernel/limits.ts'
import type { Db } from '../../platform/db.ts'
import { storeFilter } from '../read/stored-filter.ts'
import { seenBy } from '../rights/rights.ts'
import { readFilterIn, wholeScopeOf } from '../rights/scope.ts'
import { holdSchema, type ObjectSchema, type Schema } from '../schema/schema.ts'
import type { Subscription } from '../schema/subscription.ts'
import { systemByKey } from '../schema/system-fields.ts'
import { unknownField } from '../schema/unknown-field.ts'
import { needsDatabase } from './filters.ts'

type SubscriptionInput = Partial<Pick<Subscription, 'filter' | 'fields' | 'filter_on'>> & { only_new_matches: boolean }

/** The filter as it is to be stored. Errors in it and in the fields are reported. */
export async function checkSubscription(
  context: Context,
  schema: Schema,
  object: ObjectSchema,
  given: SubscriptionInput,
) {
  const missing = missingField(context, object, given.fields ?? [])
  if (missing) throw refused(`fields.${missing.index}`, missing.message)
  const { filter } = given
  const stored = filter ? await storeFilter(context, schema, object, filter) : { text: null, field_ids: null }
  if (given.only_new_matches) refuseWithoutOwnFilter(schema, object, stored.text, 'only_new_matches')
  if (given.filter_on === 'before' && stored.text) refuseWithoutOwnFilter(schema, object, stored.text, 'filter_on')
  return { filter: stored.text, filter_field_ids: stored.field_ids }
}

/** The first of these fields that does not exist, or not for this user. */
export function missingField(context: Context, object: ObjectSchema, fields: string[]) {
  const seen = seenBy(actorOf(context), object)
  const index = fields.findIndex((key) => !seen.byKey.has(key) && !systemByKey.has(key))
  return index < 0 ? undefined : { index, message: unknownField(seen, fields[index]!) }
}

/** Only the record itself is known as it was before the change. */
function refuseWithoutOwnFilter(
  schema: Schema,
  object: ObjectSchema,
  filter: string | null,
  path: keyof SubscriptionInput,
) {
  if (!filter) throw refused(path, 'Add a filter, or leave only_new_matches out')
  const read = readFilterIn(wholeScopeOf(schema), object.key, filter)
  if (hasFaults(read) || !needsDatabase(read.checked)) return
  throw refused(path, 'The filter must use only fields of the record itself, without related records and search')
}

type OfWebhooks = 'event_types' | 'filter_on' | 'skip_bulk'
type NewSubscription = Omit<Subscription, 'id' | OfWebhooks> &
  Partial<Pick<Subscription, OfWebhooks>> & { filter_field_ids: string[] | null }

export async function addSubscription(context: Context, values: NewSubscription) {
  const { company_id } = actorOf(context)
  await lockAndRenew(context)
  await refuseTooMany(context)
  const row = { ...values, company_id, id: randomUUIDv7(), created_at: context.now }
  await context.db.insertInto('subscriptions').values(row).execute()
  return row.id
}

export async function updateSubscription(
  context: Context,
  id: string,
  { is_active, ...values }: Partial<NewSubscription> & { is_active?: boolean | undefined },
) {
  const { company_id } = actorOf(context)
  await lockAndRenew(context)
  if (is_active) await refuseTooMany(context, id)
  const set = Object.fromEntries(Object.entries({ ...values, is_active }).filter(([, value]) => value !== undefined))
  if (!Object.keys(set).length) return
  await context.db
    .updateTable('subscriptions')
    .set(set)
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute()
}

/** What is already queued for it is dropped by the worker. */
export async function deleteSubscription(context: Context, id: string) {
  const { company_id } = actorOf(context)
  await lockAndRenew(context)
  await context.db.deleteFrom('subscriptions').where('company_id', '=', company_id).where('id', '=', id).execute()
}

/**
 * For a user who leaves. Webhooks pass to a successor who may manage them. Everything else pauses; someone who comes back
 * can turn it on again.
 */
export async function passOnSubscriptionsOf(
  context: Context,
  owner_id: string,
  successor: Pick<Actor, 'user_id'> | undefined,
) {
  const { company_id } = actorOf(context)
  const own = context.db
    .updateTable('subscriptions')
    .where('company_id', '=', company_id)
    .where('owner_id', '=', owner_id)
  const passed =
    successor && (await own.where('kind', '=', 'webhook').set({ owner_id: successor.user_id }).executeTakeFirst())
  const paused = await own.where('is_active', '=', true).set({ is_active: false }).executeTakeFirst()
  if (passed?.numUpdatedRows || paused.numUpdatedRows) await lockAndRenew(context)
}

/** Changes that are being written with the old subscriptions start again. */
const lockAndRenew = (context: Context) => renewSubscriptions(context.db, actorOf(context).company_id)

/** Also after other changes to what is part of the cached schema. */
export async function renewSubscriptions(db: Db, company_id: string) {
  await holdSchema(db, company_id)
  await sql`update companies set schema_version = schema_version + 1 where id = ${company_id}`.execute(db)
}

async function refuseTooMany(context: Context, except = '') {
  const active = await context.db
    .selectFrom('subscriptions')
    .select('id')
    .where('company_id', '=', actorOf(context).company_id)
    .where('is_active', '=', true)
    .execute()
  const others = active.filter(({ id }) => id !== except)
  refuseMore(others.length, mostSubscriptions, 'active rules', 'Pause or delete one')
}
