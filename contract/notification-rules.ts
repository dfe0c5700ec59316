import * as z from 'zod'
import { limits } from './filter/limits.ts'
import { objectKey } from './objects.ts'
import { operation } from './operation.ts'
import { id, nameOf, nothing } from './shared/shapes.ts'

/** Maximum number of active rules, webhooks and other subscriptions of a company. Each is checked for every change. */
export const mostSubscriptions = 100
export const recordActions = ['created', 'updated', 'deleted', 'restored'] as const
export const changeMakers = ['others', 'agents', 'anyone'] as const
/** The kinds of notifications that a rule can control. */
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
    filter: z.string().nullable().describe('As text, with field and option keys and the IDs of users and records'),
    filter_error: z
      .string()
      .nullable()
      .describe('Why the filter no longer works. The rule does nothing until it is fixed'),
    fields_error: z.string().nullable().describe('A field that no longer exists. Remove it from the rule'),
    only_new_matches: z.boolean(),
    made_by: z.enum(changeMakers),
    is_active: z.boolean(),
  })
  .meta({ id: 'NotificationRule' })

const name = nameOf('Enter a name')
const actions = z
  .array(z.enum(recordActions))
  .min(1, 'Choose at least one action')
  .max(recordActions.length)
  .describe('Changes that trigger the rule')
const fields = z
  .array(z.string().max(200))
  .max(50)
  .describe(
    'Only updates that change one of these fields, and new records with a value in one of them; empty: any field',
  )
const filter = z
  .string()
  .max(limits.characters)
  .nullable()
  .describe("Records to match, after the change. Dates are in the company's time zone")
const onlyNewMatches = z
  .boolean()
  .describe('Only records that did not match before the change. The filter must not use related records')
const madeBy = z
  .enum(changeMakers)
  .describe('others: changes by everyone except you. agents: changes made with API keys, including your own')

const ruleKind = z
  .enum(ruleKinds)
  .describe(
    'record_matched: notifies you of changes to matching records. Other kinds: limits notifications of that kind, for this object, to records that match a rule',
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
    summary: 'Create a notification rule',
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
