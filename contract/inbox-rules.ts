import * as z from 'zod'
import { limits } from './filter/limits.ts'
import { operation } from './operation.ts'
import { id, moment, nameOf, nothing } from './shared/shapes.ts'

export const mostInboxRules = 100
export const mostRuleActions = 10
/** How long rule runs are kept. */
export const ruleRunDays = 30
export const ruleStarts = ['conversation_created', 'message_received'] as const
export type RuleStart = (typeof ruleStarts)[number]
export const ruleTimes = ['always', 'working_hours', 'outside_hours'] as const
export type RuleTime = (typeof ruleTimes)[number]

const users = z.array(id).min(1, 'Choose at least one user').max(50)

export const RuleAction = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('assign'),
      user_ids: users.describe('Several users: round robin, skipping users who are away'),
    }),
    z.strictObject({ kind: z.literal('label'), label_ids: z.array(id).min(1, 'Choose at least one label').max(20) }),
    z.strictObject({ kind: z.literal('reply'), template_id: id.describe('ID of a shared template') }),
    z.strictObject({
      kind: z.literal('task'),
      title: nameOf('Enter a title'),
      due_in_hours: z.int().min(0).max(8760).default(24),
      user_id: id.nullable().default(null).describe("null: the conversation's assignee"),
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
    .describe('conversation_created: a customer starts a conversation. message_received: any message from a customer'),
  filter: z
    .string()
    .max(limits.characters)
    .nullable()
    .describe('Conversation filter, as in inbox views; search() matches the new message. null: all'),
  channel_ids: z.array(id).max(100).describe('Empty: all team channels'),
  during: z.enum(ruleTimes).describe("When the rule applies, based on the channel's working hours"),
  actions: z
    .array(RuleAction)
    .min(1, 'Add at least one action')
    .max(mostRuleActions)
    .describe('Actions in the order they run'),
  stop_here: z.boolean().describe('Skip later rules for this message'),
}

const InboxRule = z
  .strictObject({
    id,
    ...settings,
    problem: z.string().nullable().describe('Why the rule or part of it does not work'),
    run_count: z.int().describe(`Runs in the last ${ruleRunDays} days`),
    last_run_at: moment.nullable(),
    last_problem: z.string().nullable().describe('Why the last run failed in full or in part'),
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
  reason: z.string().nullable().describe('Why the rule does not match'),
  would: z.array(z.string()).describe('Actions the rule would take'),
  replies: z.array(z.string()).describe('Texts of the automatic replies it would send'),
  skipped: z.array(z.string()).describe('Actions it would skip, and why'),
  problems: z.array(z.string()).describe('Actions that would fail, and why'),
})

export const inboxRules = {
  listInboxRules: operation({
    summary: 'List inbox rules in order',
    http: 'GET /inbox-rules',
    access: 'channels.manage',
    effect: 'read',
    input: nothing,
    output: list,
  }),
  createInboxRule: operation({
    summary: 'Create an inbox rule. API keys cannot create rules that reply',
    http: 'POST /inbox-rules',
    access: 'channels.manage',
    effect: 'add',
    input: z.strictObject({ ...settings, ...given }),
    output: InboxRule,
  }),
  updateInboxRule: operation({
    summary: 'Update an inbox rule. API keys cannot update rules that reply',
    http: 'PATCH /inbox-rules/:id',
    access: 'channels.manage',
    effect: 'change',
    input: z.strictObject({ ...one, ...z.strictObject(settings).partial().shape }),
    output: InboxRule,
  }),
  deleteInboxRule: operation({
    summary: 'Delete an inbox rule',
    http: 'DELETE /inbox-rules/:id',
    access: 'channels.manage',
    effect: 'destroy',
    input: z.strictObject(one),
    output: nothing,
  }),
  reorderInboxRules: operation({
    summary: 'Reorder inbox rules',
    http: 'PUT /inbox-rules/order',
    access: 'channels.manage',
    effect: 'change',
    input: z.strictObject({
      ids: z.array(id).min(1).max(mostInboxRules).describe('IDs of all rules in their new order'),
    }),
    output: list,
  }),
  previewInboxRules: operation({
    summary: "Dry-run the inbox rules on a conversation's last message",
    http: 'POST /inbox-rules/preview',
    replaces: [{ name: 'tryInboxRules', http: 'POST /inbox-rules/trial' }],
    access: 'channels.manage',
    effect: 'read',
    status: 200,
    input: z.strictObject({
      conversation_id: id,
      on: z.enum(ruleStarts).default('conversation_created').describe('The event to simulate'),
    }),
    output: z.strictObject({ steps: z.array(Step) }).meta({ id: 'InboxRuleTrial' }),
  }),
}
