import { sql } from 'kysely'
import type { notificationRules } from '../../contract/notification-rules.ts'
import type { Output } from '../../contract/operation.ts'
import { errorsOfStored } from '../engine/read/stored-filter.ts'
import { findObject, refuse, rightsFor } from '../engine/rights/rights.ts'
import { type ObjectSchema, type Schema, schemaOf } from '../engine/schema/schema.ts'
import type { Subscription } from '../engine/schema/subscription.ts'
import {
  addSubscription,
  checkSubscription,
  deleteSubscription,
  missingField,
  updateSubscription,
} from '../engine/subscriptions/save.ts'
import { AppError, referenced, refused } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import type { Handlers } from '../kernel/run.ts'
import { defined } from '../platform/defined.ts'

type Rule = Output<typeof notificationRules.createNotificationRule>
type Row = Subscription & { is_active: boolean }

export const notificationRuleOperations: Handlers<typeof notificationRules> = {
  async listNotificationRules(context) {
    const schema = await schemaOf(context.db, actorOf(context))
    return { items: await shown(context, schema, await ownRules(context)) }
  },

  async createNotificationRule(context, { object: key, kind: notification_kind, ...given }) {
    const schema = await schemaOf(context.db, actorOf(context))
    const object = await referenced('object', () => readableObject(context, schema, key))
    refuseUseless(object, notification_kind, given)
    const values = { ...given, notification_kind, ...(await checkSubscription(context, schema, object, given)) }
    const about = { kind: 'notification' as const, owner_id: actorOf(context).user_id, object_id: object.id }
    return getRule(context, schema, await addSubscription(context, { ...values, ...about }))
  },

  async updateNotificationRule(context, { id, ...given }) {
    const schema = await schemaOf(context.db, actorOf(context))
    const before = await getRule(context, schema, id)
    const object = readableObject(context, schema, before.object)
    refuseUseless(object, before.kind, { ...before, ...defined(given) })
    const isAboutFilter = given.filter !== undefined || given.only_new_matches
    const checked = await checkSubscription(context, schema, object, {
      fields: given.fields ?? [],
      filter: !isAboutFilter ? null : given.filter === undefined ? before.filter : given.filter,
      only_new_matches: isAboutFilter ? (given.only_new_matches ?? before.only_new_matches) : false,
    })
    await updateSubscription(context, id, { ...given, ...(isAboutFilter && checked) } as Partial<Row>)
    return getRule(context, schema, id)
  },

  async deleteNotificationRule(context, { id }) {
    await getRule(context, await schemaOf(context.db, actorOf(context)), id)
    await deleteSubscription(context, id)
    return {}
  },
}

async function ownRules(context: Context, id?: string) {
  const { company_id, user_id } = actorOf(context)
  const { rows } = await sql<Row>`
    select id, name, notification_kind, object_id, actions, fields, filter, only_new_matches, made_by, is_active from subscriptions
    where company_id = ${company_id} and kind = 'notification' and owner_id = ${user_id}
      and (${id ?? null}::uuid is null or id = ${id ?? null}::uuid)
    order by id`.execute(context.db)
  return rows
}

async function getRule(context: Context, schema: Schema, id: string) {
  const [rule] = await shown(context, schema, await ownRules(context, id))
  if (!rule) throw new AppError('not_found', 'Notification rule not found. List your rules to get their IDs.')
  return rule
}

async function shown(context: Context, schema: Schema, rows: Row[]): Promise<Rule[]> {
  const objects = rows.map(({ object_id }) => schema.byId.get(object_id!)!)
  const kept = rows.map(({ filter }, i) => ({ object: objects[i]!, filter: filter ?? '' }))
  const errors = await errorsOfStored(context, schema, kept)
  return rows.map(({ object_id, notification_kind: kind, ...row }, i) => {
    const fields_error = missingField(context, objects[i]!, row.fields)?.message ?? null
    return { ...row, kind, object: objects[i]!.key, filter_error: errors[i]!, fields_error }
  })
}

/** A rule that limits notifications needs a filter, and has no use for what only changes have. */
function refuseUseless(
  object: ObjectSchema,
  kind: Rule['kind'],
  { filter, fields, only_new_matches }: Pick<Rule, 'filter' | 'fields' | 'only_new_matches'>,
) {
  if (kind === 'record_matched') return
  if (kind === 'task_due' && object.built_in_key !== 'tasks')
    throw refused('object', 'Only tasks have due dates. Use the object tasks')
  if (!filter) throw refused('filter', 'Add a filter: it decides which of these notifications you get')
  if (fields.length) throw refused('fields', 'Only rules about changes (record_matched) can name fields')
  if (only_new_matches) throw refused('only_new_matches', 'Only rules about changes (record_matched) can use this')
}

function readableObject(context: Context, schema: Schema, key: string) {
  const object = findObject(schema, actorOf(context), key)
  if (rightsFor(actorOf(context), key).read === 'none') throw refuse(actorOf(context), 'read', object)
  return object
}
