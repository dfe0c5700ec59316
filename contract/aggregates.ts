import * as z from 'zod'
import { FilterTextOrJson } from './filter/index.ts'
import { objectKey as object } from './objects.ts'
import { operation } from './operation.ts'

/**
 * What can be computed from the values of one field. Only of deals: weighted is the sum, each value times the probability
 * of its deal, and sum_not_lost the sum without lost deals.
 */
export const fieldMeasures = ['sum', 'average', 'min', 'max', 'distinct', 'filled', 'weighted', 'sum_not_lost'] as const
export type FieldMeasure = (typeof fieldMeasures)[number]
export const periods = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Period = (typeof periods)[number]

/** Maximum number of groups; `top` combines the rest. */
export const mostGroups = 1000

const key = '[a-z][a-z0-9_]{0,62}'
const measurePattern = new RegExp(`^(?:count|(${fieldMeasures.join('|')})\\((${key})\\))$`)
const groupPattern = new RegExp(`^(?:(${periods.join('|')})\\((${key}(?:\\.${key})?)\\)|(${key}(?:\\.${key})?))$`)

/** "sum(amount)" as its parts. Only `count` has no field. */
export function readMeasure(text: string): { name: FieldMeasure; field: string } | { name: 'count' } {
  const [, name, field] = measurePattern.exec(text) ?? []
  return field === undefined ? { name: 'count' } : { name: name as FieldMeasure, field }
}

/** "month(closed_at)" or "organization.country" as its parts. */
export function readGrouping(text: string): { path: string; period?: Period } {
  const [, period, dated, path = dated] = groupPattern.exec(text) ?? []
  return { path: path!, ...(period && { period: period as Period }) }
}

export const measure = z
  .string()
  .regex(measurePattern, `Use count, or one of ${fieldMeasures.join(', ')} with a field, e.g. sum(amount)`)
  .meta({ forAgents: { type: 'string' } })
export const grouping = z
  .string()
  .regex(groupPattern, `Use a field such as stage or organization.country, or a period such as month(created_at)`)
  .meta({ forAgents: { type: 'string' } })

export const Values = z
  .record(z.string(), z.union([z.number(), z.string(), z.null()]))
  .meta({ id: 'MeasuredValues', description: 'By measure, e.g. {"count": 3, "sum(amount)": 1200}' })
export const unconverted = z
  .array(z.strictObject({ field: z.string(), currency: z.string(), count: z.int(), sum: z.number() }))
  .describe('Amounts in currencies without an exchange rate, which are excluded from the values')
  .meta({ forAgents: 'unless empty' })

export const AggregateGroup = z
  .strictObject({
    keys: z
      .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe(
        'One per group_by: an option, the ID of a user or record, the first day of a period, or a value; null: empty',
      ),
    labels: z.array(z.string().nullable()).describe('Display names of the keys').meta({ forAgents: 'unless keys' }),
    is_other: z.boolean().meta({ forAgents: 'unless empty' }).describe('Combines all groups after the top ones'),
    values: Values,
    unconverted,
    filter: z
      .string()
      .nullable()
      .describe(
        'Add it to your filter with "and" to select the records of this group; null: no filter can select them, or filters is false (the default for agents)',
      ),
  })
  .meta({ id: 'AggregateGroup' })

export const aggregates = {
  aggregateRecords: operation({
    summary: 'Count, sum and group records',
    http: 'POST /records/:object/aggregation',
    replaces: [{ http: 'POST /records/:object/aggregate' }],
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({
      object,
      filter: FilterTextOrJson.optional().describe('Records to include; default: all'),
      measures: z
        .array(measure)
        .min(1)
        .max(10)
        .default(['count'])
        .describe(`count, or of a field: ${fieldMeasures.join(', ')}; e.g. ["count", "sum(amount)"]`),
      group_by: z
        .array(grouping)
        .max(2)
        .default([])
        .describe(
          `Fields, including related ones, or ${periods.join(', ')} of a date: ["organization.country", "month(created_at)"]`,
        ),
      order: z
        .string()
        .max(100)
        .default('key')
        .describe('Order of the groups: key or a measure; - reverses it: "-sum(amount)"'),
      top: z
        .int()
        .min(1)
        .max(100)
        .optional()
        .describe('Number of groups (pairs, with two group_by), by order or first measure; the rest are combined'),
      fill: z.boolean().default(false).describe('Include periods and options without records'),
      // No default: what a program leaves out depends on how it calls.
      filters: z.boolean().optional().describe('Include the filter of each group'),
    }),
    output: z.strictObject({
      totals: Values.describe('Across all records; each is counted once'),
      groups: z
        .array(AggregateGroup)
        .describe(
          'A record with several values in a field is counted in several groups; fields of hidden related records are empty',
        ),
      currency: z.string().nullable().describe("The company's currency, if a measure is a money field"),
      time_zone: z.string().nullable().describe('Time zone in which periods start'),
      unconverted,
    }),
    tool: 'Returns counts, sums and averages, in total and by group. Use it instead of adding up records.',
    untrusted: ['labels'],
  }),
}
