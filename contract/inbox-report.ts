import * as z from 'zod'
import { isDay } from './filter/days.ts'
import { operation } from './operation.ts'
import { id } from './shared/shapes.ts'

export const mostReportDays = 366

const day = z.string().refine(isDay, 'Use a day such as 2026-06-15')
const minutes = z.number().nullable()

const figures = {
  received: z.int().describe('Conversations that someone began or reopened'),
  answered: z.int(),
  closed: z.int(),
  in_time: z.int().describe('Answered within the target'),
  with_target: z.int().describe('Answered, or too late already, and with a target'),
  response_median: minutes.describe('Working minutes until the first response'),
  response_p90: minutes,
  resolution_median: minutes.describe('Working minutes until it was closed, without snoozes'),
  resolution_p90: minutes,
  response_missed: z.int().describe('Targets for the first response that were missed'),
  resolution_missed: z.int(),
}
export const InboxFigures = z.strictObject(figures).meta({ id: 'InboxFigures' })
export type InboxFigures = z.output<typeof InboxFigures>

export const inboxReport = {
  getInboxReport: operation({
    summary: 'Get the inbox report',
    http: 'GET /inbox-report',
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      from: day.describe('First day, in the time zone of the company'),
      to: day.describe(`Last day; at most ${mostReportDays} days`),
      channel_id: id.optional().describe('Only this channel'),
      user_id: z
        .union([id, z.literal('none')])
        .optional()
        .describe('Only what counts for this user, as in members. none: what counts for nobody')
        .meta({ forAgents: { type: 'string' } }),
    }),
    output: z
      .strictObject({
        total: InboxFigures,
        days: z.array(InboxFigures.extend({ day: z.string() })).describe('Every day of the range'),
        members: z
          .array(InboxFigures.extend({ user_id: id.nullable().describe('null: nobody'), name: z.string() }))
          .describe(
            'A conversation is received by its assignee, answered by who answered first, and closed by who closed it; without one of these, it counts for the assignee',
          ),
        channels: z.array(InboxFigures.extend({ channel_id: id, name: z.string() })),
        time_zone: z.string(),
      })
      .meta({ id: 'InboxReport' }),
    tool: 'Reports how fast the team answered and closed conversations: per day, member and channel, in minutes of working time.',
  }),
}
