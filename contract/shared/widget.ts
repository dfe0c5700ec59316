// The widgets of dashboards.
import * as z from 'zod'
import { grouping, measure, readGrouping, readMeasure } from '../aggregates.ts'
import { ranges } from '../filter/bare-words.ts'
import { isDay } from '../filter/days.ts'
import { limits } from '../filter/limits.ts'
import { objectKey } from '../objects.ts'

/** The grid of a dashboard has this many columns. */
export const gridColumns = 12
/** A chart with more groups is unreadable, so the rest are combined. */
export const mostShown = 50
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
export const widgetRange = z
  .string()
  .max(30)
  .refine(isRange, 'Use a range such as this_month or last_30_days, or dates such as 2026-01-01..2026-03-31')
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
  range: widgetRange.nullable().default(null).describe('null: same as dashboard'),
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
