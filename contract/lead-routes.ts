import * as z from 'zod'
import { limits } from './filter/limits.ts'
import { operation } from './operation.ts'
import { fullPage, id, moment, nameOf, nothing, pageOf, timeZone } from './shared/shapes.ts'
import { clockTime, weekdays } from './shared/weekdays.ts'

export const routeModes = ['first', 'all', 'some', 'weighted', 'in_turn'] as const
export const routeStates = ['active', 'paused', 'test'] as const
export const mostRoutes = 200
export { weekdays as weekdayNames }
/** Maximum number of leads in a simulation, newest first. */
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
      .describe('Maximum total price of accepted leads'),
    budget_per: z.enum(['day', 'month', 'total']).default('month'),
  })
  .describe('null: no limit. A lead counts from when it is sent, unless it is rejected')
  .meta({ id: 'LeadCaps' })
export type Caps = z.output<typeof Caps>

const Target = z
  .strictObject({
    destination_id: id,
    weight: z.int().min(1).max(1000).default(1).describe('Share of the leads, in weighted mode'),
    price: price.default(0).describe("Price of a lead, in the company's currency"),
    max_price: price
      .nullable()
      .default(null)
      .describe('Maximum price of a lead if the response sets the price. Required with a budget'),
    caps: Caps.prefault({}),
  })
  .meta({ id: 'LeadRouteTarget' })
export type Target = z.output<typeof Target>

const Schedule = z
  .strictObject({
    days: z.array(z.enum(weekdays)).min(1, 'Choose at least one day').max(7),
    from: clockTime.default('00:00'),
    to: clockTime.default('24:00').describe('If before from: on the next day'),
    time_zone: timeZone,
    closed: z.enum(['skip', 'wait']).default('skip').describe('Outside these times, skip the route or wait'),
  })
  .refine(({ from, to }) => from !== to, 'The end must differ from the start')
  .meta({ id: 'LeadSchedule' })
export type Schedule = z.output<typeof Schedule>

const settings = {
  name: nameOf('Enter a name'),
  state: z.enum(routeStates).describe('test: leads are evaluated and traced, but not sent'),
  filter: z
    .string()
    .max(limits.characters)
    .nullable()
    .describe('Lead filter, without related records; null: all leads'),
  mode: z
    .enum(routeModes)
    .describe(
      'first: until one accepts, in order. all: every destination. some: until `wanted` accept. weighted: like first, by weight. in_turn: like first, round robin',
    ),
  wanted: z.int().min(1).max(50).describe('Number of acceptances in some mode'),
  targets: z.array(Target).min(1, 'Choose a destination').max(50),
  schedule: Schedule.nullable().describe("null: always. Also closed on the company's holidays"),
  delay_minutes: z.int().min(0).max(43_200).describe('Minutes to wait before sending'),
  duplicate_days: z
    .int()
    .min(0)
    .max(3650)
    .describe('Skip destinations that got a lead with the same email or phone within this many days; 0: never'),
  is_exclusive: z.boolean().describe('Only one destination gets the lead'),
  on_rejection: z.enum(['next', 'stop']),
  on_failure: z.enum(['retry', 'next', 'stop']).describe('retry: according to retry_minutes, then next'),
  retry_minutes: z.array(z.int().min(1).max(1440)).max(10).describe('Minutes before each retry'),
  goes_on: z.boolean().describe('Continue with later routes after a destination has accepted the lead'),
  notify_user_ids: z.array(id).max(20).describe('Users to notify of rejections and failures'),
}

/** What a new route does unless it says otherwise. */
export const usualRoute: Omit<z.output<z.ZodObject<typeof settings>>, 'name' | 'targets'> = {
  state: 'paused',
  filter: null,
  mode: 'first',
  wanted: 1,
  schedule: null,
  delay_minutes: 0,
  duplicate_days: 1,
  is_exclusive: false,
  on_rejection: 'next',
  on_failure: 'retry',
  retry_minutes: [1, 10, 60],
  goes_on: false,
  notify_user_ids: [],
}

const given = {
  name: settings.name,
  state: settings.state.default(usualRoute.state),
  filter: settings.filter.default(usualRoute.filter),
  mode: settings.mode.default(usualRoute.mode),
  wanted: settings.wanted.default(usualRoute.wanted),
  targets: settings.targets,
  schedule: settings.schedule.default(usualRoute.schedule),
  delay_minutes: settings.delay_minutes.default(usualRoute.delay_minutes),
  duplicate_days: settings.duplicate_days.default(usualRoute.duplicate_days),
  is_exclusive: settings.is_exclusive.default(usualRoute.is_exclusive),
  on_rejection: settings.on_rejection.default(usualRoute.on_rejection),
  on_failure: settings.on_failure.default(usualRoute.on_failure),
  retry_minutes: settings.retry_minutes.default(usualRoute.retry_minutes),
  goes_on: settings.goes_on.default(usualRoute.goes_on),
  notify_user_ids: settings.notify_user_ids.default(usualRoute.notify_user_ids),
}

const Used = z
  .strictObject({
    destination_id: id,
    hour: z.int(),
    day: z.int(),
    month: z.int(),
    total: z.int(),
    spent: z.number().describe('Amount spent in the budget period'),
  })
  .describe('Current usage of the caps')

export const LeadRoute = z
  .strictObject({
    id,
    position: z.int(),
    ...settings,
    filter_error: z.string().nullable().describe('Why the filter no longer works. Nothing matches until it is fixed'),
    used: z.array(Used),
    version: z.int(),
    created_at: moment,
  })
  .meta({ id: 'LeadRoute' })

/** A route as it would be, for the simulator. */
const Draft = z
  .strictObject({ id: id.optional().describe('ID of the route it replaces'), ...given })
  .meta({ id: 'LeadRouteDraft' })

const Replacement = z
  .strictObject({
    id: id.optional().describe('ID of an existing route; omit it to add a new one'),
    version: z.int().optional().describe('Version the changes are based on; required with `id`'),
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
  delivered: z.int().describe('Leads accepted by a destination'),
  not_taken: z.int(),
  revenue: z.number(),
})

export const LeadSendingSettings = z
  .strictObject({
    nobody_user_ids: z.array(id).max(20).describe('Users to notify of unplaced leads'),
    nobody_owner_id: id.nullable().describe('User who becomes the owner of unplaced leads; null: the owner is kept'),
  })
  .meta({ id: 'LeadSendingSettings' })

const route = { id: id.describe('Route ID') }
const optional = Object.fromEntries(
  Object.entries(settings).map(([name, schema]) => [name, schema.optional()]),
) as unknown as { [Name in keyof typeof settings]: z.ZodOptional<(typeof settings)[Name]> }

export const leadRoutes = {
  listLeadRoutes: operation({
    summary: 'List lead routes in order',
    http: 'GET /lead-routes',
    access: 'lead_sending.manage',
    effect: 'read',
    input: z.strictObject(fullPage),
    output: pageOf(LeadRoute).meta({ id: 'LeadRouteList' }),
  }),
  createLeadRoute: operation({
    summary: 'Create a lead route. It is added last and paused by default',
    http: 'POST /lead-routes',
    access: 'lead_sending.manage',
    effect: 'add',
    input: z.strictObject(given),
    output: LeadRoute,
  }),
  updateLeadRoute: operation({
    summary: 'Update a lead route. Changes apply to new leads',
    http: 'PATCH /lead-routes/:id',
    access: 'lead_sending.manage',
    effect: 'change',
    input: z.strictObject({ ...route, ...optional }),
    output: LeadRoute,
  }),
  deleteLeadRoute: operation({
    summary: 'Delete a lead route and its cap usage',
    http: 'DELETE /lead-routes/:id',
    access: 'lead_sending.manage',
    effect: 'destroy',
    input: z.strictObject(route),
    output: nothing,
  }),
  reorderLeadRoutes: operation({
    summary: 'Reorder lead routes',
    http: 'PUT /lead-routes/order',
    replaces: [{ name: 'orderLeadRoutes' }],
    access: 'lead_sending.manage',
    effect: 'change',
    input: z.strictObject({ ids: z.array(id).max(mostRoutes).describe('IDs of all routes, first to last') }),
    output: z.strictObject({ items: z.array(LeadRoute) }).meta({ id: 'LeadRouteOrder' }),
  }),
  replaceLeadRoutes: operation({
    summary: 'Replace all lead routes and their order. Fails if someone else changed them in the meantime',
    http: 'PUT /lead-routes',
    access: 'lead_sending.manage',
    effect: 'change',
    largeBody: true,
    input: z.strictObject({
      routes: z
        .array(Replacement)
        .max(mostRoutes)
        .describe('All routes, first to last. Every existing route must be included'),
    }),
    output: z.strictObject({ items: z.array(LeadRoute) }).meta({ id: 'LeadRoutesSaved' }),
  }),
  previewLeadRoutes: operation({
    summary: 'Simulate draft routes on recent leads and compare them with the live routes. Nothing is sent',
    http: 'POST /lead-routes/preview',
    replaces: [{ name: 'simulateLeadRoutes', http: 'POST /lead-routes/simulation' }],
    access: 'lead_sending.manage',
    effect: 'read',
    largeBody: true,
    input: z.strictObject({
      routes: z
        .array(Draft)
        .max(mostRoutes)
        .optional()
        .describe('Draft routes; default: the live routes plus test routes'),
      days: z.int().min(1).max(30).default(30),
    }),
    output: z
      .strictObject({
        leads: z.int().describe('Number of simulated leads, up to 5,000'),
        today: Simulation,
        draft: Simulation,
        changed: z.int().describe('Number of leads that would be routed differently'),
        differences: z
          .array(
            z.strictObject({
              lead_id: id,
              title: z.string(),
              created_at: moment,
              today: z.string().describe('Destination with the live routes'),
              draft: z.string(),
            }),
          )
          .describe('The newest 100 leads that would be routed differently'),
      })
      .meta({ id: 'LeadSimulation' }),
  }),
  getLeadSendingSettings: operation({
    summary: 'Get the settings for unplaced leads',
    http: 'GET /settings/lead-sending',
    replaces: [{ http: 'GET /lead-sending/settings' }],
    access: 'lead_sending.manage',
    effect: 'read',
    input: nothing,
    output: LeadSendingSettings,
  }),
  updateLeadSendingSettings: operation({
    summary: 'Update the settings for unplaced leads',
    http: 'PATCH /settings/lead-sending',
    replaces: [{ name: 'setLeadSendingSettings', http: 'PUT /lead-sending/settings' }],
    access: 'lead_sending.manage',
    effect: 'change',
    input: z.strictObject({
      nobody_user_ids: LeadSendingSettings.shape.nobody_user_ids.optional(),
      nobody_owner_id: LeadSendingSettings.shape.nobody_owner_id.optional(),
    }),
    output: LeadSendingSettings,
  }),
}
