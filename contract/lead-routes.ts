import * as z from 'zod'
import { limits } from './filter/limits.ts'
import { operation } from './operation.ts'
import { id, moment, nameOf, nothing, timeZone } from './shared/shapes.ts'
import { clockTime, weekdays } from './shared/weekdays.ts'

export const routeModes = ['first', 'all', 'some', 'weighted', 'in_turn'] as const
export const routeStates = ['active', 'paused', 'test'] as const
export const mostRoutes = 200
export { weekdays as weekdayNames }
/** Most leads that a simulation looks at, newest first. */
export const mostSimulated = 5000

const count = z.int().min(1).max(1_000_000).nullable().default(null)
const price = z.number().min(0).max(1_000_000)

const Caps = z
  .strictObject({
    hour: count,
    day: count,
    month: count,
    total: count,
    budget: z
      .number()
      .min(0)
      .max(100_000_000)
      .nullable()
      .default(null)
      .describe('Most that the accepted leads may cost'),
    budget_per: z.enum(['day', 'month', 'total']).default('month'),
  })
  .describe('null: no limit. A lead counts before it is sent, and no longer if it is rejected')
  .meta({ id: 'LeadCaps' })
export type Caps = z.output<typeof Caps>

const Target = z
  .strictObject({
    destination_id: id,
    weight: z.int().min(1).max(1000).default(1).describe('Share of the leads, for the mode weighted'),
    price: price.default(0).describe("What a lead costs there, in the company's currency"),
    max_price: price
      .nullable()
      .default(null)
      .describe('Most that a lead can cost if the answer names the price. Required with a budget'),
    caps: Caps.prefault({}),
  })
  .meta({ id: 'LeadRouteTarget' })
export type Target = z.output<typeof Target>

const Schedule = z
  .strictObject({
    days: z.array(z.enum(weekdays)).min(1, 'Choose at least one day').max(7),
    from: clockTime.default('00:00'),
    to: clockTime.default('24:00').describe('Before from: on the next day'),
    time_zone: timeZone,
    closed: z.enum(['skip', 'wait']).default('skip').describe('Outside of these times: go to the next route, or wait'),
  })
  .refine(({ from, to }) => from !== to, 'The end must differ from the start')
  .meta({ id: 'LeadSchedule' })
export type Schedule = z.output<typeof Schedule>

const settings = {
  name: nameOf('Enter a name'),
  state: z.enum(routeStates).describe('test: evaluated and traced, but nothing is sent'),
  filter: z
    .string()
    .max(limits.characters)
    .nullable()
    .describe('Filter on leads, without related records; null: every lead'),
  mode: z
    .enum(routeModes)
    .describe(
      'first: the first destination that accepts. all: every one. some: until `wanted` have accepted. weighted and in_turn: like first, beginning with another destination each time',
    ),
  wanted: z.int().min(1).max(50).describe('For the mode some'),
  targets: z.array(Target).min(1, 'Choose a destination').max(50),
  schedule: Schedule.nullable().describe("null: always. Also closed on the company's holidays"),
  delay_minutes: z.int().min(0).max(43_200).describe('Waits this long before sending'),
  duplicate_days: z
    .int()
    .min(0)
    .max(3650)
    .describe('Skips a destination that got a lead with the same email or phone in this time; 0: never'),
  is_exclusive: z.boolean().describe('Whoever accepts is the only one to get the lead'),
  on_rejection: z.enum(['next', 'stop']),
  on_failure: z.enum(['retry', 'next', 'stop']).describe('retry: by the plan below, then next'),
  retry_minutes: z.array(z.int().min(1).max(1440)).max(10).describe('Minutes before each further attempt'),
  goes_on: z.boolean().describe('Later routes get the lead, too, if a destination has accepted it'),
  notify_user_ids: z.array(id).max(20).describe('Notified of rejections and failures'),
}

const given = {
  name: settings.name,
  state: settings.state.default('paused'),
  filter: settings.filter.default(null),
  mode: settings.mode.default('first'),
  wanted: settings.wanted.default(1),
  targets: settings.targets,
  schedule: settings.schedule.default(null),
  delay_minutes: settings.delay_minutes.default(0),
  duplicate_days: settings.duplicate_days.default(1),
  is_exclusive: settings.is_exclusive.default(false),
  on_rejection: settings.on_rejection.default('next'),
  on_failure: settings.on_failure.default('retry'),
  retry_minutes: settings.retry_minutes.default([1, 10, 60]),
  goes_on: settings.goes_on.default(false),
  notify_user_ids: settings.notify_user_ids.default([]),
}

const Used = z
  .strictObject({
    destination_id: id,
    hour: z.int(),
    day: z.int(),
    month: z.int(),
    total: z.int(),
    spent: z.number().describe('In the time of the budget'),
  })
  .describe('How much of the caps is used')

export const LeadRoute = z
  .strictObject({
    id,
    position: z.int(),
    ...settings,
    filter_error: z
      .string()
      .nullable()
      .describe('Why the filter no longer works. Until it is corrected, nothing matches'),
    used: z.array(Used),
    version: z.int(),
    created_at: moment,
  })
  .meta({ id: 'LeadRoute' })

/** A route as it would be, for the simulator. */
const Draft = z
  .strictObject({ id: id.optional().describe('Of the route that it replaces'), ...given })
  .meta({ id: 'LeadRouteDraft' })

const Replacement = z
  .strictObject({
    id: id.optional().describe('Of a route that exists; without it, a new one is added'),
    version: z.int().optional().describe('The version you changed; required with `id`'),
    ...given,
  })
  .meta({ id: 'LeadRouteReplacement' })

const SimulatedSum = z.strictObject({
  route: z.string(),
  destination_id: id.nullable(),
  destination: z.string(),
  leads: z.int(),
  revenue: z.number(),
})
const Simulation = z.strictObject({
  sums: z.array(SimulatedSum),
  delivered: z.int().describe('Leads that someone took'),
  not_taken: z.int(),
  revenue: z.number(),
})

export const LeadSendingSettings = z
  .strictObject({
    nobody_user_ids: z.array(id).max(20).describe('Notified of unplaced leads'),
    nobody_owner_id: id.nullable().describe('Becomes the owner of unplaced leads; null: they keep their owner'),
  })
  .meta({ id: 'LeadSendingSettings' })

const route = { id: id.describe('Route ID') }
const optional = Object.fromEntries(
  Object.entries(settings).map(([name, schema]) => [name, schema.optional()]),
) as unknown as { [Name in keyof typeof settings]: z.ZodOptional<(typeof settings)[Name]> }

export const leadRoutes = {
  listLeadRoutes: operation({
    summary: 'List the routes of leads in the order in which they are tried',
    http: 'GET /lead-routes',
    access: 'lead_sending.manage',
    effect: 'read',
    input: nothing,
    output: z.strictObject({ items: z.array(LeadRoute) }).meta({ id: 'LeadRouteList' }),
  }),
  createLeadRoute: operation({
    summary: 'Add a route after the others. It is paused unless you say otherwise',
    http: 'POST /lead-routes',
    access: 'lead_sending.manage',
    effect: 'add',
    input: z.strictObject(given),
    output: LeadRoute,
  }),
  updateLeadRoute: operation({
    summary: 'Update a route. Leads that come in from then on use it',
    http: 'PATCH /lead-routes/:id',
    access: 'lead_sending.manage',
    effect: 'change',
    input: z.strictObject({ ...route, ...optional }),
    output: LeadRoute,
  }),
  deleteLeadRoute: operation({
    summary: 'Delete a route and what it has used of its caps',
    http: 'DELETE /lead-routes/:id',
    access: 'lead_sending.manage',
    effect: 'destroy',
    input: z.strictObject(route),
    output: nothing,
  }),
  orderLeadRoutes: operation({
    summary: 'Set the order in which routes are tried',
    http: 'PUT /lead-routes/order',
    access: 'lead_sending.manage',
    effect: 'change',
    input: z.strictObject({ ids: z.array(id).max(mostRoutes).describe('All routes, first to last') }),
    output: z.strictObject({ items: z.array(LeadRoute) }).meta({ id: 'LeadRouteOrder' }),
  }),
  replaceLeadRoutes: operation({
    summary: 'Save all routes and their order at once. Nothing is saved if someone else has changed them since',
    http: 'PUT /lead-routes',
    access: 'lead_sending.manage',
    effect: 'change',
    largeBody: true,
    input: z.strictObject({
      routes: z.array(Replacement).max(mostRoutes).describe('All routes, first to last. This deletes none'),
    }),
    output: z.strictObject({ items: z.array(LeadRoute) }).meta({ id: 'LeadRoutesSaved' }),
  }),
  simulateLeadRoutes: operation({
    summary:
      'Compare a draft of all routes with the routes of today over the leads of the last 30 days. Nothing is sent',
    http: 'POST /lead-routes/simulation',
    access: 'lead_sending.manage',
    effect: 'read',
    largeBody: true,
    input: z.strictObject({
      routes: z
        .array(Draft)
        .max(mostRoutes)
        .optional()
        .describe('The draft; default: the routes as they are, with test routes on'),
      days: z.int().min(1).max(30).default(30),
    }),
    output: z
      .strictObject({
        leads: z.int().describe('Leads that were looked at, at most 5,000'),
        today: Simulation,
        draft: Simulation,
        changed: z.int().describe('Leads that would go elsewhere'),
        differences: z
          .array(
            z.strictObject({
              lead_id: id,
              title: z.string(),
              created_at: moment,
              today: z.string().describe('Where it goes now'),
              draft: z.string(),
            }),
          )
          .describe('The newest 100 of them'),
      })
      .meta({ id: 'LeadSimulation' }),
  }),
  getLeadSendingSettings: operation({
    summary: 'Get what happens with unplaced leads',
    http: 'GET /lead-sending/settings',
    access: 'lead_sending.manage',
    effect: 'read',
    input: nothing,
    output: LeadSendingSettings,
  }),
  setLeadSendingSettings: operation({
    summary: 'Set what happens with unplaced leads',
    http: 'PUT /lead-sending/settings',
    access: 'lead_sending.manage',
    effect: 'change',
    input: z.strictObject({
      nobody_user_ids: LeadSendingSettings.shape.nobody_user_ids.optional(),
      nobody_owner_id: LeadSendingSettings.shape.nobody_owner_id.optional(),
    }),
    output: LeadSendingSettings,
  }),
}
