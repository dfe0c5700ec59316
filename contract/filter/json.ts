// The JSON notation as part of an operation's input.
import * as z from 'zod'
import { fromJson } from './from-json.ts'
import { limits } from './limits.ts'
import { type Op, ops, type Value } from './tree.ts'
import { ranges, relativePattern } from './words.ts'

/** A filter as a caller may send it: a bare array means and; groups of one and empty lists at the top are fine. */
export type FilterInput =
  | FilterInput[]
  | { and: FilterInput[] }
  | { or: FilterInput[] }
  | { not: FilterInput }
  | { any: string; where: FilterInput }
  | { none: string; where: FilterInput }
  | { search: string }
  | { field: string; op: Op; value?: Value | Value[] }

// The schema is short, for agents pay for each line of it; `fromJson` holds the rest.
const text = z.string().max(limits.characters)
const path = z.string()
const FilterValue = z
  .union([
    text,
    z.number(),
    z.boolean(),
    z.strictObject({ me: z.literal(true) }),
    z.strictObject({ relative: z.string().regex(relativePattern) }),
    z.strictObject({ range: z.enum(ranges) }),
  ])
  .meta({ id: 'FilterValue' })
const FilterNode: z.ZodType<FilterInput, FilterInput> = z
  .lazy(() =>
    z.union([
      z.array(FilterNode),
      z.strictObject({ and: z.array(FilterNode) }),
      z.strictObject({ or: z.array(FilterNode) }),
      z.strictObject({ not: FilterNode }),
      z.strictObject({ any: path, where: FilterNode }),
      z.strictObject({ none: path, where: FilterNode }),
      z.strictObject({ search: z.string() }),
      z.strictObject({ field: path, op: z.enum(ops), value: z.union([FilterValue, z.array(FilterValue)]).optional() }),
    ]),
  )
  .meta({ id: 'Filter' })

/** The JSON notation in an operation's input. What is wrong is said by `fromJson`, which sees more than a schema. */
export const FilterJson = z.preprocess((input, context) => refuse(input, context), FilterNode)

/** Either notation. */
export const FilterTextOrJson = z
  .preprocess(
    (input, context) => (typeof input === 'string' ? input : refuse(input, context)),
    z.union([text, FilterNode]),
  )
  // The text says all that the JSON does, and agents pay for every line that they read.
  .meta({ forAgents: { type: 'string' } })

function refuse(input: unknown, context: z.RefinementCtx) {
  const result = fromJson(input)
  if ('faults' in result)
    for (const { path, message } of result.faults) context.addIssue({ code: 'custom', path, message })
  return input
}
