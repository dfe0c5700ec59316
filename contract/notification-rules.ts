import * as z from 'zod'
import { limits } from './filter/limits.ts'
import { objectKey } from './objects.ts'
import { operation } from './operation.ts'
import { id, nameOf, nothing } from './shared/shapes.ts'

/** Active rules, webhooks and other subscriptions of one company. Each is compared with every change. */
export const mostSubscriptions = 100
export const recordActions = ['created', 'updated', 'deleted', 'restored'] as const
export const changeMakers = ['others', 'agents', 'anyone'] as const
/** The kinds of notifications that a rule can be about. */
export const ruleKinds = [
  'record_matched',
  'record_assigned',
  'mentioned',
  'task_due',
  'record_changed_by_agent',
] as const

/** A user's request to be notified about changes of records. */
export const NotificationRule = z
  .strictObject({
    id,
    name: z.string(),
    kind: z.enum(ruleKinds),
    object: z.string(),
    actions: z.array(z.enum(recordActions)),
    fields: z.array(z.string()),
    filter: z
      .string()
      .nullable()
      .describe('As text, with the keys of fields and options and the ids of users and records'),
    filter_error: z
      .string()
      .nullable()
      .describe('Why the filter no longer works. Until it is corrected, the rule does nothing'),
    fields_error: z
      .string()
      .nullable()
      .describe('Which of the fields no longer exists. Until it is removed, the rule is not complete'),
    only_new_matches: z.boolean(),
    made_by: z.enum(changeMakers),
    is_active: z.boolean(),
  })
  .meta({ id: 'NotificationRule' })

const name = nameOf('Enter a name')
const actions = z
  .array(z.enum(recordActions))
  .min(1, 'Choose at least one')
  .max(recordActions.length)
  .describe('What must happen to a record')
const fields = z
  .array(z.string().max(200))
  .max(50)
  .describe('Only updates that change one of these fields, and new records that have one of them; empty: any field')
const filter = z
  .string()
  .max(limits.characters)
  .nullable()
  .describe("Which records, as they are after the change. Days are those of the company's time zone")
const onlyNewMatches = z
  .boolean()
  .describe(
    'Only records that start to match: those that did not match before. The filter must not use related records',
  )
const madeBy = z
  .enum(changeMakers)
  .describe('others: changes by everyone but you. agents: changes by agents and programs, with your own keys too')

const ruleKind = z
  .enum(ruleKinds)
  .describe(
    'record_matched: notifies you of changes to matching records. Other kinds: you get notifications of that kind about records of this object only if they match the filter of one such rule',
  )

export const notificationRules = {
  listNotificationRules: operation({
    summary: 'List your notification rules',
    http: 'GET /me/notification-rules',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: z.strictObject({ items: z.array(NotificationRule) }).meta({ id: 'NotificationRuleList' }),
  }),
  createNotificationRule: operation({
    summary: 'Create a rule that notifies you when matching records change, or limits other notifications',
    http: 'POST /me/notification-rules',
    access: 'member',
    effect: 'add',
    input: z.strictObject({
      name,
      kind: ruleKind.default('record_matched'),
      object: objectKey,
      actions: actions.default(['created', 'updated']),
      fields: fields.default([]),
      filter: filter.default(null),
      only_new_matches: onlyNewMatches.default(false),
      made_by: madeBy.default('others'),
    }),
    output: NotificationRule,
  }),
  updateNotificationRule: operation({
    summary: 'Update a notification rule',
    http: 'PATCH /me/notification-rules/:id',
    access: 'member',
    effect: 'change',
    input: z.strictObject({
      id,
      name: name.optional(),
      actions: actions.optional(),
      fields: fields.optional(),
      filter: filter.optional(),
      only_new_matches: onlyNewMatches.optional(),
      made_by: madeBy.optional(),
      is_active: z.boolean().optional(),
    }),
    output: NotificationRule,
  }),
  deleteNotificationRule: operation({
    summary: 'Delete a notification rule',
    http: 'DELETE /me/notification-rules/:id',
    access: 'member',
    effect: 'destroy',
    input: z.strictObject({ id }),
    output: nothing,
  }),
}
