import * as z from 'zod'
import { isDay } from './filter/days.ts'
import { operation } from './operation.ts'
import { id, nothing, timeZone } from './shared/shapes.ts'
import { clockTime, type Weekday, weekdays } from './shared/weekdays.ts'

export { type Weekday, weekdays }
export const mostHolidays = 200
/** 90 days. */
export const mostTargetMinutes = 129_600

const Opening = z
  .strictObject({ from: clockTime, to: clockTime })
  .refine(({ from, to }) => from < to, 'The end must be after the start')

const day = z
  .array(Opening)
  .max(6)
  .refine(
    (openings) => openings.every(({ from }, i) => i === 0 || openings[i - 1]!.to <= from),
    'Enter the times of a day in order, without overlaps',
  )
  .describe('Empty: closed')

const Holiday = z.strictObject({
  day: z.string().refine(isDay, 'Use a date such as 2026-12-25'),
  name: z.string().trim().max(100).default(''),
})

export const Hours = z
  .strictObject({
    time_zone: timeZone.nullable().default(null).describe('null: company default'),
    days: z.strictObject(Object.fromEntries(weekdays.map((name) => [name, day])) as Record<Weekday, typeof day>),
    holidays: z.array(Holiday).max(mostHolidays).default([]).describe('Days that are closed all day'),
  })
  .refine(({ days }) => weekdays.some((name) => days[name].length), 'Open on at least one day')
  .meta({ id: 'WorkingHours' })
export type Hours = z.output<typeof Hours>

const minutes = z.int().min(1).max(mostTargetMinutes).nullable()
export const Targets = z
  .strictObject({
    response_minutes: minutes.describe('First response target in minutes of working time; null: none'),
    resolution_minutes: minutes.describe(
      'Resolution target in minutes of working time, excluding snoozed time; null: none',
    ),
  })
  .meta({ id: 'InboxTargets' })
export type Targets = z.output<typeof Targets>

const ChannelHours = z
  .strictObject({
    channel_id: id,
    name: z.string(),
    hours: Hours.nullable().describe('null: company default'),
    targets: Targets.nullable().describe('null: company default'),
    is_open: z.boolean().describe('Whether it is open now'),
  })
  .meta({ id: 'ChannelHours' })

const InboxHours = z
  .strictObject({
    hours: Hours.nullable().describe('null: always open'),
    targets: Targets,
    time_zone: z.string().describe("The company's time zone"),
    is_open: z.boolean().describe('Whether it is open now'),
    channels: z.array(ChannelHours).describe('Team channels'),
  })
  .meta({ id: 'InboxHours' })

export const workingHours = {
  getWorkingHours: operation({
    summary: 'Get the working hours and response targets of the company and its channels',
    http: 'GET /settings/working-hours',
    replaces: [{ http: 'GET /working-hours' }],
    access: 'member',
    effect: 'read',
    input: nothing,
    output: InboxHours,
  }),
  updateWorkingHours: operation({
    summary: "Update the company's working hours or response targets",
    http: 'PATCH /settings/working-hours',
    replaces: [{ http: 'PATCH /working-hours' }],
    access: 'channels.manage',
    effect: 'change',
    input: z.strictObject({ hours: Hours.nullable().optional(), targets: Targets.optional() }),
    output: InboxHours,
  }),
  updateChannelHours: operation({
    summary: "Override a channel's working hours or targets, or reset them to the company's",
    http: 'PATCH /settings/working-hours/channels/:id',
    replaces: [{ http: 'PATCH /working-hours/channels/:id', fields: { channel_id: 'id' } }],
    access: 'channels.manage',
    effect: 'change',
    input: z.strictObject({
      id: id.describe('ID of a team channel'),
      hours: Hours.nullable().optional(),
      targets: Targets.nullable().optional(),
    }),
    output: InboxHours,
  }),
}
