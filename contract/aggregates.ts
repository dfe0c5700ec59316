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

/** More groups help no one; `top` sums up the rest. */
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
  .regex(measurePattern, `Use count, or one of ${fieldMeasures.join(', ')} with a field, such as sum(amount)`)
  .meta({ forAgents: { type: 'string' } })
export const grouping = z
  .string()
  .regex(groupPattern, `Use a field such as stage or organization.country, or a period such as month(created_at)`)
  .meta({ forAgents: { type: 'string' } })

export const Values = z
  .record(z.string(), z.union([z.number(), z.string(), z.null()]))
  .meta({ id: 'MeasuredValues', description: 'By measure, such as {"count": 3, "sum(amount)": 1200}' })
export const unconverted = z
  .array(z.strictObject({ field: z.string(), currency: z.string(), count: z.int(), sum: z.number() }))
  .describe('Amounts in currencies without an exchange rate, which the values do not contain')
  .meta({ forAgents: 'unless empty' })

export const AggregateGroup = z
  .strictObject({
    keys: z
      .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe('For each group_by: option, ID of a user or record, first day of a period, or value; null: empty'),
    labels: z.array(z.string().nullable()).describe('The keys as people know them').meta({ forAgents: 'unless keys' }),
    is_other: z.boolean().meta({ forAgents: 'unless empty' }).describe('All groups after the top ones together'),
    values: Values,
    unconverted,
    filter: z
      .string()
      .nullable()
      .describe(
        'Selects the records of this group if added to your filter with "and"; null: no filter can, or filters is false, which it is for agents by default',
      ),
  })
  .meta({ id: 'AggregateGroup' })

export const aggregates = {
  aggregateRecords: operation({
    summary: 'Count, sum and group records',
    http: 'POST /records/:object/aggregate',
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({
      object,
      filter: FilterTextOrJson.optional().describe('Which records; default: all'),
      measures: z
        .array(measure)
        .min(1)
        .max(10)
        .default(['count'])
        .describe(`count, or of a field: ${fieldMeasures.join(', ')}; such as ["count", "sum(amount)"]`),
      group_by: z
        .array(grouping)
        .max(2)
        .default([])
        .describe(
          `Fields, also of a related record, or ${periods.join(', ')} of a date: ["organization.country", "emails.domain", "month(created_at)"]`,
        ),
      order: z
        .string()
        .max(100)
        .default('key')
        .describe('Order of the groups: key, or a measure; - reverses: "-sum(amount)"'),
      top: z
        .int()
        .min(1)
        .max(100)
        .optional()
        .describe(
          'Only the first groups (of two group_by: pairs) by order, or by the first measure; the rest becomes one',
        ),
      fill: z.boolean().default(false).describe('Include periods and options without records'),
      // No default: what a program leaves out depends on how it calls.
      filters: z.boolean().optional().describe('Also the filter of each group'),
    }),
    output: z.strictObject({
      totals: Values.describe('Over all records; each counts once'),
      groups: z
        .array(AggregateGroup)
        .describe(
          'A record with several values of a field counts in several groups; fields of hidden related records are empty',
        ),
      currency: z.string().nullable().describe("The company's currency, if amounts of money are measured"),
      time_zone: z.string().nullable().describe('The time zone in which periods of times start'),
      unconverted,
    }),
    tool: 'Counts, sums and averages of records, in total and by group. Use it instead of adding up records.',
    untrusted: ['labels'],
  }),
}
