import * as z from 'zod'
import { operation } from './operation.ts'
import { givenDays } from './shared/point-in-time.ts'
import { id } from './shared/shapes.ts'

export const mostReportDays = 366

const minutes = z.number().nullable()

const figures = {
  received: z.int().describe('Conversations started or reopened by customers'),
  answered: z.int(),
  closed: z.int(),
  in_time: z.int().describe('Conversations answered within the target'),
  with_target: z.int().describe('Conversations with a target that are answered or overdue'),
  response_median: minutes.describe('Minutes of working time until the first response'),
  response_p90: minutes,
  resolution_median: minutes.describe('Minutes of working time until it was closed, excluding snoozed time'),
  resolution_p90: minutes,
  response_missed: z.int().describe('Missed first response targets'),
  resolution_missed: z.int(),
}
export const InboxFigures = z.strictObject(figures).meta({ id: 'InboxFigures' })
export type InboxFigures = z.output<typeof InboxFigures>

export const inboxReport = {
  getInboxReport: operation({
    summary: 'Get the inbox report',
    http: 'GET /reports/inbox',
    replaces: [{ http: 'GET /inbox-report' }],
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      from: givenDays.describe("First day, in the company's time zone: 2026-06-01, -30d or last_month"),
      to: givenDays.describe(`Last day; up to ${mostReportDays} days`),
      channel_id: id.optional().describe('Only this channel'),
      user_id: z
        .union([id, z.literal('none')])
        .optional()
        .describe('Only figures of this user; none: unassigned conversations')
        .meta({ forAgents: { type: 'string' } }),
    }),
    output: z
      .strictObject({
        total: InboxFigures,
        days: z.array(InboxFigures.extend({ day: z.string() })).describe('One entry per day of the range'),
        members: z
          .array(InboxFigures.extend({ user_id: id.nullable().describe('null: unassigned'), name: z.string() }))
          .describe(
            'Received conversations are credited to the assignee, first responses to the first responder, and closed conversations to the user who closed them; if there is no such user, to the assignee',
          ),
        channels: z.array(InboxFigures.extend({ channel_id: id, name: z.string() })),
        time_zone: z.string(),
      })
      .meta({ id: 'InboxReport' }),
    tool: 'Returns response and resolution times per day, member and channel, in minutes of working time.',
  }),
}
