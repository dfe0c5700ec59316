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
    'Put the times of a day in order, without overlaps',
  )
  .describe('Empty: closed')

const Holiday = z.strictObject({
  day: z.string().refine(isDay, 'Use a day such as 2026-12-25'),
  name: z.string().trim().max(100).default(''),
})

export const Hours = z
  .strictObject({
    time_zone: timeZone.nullable().default(null).describe("null: the company's"),
    days: z.strictObject(Object.fromEntries(weekdays.map((name) => [name, day])) as Record<Weekday, typeof day>),
    holidays: z.array(Holiday).max(mostHolidays).default([]).describe('Closed all day'),
  })
  .refine(({ days }) => weekdays.some((name) => days[name].length), 'Open on at least one day')
  .meta({ id: 'WorkingHours' })
export type Hours = z.output<typeof Hours>

const minutes = z.int().min(1).max(mostTargetMinutes).nullable()
export const Targets = z
  .strictObject({
    response_minutes: minutes.describe('Until the first response, in working time. null: none'),
    resolution_minutes: minutes.describe('Until it is closed, in working time without snoozes. null: none'),
  })
  .meta({ id: 'InboxTargets' })
export type Targets = z.output<typeof Targets>

const ChannelHours = z
  .strictObject({
    channel_id: id,
    name: z.string(),
    hours: Hours.nullable().describe("null: the company's"),
    targets: Targets.nullable().describe("null: the company's"),
    is_open: z.boolean().describe('Right now'),
  })
  .meta({ id: 'ChannelHours' })

const InboxHours = z
  .strictObject({
    hours: Hours.nullable().describe('null: always open'),
    targets: Targets,
    time_zone: z.string().describe('Of the company'),
    is_open: z.boolean().describe('Right now'),
    channels: z.array(ChannelHours).describe('Channels of the team'),
  })
  .meta({ id: 'InboxHours' })

export const workingHours = {
  getWorkingHours: operation({
    summary: 'Get the working hours of the company and its channels, and the targets for replies',
    http: 'GET /working-hours',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: InboxHours,
  }),
  updateWorkingHours: operation({
    summary: 'Update the working hours of the company, or the targets for replies',
    http: 'PATCH /working-hours',
    access: 'channels.manage',
    effect: 'change',
    input: z.strictObject({ hours: Hours.nullable().optional(), targets: Targets.optional() }),
    output: InboxHours,
  }),
  updateChannelHours: operation({
    summary: 'Give a channel working hours or targets of its own, or those of the company again',
    http: 'PATCH /working-hours/channels/:channel_id',
    access: 'channels.manage',
    effect: 'change',
    input: z.strictObject({
      channel_id: id.describe('Of a channel of the team'),
      hours: Hours.nullable().optional(),
      targets: Targets.nullable().optional(),
    }),
    output: InboxHours,
  }),
}
