// A filter as part of an operation's input. `fromJson` and `parse` check it, because a schema cannot express the rules.
import * as z from 'zod'
import { durationPattern, ranges, relativePattern } from './bare-words.ts'
import { limits } from './limits.ts'
import { type Op, ops, type Value } from './tree.ts'

/** A filter as callers send it. A bare array means `and`; groups of one, and an empty list at the top, are allowed. */
export type FilterInput =
  | FilterInput[]
  | { and: FilterInput[] }
  | { or: FilterInput[] }
  | { not: FilterInput }
  | { any: string; where: FilterInput }
  | { none: string; where: FilterInput }
  | { search: string }
  | { quiet_for: string }
  | { field: string; op: Op; value?: Value | Value[] }

const text = { type: 'string' }
const filter = { $ref: '#/$defs/Filter' }
const filters = { type: 'array', items: filter }
/** Of filters, which the schema does not say: generators of clients cannot write a type that is a list of itself. */
const bareList = { type: 'array', items: {} }
const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const value = { $ref: '#/$defs/Filter/$defs/Value' }

/** The properties of each kind of object: documented by the schema, enforced by `fromJson`. */
export const shapes = {
  and: { and: filters },
  or: { or: filters },
  not: { not: filter },
  any: { any: text, where: filter },
  none: { none: text, where: filter },
  search: { search: text },
  quiet_for: { quiet_for: { ...text, pattern: durationPattern.source } },
  condition: { field: text, op: { enum: ops }, value: { anyOf: [value, { type: 'array', items: value }] } },
}
const { condition, ...others } = shapes

const node = {
  anyOf: [bareList, ...Object.values(others).map((shape) => object(shape)), object(condition, ['field', 'op'])],
  $defs: {
    Value: {
      anyOf: [
        { type: ['string', 'number', 'boolean'] },
        object({ me: { const: true } }),
        object({ relative: { ...text, pattern: relativePattern.source } }),
        object({ range: { enum: ranges } }),
      ],
    },
  },
}

/** Documented but not validated here: reading the filter reports better errors, each with its position. */
const described = <T>(meta: Record<string, unknown>) => z.unknown().meta(meta) as unknown as z.ZodType<T, T>

const FilterJson = described<FilterInput>({ id: 'Filter', ...node })

export const FilterTextOrJson = z
  .union([described<string>({ ...text, maxLength: limits.characters }), FilterJson])
  .refine((filter) => filter !== undefined, 'This is required')
  // Text can express everything that JSON can, and agents pay for every line they read.
  .meta({ forAgents: text })
