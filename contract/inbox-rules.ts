import * as z from 'zod'
import { limits } from './filter/limits.ts'
import { operation } from './operation.ts'
import { id, moment, nameOf, nothing } from './shared/shapes.ts'

export const mostInboxRules = 100
export const mostRuleActions = 10
/** How long it is known what rules did. */
export const ruleRunDays = 30
export const ruleStarts = ['conversation_created', 'message_received'] as const
export type RuleStart = (typeof ruleStarts)[number]
export const ruleTimes = ['always', 'working_hours', 'outside_hours'] as const
export type RuleTime = (typeof ruleTimes)[number]

const users = z.array(id).min(1, 'Choose at least one user').max(50)

export const RuleAction = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('assign'), user_ids: users.describe('Several: in turn, without who is away') }),
    z.strictObject({ kind: z.literal('label'), label_ids: z.array(id).min(1, 'Choose at least one label').max(20) }),
    z.strictObject({ kind: z.literal('reply'), template_id: id.describe('A shared template') }),
    z.strictObject({
      kind: z.literal('task'),
      title: nameOf('Enter a title'),
      due_in_hours: z.int().min(0).max(8760).default(24),
      user_id: id.nullable().default(null).describe('null: the assignee of the conversation'),
    }),
    z.strictObject({ kind: z.literal('notify'), user_ids: users }),
    z.strictObject({ kind: z.literal('close') }),
  ])
  .meta({ id: 'InboxRuleAction' })
export type RuleAction = z.output<typeof RuleAction>
export type RuleActionKind = RuleAction['kind']

const settings = {
  name: nameOf('Enter a name'),
  is_on: z.boolean(),
  on: z
    .enum(ruleStarts)
    .describe('conversation_created: someone begins a conversation. message_received: any message of an outsider'),
  filter: z
    .string()
    .max(limits.characters)
    .nullable()
    .describe('On conversations, as for views of the inbox; search() looks at the message that arrived. null: all'),
  channel_ids: z.array(id).max(100).describe('Empty: all channels of the team'),
  during: z.enum(ruleTimes).describe('In which hours of the channel'),
  actions: z.array(RuleAction).min(1, 'Add at least one action').max(mostRuleActions).describe('In this order'),
  stop_here: z.boolean().describe('Later rules do nothing about this message'),
}

const InboxRule = z
  .strictObject({
    id,
    ...settings,
    problem: z.string().nullable().describe('Why it does nothing, or not everything'),
    run_count: z.int().describe(`In the last ${ruleRunDays} days`),
    last_run_at: moment.nullable(),
    last_problem: z.string().nullable().describe('What the last run could not do'),
  })
  .meta({ id: 'InboxRule' })

const given = {
  is_on: settings.is_on.default(true),
  filter: settings.filter.default(null),
  channel_ids: settings.channel_ids.default([]),
  during: settings.during.default('always'),
  stop_here: settings.stop_here.default(false),
}

const list = z.strictObject({ items: z.array(InboxRule) }).meta({ id: 'InboxRuleList' })
const one = { id: id.describe('Rule ID') }

const Step = z.strictObject({
  rule_id: id,
  name: z.string(),
  matches: z.boolean(),
  reason: z.string().nullable().describe('Why it does not match'),
  would: z.array(z.string()).describe('What it would do'),
  skipped: z.array(z.string()).describe('Why it would leave something out'),
  problems: z.array(z.string()).describe('What it could not do'),
})

export const inboxRules = {
  listInboxRules: operation({
    summary: 'List the rules of the inbox in their order',
    http: 'GET /inbox-rules',
    access: 'channels.manage',
    effect: 'read',
    input: nothing,
    output: list,
  }),
  createInboxRule: operation({
    summary: 'Create a rule of the inbox. API keys cannot save rules that reply',
    http: 'POST /inbox-rules',
    access: 'channels.manage',
    effect: 'add',
    input: z.strictObject({ ...settings, ...given }),
    output: InboxRule,
  }),
  updateInboxRule: operation({
    summary: 'Update a rule of the inbox. API keys cannot change rules that reply',
    http: 'PATCH /inbox-rules/:id',
    access: 'channels.manage',
    effect: 'change',
    input: z.strictObject({ ...one, ...z.strictObject(settings).partial().shape }),
    output: InboxRule,
  }),
  deleteInboxRule: operation({
    summary: 'Delete a rule of the inbox',
    http: 'DELETE /inbox-rules/:id',
    access: 'channels.manage',
    effect: 'destroy',
    input: z.strictObject(one),
    output: nothing,
  }),
  reorderInboxRules: operation({
    summary: 'Change the order in which the rules of the inbox are applied',
    http: 'PUT /inbox-rules/order',
    access: 'channels.manage',
    effect: 'change',
    input: z.strictObject({ ids: z.array(id).min(1).max(mostInboxRules).describe('All rules, in their new order') }),
    output: list,
  }),
  tryInboxRules: operation({
    summary: 'See what the rules would do with the last message of a conversation. Changes nothing',
    http: 'POST /inbox-rules/trial',
    access: 'channels.manage',
    effect: 'read',
    status: 200,
    input: z.strictObject({
      conversation_id: id,
      on: z.enum(ruleStarts).default('conversation_created').describe('As if this had just happened'),
    }),
    output: z.strictObject({ steps: z.array(Step) }).meta({ id: 'InboxRuleTrial' }),
  }),
}
