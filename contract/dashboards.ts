import * as z from 'zod'
import { grouping, measure, readGrouping, readMeasure, unconverted, Values } from './aggregates.ts'
import { ChangeSet } from './changes.ts'
import { ranges } from './filter/bare-words.ts'
import { isDay } from './filter/days.ts'
import { limits } from './filter/limits.ts'
import { objectKey } from './objects.ts'
import { operation } from './operation.ts'
import { RecordAnswer } from './records.ts'
import { fullPage, id, moment, nameOf, nothing, pageOf } from './shared/shapes.ts'

export const mostDashboards = 100
export const mostWidgets = 40
/** The grid of a dashboard has this many columns. */
export const gridColumns = 12
/** A chart with more groups is unreadable, so the rest are combined. */
export const mostShown = 50
/** The dashboard that everyone has. It cannot be changed. */
export const defaultDashboard = 'default'

const daysPattern = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/

/** 2026-01-01..2026-03-31 as its parts; undefined for a named range. */
export function readDays(range: string): { first: string; last: string } | undefined {
  const [, first, last] = daysPattern.exec(range) ?? []
  return first === undefined || last === undefined ? undefined : { first, last }
}

const isRange = (text: string) => {
  const days = readDays(text)
  return days
    ? isDay(days.first) && isDay(days.last) && days.first <= days.last
    : (ranges as readonly string[]).includes(text)
}
const range = z
  .string()
  .max(30)
  .refine(isRange, 'Use a range such as this_month or last_30_days, or dates such as 2026-01-01..2026-03-31')
const owner = z.union([z.literal('me'), id])

const place = {
  id: z
    .string()
    .regex(/^[a-z0-9_-]{1,40}$/, 'Use up to 40 lowercase letters, digits, _ and -')
    .describe('Unique within the dashboard'),
  title: z.string().trim().max(100).default('').describe('Empty: the web app chooses a title'),
  x: z
    .int()
    .min(0)
    .max(gridColumns - 1)
    .default(0)
    .describe(`Column, from 0 to ${gridColumns - 1}`),
  y: z.int().min(0).max(1000).default(0).describe('Row, from 0'),
  width: z.int().min(1).max(gridColumns).default(4).describe('In columns'),
  height: z.int().min(1).max(20).default(2).describe('In rows'),
}
const filter = z.string().max(limits.characters).nullable().default(null).describe('Records to include; null: all')
const time = {
  date_field: z
    .string()
    .max(63)
    .nullable()
    .default(null)
    .describe('Date field that the range applies to, e.g. closed_at; null: no range'),
  range: range.nullable().default(null).describe('null: same as dashboard'),
}
const data = { ...place, object: objectKey, filter, measure: measure.default('count'), ...time }
const top = z.int().min(1).max(mostShown).default(mostShown).describe('Maximum number of groups; the rest are combined')
const order = z.enum(['key', 'measure']).default('key').describe('measure: largest first')
const group_by = grouping.describe('e.g. stage, owner, organization.country or month(closed_at)')

const chart = <T extends string>(type: T) => z.strictObject({ type: z.literal(type), ...data, group_by, order, top })
const builtIn = <T extends string>(type: T) => z.strictObject({ type: z.literal(type), ...place })

/** How deals move through the stages of a pipeline. */
const Funnel = z.strictObject({
  type: z.literal('funnel'),
  ...place,
  pipeline: z.string().max(63).nullable().default(null).describe('Key of the pipeline; null: the first one'),
  filter,
  range: time.range,
  mode: z
    .enum(['in_period', 'cohort'])
    .default('in_period')
    .describe(
      'in_period: deals that entered each stage in the range. cohort: deals created in the range that have reached each stage so far',
    ),
})

const List = z.strictObject({
  type: z.literal('list'),
  ...place,
  object: objectKey,
  filter,
  sort: z.array(z.string().max(200)).max(5).default([]),
  fields: z.array(z.string().max(200)).max(20).default([]).describe('Fields to show; empty: the columns of the list'),
  limit: z.int().min(1).max(50).default(10),
  ...time,
})

/** Results of sent leads, for users who manage lead sending. */
const LeadSending = z.strictObject({
  type: z.literal('lead_sending'),
  ...place,
  by: z
    .enum(['destination', 'source', 'reason'])
    .default('destination')
    .describe('reason: why leads were rejected. Same values as in the lead sending report'),
  range: time.range,
})

/** Message and response figures, limited to conversations that the user can read. */
const Inbox = z.strictObject({
  type: z.literal('inbox'),
  ...place,
  by: z
    .enum(['channel', 'assignee'])
    .default('channel')
    .describe(
      'Values: open (now), count (received), sent, median_response_ms (for conversations that started in the range)',
    ),
  range: time.range,
})

/** The widgets of the default dashboard. They have no settings. */
export const builtInWidgets = [
  'my_tasks',
  'needs_you',
  'agent_changes',
  'pipeline',
  'won_and_lost',
  'forecast',
  'activity',
  'changes_on_mine',
] as const
export type BuiltInWidget = (typeof builtInWidgets)[number]

export const Widget = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('number'),
      ...data,
      compare: z.boolean().default(true).describe('Compare with the previous period'),
    }),
    chart('bar'),
    z.strictObject({ ...chart('stacked_bar').shape, split_by: grouping.describe('Segments of each bar') }),
    chart('line'),
    chart('area'),
    chart('donut'),
    Funnel,
    z.strictObject({
      type: z.literal('table'),
      ...place,
      object: objectKey,
      filter,
      measures: z.array(measure).min(1).max(5).default(['count']),
      group_by: z.array(group_by).min(1).max(2),
      order,
      top,
      ...time,
    }),
    z.strictObject({
      type: z.literal('leaderboard'),
      ...data,
      group_by: group_by.default('owner'),
      top: top.default(10),
    }),
    List,
    LeadSending,
    Inbox,
    z.strictObject({
      type: z.literal('text'),
      ...place,
      text: z.string().max(10_000).describe('Plain text with line breaks'),
    }),
    ...builtInWidgets.map(builtIn),
  ])
  .meta({ id: 'Widget' })
export type Widget = z.output<typeof Widget>

export function measuresOf(widget: Widget) {
  if (widget.type === 'table') return widget.measures
  return 'measure' in widget ? [widget.measure] : []
}

export function groupsOf(widget: Widget) {
  if (!('group_by' in widget)) return []
  return [widget.group_by, 'split_by' in widget ? widget.split_by : []].flat()
}

/** The fields that a widget uses, or paths to them; its filter and its sort can use more. */
export const pathsIn = (widget: Widget) => [
  ...new Set([
    ...measuresOf(widget).flatMap((text) => {
      const read = readMeasure(text)
      return 'field' in read ? [read.field] : []
    }),
    ...groupsOf(widget).map((text) => readGrouping(text).path),
    ...('date_field' in widget && widget.date_field ? [widget.date_field] : []),
    ...(widget.type === 'list' ? widget.fields.filter((key) => key !== '*') : []),
  ]),
]

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
      range: range.nullable().default(null),
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
      range: range.nullable().optional(),
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
      range: range
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
          .describe('Setup steps of a new company; empty when all are done')
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
      range: range.optional().describe('Range of the dashboard'),
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
      .strictObject({ reviewed: z.int().describe('Number of change sets that are newly reviewed') })
      .meta({ id: 'Reviewed' }),
  }),
}
