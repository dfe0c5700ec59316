import * as z from 'zod'
import { unconverted, Values } from './aggregates.ts'
import { ChangeSet } from './changes.ts'
import { operation } from './operation.ts'
import { RecordAnswer } from './shared/record-shapes.ts'
import { fullPage, id, moment, nameOf, nothing, pageOf } from './shared/shapes.ts'
import { Widget, widgetRange } from './shared/widget.ts'

export const mostDashboards = 100
export const mostWidgets = 40
/** The dashboard that everyone has. It cannot be changed. */
export const defaultDashboard = 'default'

const owner = z.union([z.literal('me'), id])

const widgets = z
  .array(Widget)
  .max(mostWidgets, `Use at most ${mostWidgets} widgets`)
  .refine((all) => new Set(all.map((widget) => widget.id)).size === all.length, 'Give each widget its own ID')

const sharing = z
  .enum(['private', 'view', 'edit'])
  .describe('What other users can do. Only the owner and Admins can delete the dashboard or change its sharing')

export const Dashboard = z
  .strictObject({
    id: z.string().describe(`UUID, or "${defaultDashboard}"`),
    name: z.string(),
    owner_id: id.nullable().describe('null: the default dashboard'),
    is_mine: z.boolean(),
    sharing,
    may_edit: z.boolean(),
    range: z.string().nullable().describe('Applies to widgets without their own range'),
    owner: z.string().nullable().describe('Only records owned by this user; me: by the current user'),
    widgets: z.array(Widget).describe('Excludes widgets with data you cannot access'),
    version: z.int(),
    updated_at: moment.nullable(),
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.output<typeof Dashboard>

/** A number and the records behind it. */
export const Figure = z
  .strictObject({
    key: z.string().nullable().describe('Identifies the figure; for groups, the first of keys'),
    keys: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).meta({ forAgents: 'unless empty' }),
    labels: z.array(z.string().nullable()).describe('Display names of the keys').meta({ forAgents: 'unless empty' }),
    is_other: z.boolean().meta({ forAgents: 'unless empty' }),
    values: Values.describe('By measure; count is the number of records'),
    unconverted,
    object: z.string().nullable().meta({ forAgents: 'unless null' }),
    filter: z
      .string()
      .nullable()
      .describe('Selects the records behind the number; empty: all records; null: no filter can select them')
      .meta({ forAgents: 'unless null' }),
    records: z
      .array(RecordAnswer)
      .describe('The first records, for widgets that list them')
      .meta({ forAgents: 'unless empty' }),
  })
  .meta({ id: 'Figure' })
export type Figure = z.output<typeof Figure>

const AgentWork = z
  .strictObject({
    api_key_id: id,
    api_key_name: z.string().nullable(),
    user_name: z.string().nullable().describe('Owner of the API key'),
    change_sets: z.int(),
    changed_records: z.int(),
    since: moment.describe('Start of the period. Pass since, until and the key to list_changes to see the changes'),
    until: moment,
  })
  .meta({ id: 'AgentWork' })

/** For agents, instead of the change sets, which would fill most of the answer. */
const ChangesBy = z
  .strictObject({
    actor_id: id.nullable(),
    actor_name: z.string().nullable(),
    api_key_id: id.nullable(),
    api_key_name: z.string().nullable(),
    change_sets: z.int(),
    changes: z.int(),
    last_at: moment,
  })
  .meta({ id: 'ChangesBy' })

export const WidgetAnswer = z
  .strictObject({
    id: z.string(),
    type: z.string(),
    title: z.string().meta({ forAgents: 'unless empty' }),
    error: z.string().nullable().describe('Why the widget could not be computed').meta({ forAgents: 'unless null' }),
    range: z
      .strictObject({ field: z.string(), first: z.iso.date(), last: z.iso.date() })
      .nullable()
      .describe("The applied range, in the company's time zone; null: none")
      .meta({ forAgents: 'unless null' }),
    currency: z.string().nullable().meta({ forAgents: 'unless null' }),
    figures: z.array(Figure).meta({ forAgents: 'unless empty' }),
    total: Figure.nullable()
      .describe('Total across all groups; each record is counted once')
      .meta({ forAgents: 'unless null' }),
    before: Figure.nullable().describe('Figure for the previous period').meta({ forAgents: 'unless null' }),
    change_sets: z.array(ChangeSet).meta({ forAgents: 'unless empty' }),
    changes_by: z
      .array(ChangesBy)
      .describe(
        'For agents, instead of change_sets: number of the last 100 change sets by author. Use list_changes for details',
      )
      .meta({ forAgents: 'unless empty' }),
    agents: z.array(AgentWork).meta({ forAgents: 'unless empty' }),
    since: moment.nullable().describe('Start of the listed changes').meta({ forAgents: 'unless null' }),
  })
  .meta({ id: 'WidgetAnswer' })
export type WidgetAnswer = z.output<typeof WidgetAnswer>

const ChecklistStep = z
  .strictObject({
    step: z.enum(['import', 'invite', 'currency_and_stages', 'connect_mailbox', 'connect_agent']),
    is_done: z.boolean(),
  })
  .meta({ id: 'ChecklistStep' })

const name = nameOf('Enter a name')
const dashboardId = z
  .union([z.literal(defaultDashboard), id])
  .meta({ forAgents: { type: 'string' } })
  .describe('Dashboard ID, or default for the default dashboard')

export const dashboards = {
  listDashboards: operation({
    summary: 'List your dashboards and those shared with you',
    http: 'GET /dashboards',
    access: 'member',
    effect: 'read',
    input: z.strictObject(fullPage),
    output: pageOf(Dashboard.omit({ widgets: true }).meta({ id: 'DashboardSummary' })).meta({ id: 'DashboardList' }),
  }),
  getDashboard: operation({
    summary: 'Get a dashboard with its widgets',
    http: 'GET /dashboards/:id',
    access: 'member',
    effect: 'read',
    input: z.strictObject({ id: dashboardId }),
    output: Dashboard,
  }),
  createDashboard: operation({
    summary: 'Create a dashboard',
    http: 'POST /dashboards',
    access: 'member',
    effect: 'add',
    input: z.strictObject({
      name,
      sharing: sharing.default('private'),
      range: widgetRange.nullable().default(null),
      owner: owner.nullable().default(null),
      widgets: widgets.default([]),
    }),
    output: Dashboard,
  }),
  updateDashboard: operation({
    summary: 'Update a dashboard',
    http: 'PATCH /dashboards/:id',
    access: 'member',
    effect: 'change',
    input: z.strictObject({
      id,
      name: name.optional(),
      sharing: sharing.optional(),
      range: widgetRange.nullable().optional(),
      owner: owner.nullable().optional(),
      widgets: widgets.optional().describe('All widgets. Widgets you cannot access are kept'),
      version: z.int().optional().describe('Fails if the dashboard changed since this version'),
    }),
    output: Dashboard,
  }),
  deleteDashboard: operation({
    summary: 'Delete a dashboard you own, or a shared one as an Admin',
    http: 'DELETE /dashboards/:id',
    access: 'member',
    effect: 'destroy',
    input: z.strictObject({ id }),
    output: nothing,
  }),
  queryDashboard: operation({
    summary: 'Get the figures of a dashboard',
    http: 'POST /dashboards/:id/query',
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      id: dashboardId,
      range: widgetRange
        .optional()
        .describe('e.g. this_month or 2026-01-01..2026-03-31')
        .meta({ forAgents: { type: 'string' } }),
      owner: owner
        .optional()
        .describe('me or a user ID')
        .meta({ forAgents: { type: 'string' } }),
      widgets: z
        .array(z.string().max(100))
        .min(1)
        .max(mostWidgets)
        .optional()
        .describe('IDs or types of the widgets to return; default: all'),
    }),
    output: z
      .strictObject({
        dashboard: z.strictObject({ id: z.string(), name: z.string() }),
        time_zone: z.string().describe("The company's time zone, in which ranges and periods start"),
        widgets: z.array(WidgetAnswer),
        checklist: z
          .array(ChecklistStep)
          .describe('Setup steps for a new company; empty when all are done')
          .meta({ forAgents: 'unless empty' }),
      })
      .meta({ id: 'DashboardAnswer' }),
    tool: 'Returns every figure of a dashboard with its filter. Use it for status and next steps.',
    untrusted: ['title', 'labels', 'records', 'changes'],
  }),
  previewWidget: operation({
    summary: 'Preview a widget without saving it',
    http: 'POST /dashboards/preview',
    replaces: [{ name: 'queryWidget' }],
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      widget: Widget,
      range: widgetRange.optional().describe('Range of the dashboard'),
      owner: owner.optional().describe('Owner filter of the dashboard'),
    }),
    output: WidgetAnswer,
  }),
  visitDashboard: operation({
    summary: 'Record your visit to the default dashboard. Later changes to your records are marked as new',
    http: 'POST /dashboards/visit',
    access: 'member',
    effect: 'change',
    webOnly: true,
    input: z.strictObject({}),
    output: nothing,
  }),
  reviewChanges: operation({
    summary: 'Mark change sets made by agents as reviewed',
    http: 'POST /changes/review',
    access: 'member',
    effect: 'change',
    // An agent must not approve its own work.
    webOnly: true,
    input: z.strictObject({
      change_set_ids: z.array(id).min(1).max(100).describe('IDs from list_changes or the default dashboard'),
    }),
    output: z
      .strictObject({ reviewed: z.int().describe('Number of change sets newly marked as reviewed') })
      .meta({ id: 'Reviewed' }),
  }),
}
