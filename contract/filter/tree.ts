// The tree of a filter. It is also its JSON notation, which is stored, sent and shown.
import type { Range } from './bare-words.ts'

export type Filter =
  | { and: Filter[] }
  | { or: Filter[] }
  | { not: Filter }
  | { any: string; where: Filter }
  | { none: string; where: Filter }
  | { search: string }
  | { quiet_for: string }
  | Condition

/** `field` is a path: names joined by dots. `value` is a list for in, has and between, and a single value otherwise. */
export type Condition = { field: string; op: Op; value?: Value | Value[] }

/** A string is always a plain value. The current user, relative times and ranges of days are objects. */
export type Value = string | number | boolean | { me: true } | { relative: string } | { range: Range }

/** What follows an operator: nothing, one value, any number of values, or two values. */
export type Operands = 'none' | 'one' | 'list' | 'pair'

/** Every operator: its text, and what follows it. */
export const operators = {
  eq: { text: '=', operands: 'one' },
  ne: { text: '!=', operands: 'one' },
  contains: { text: '~', operands: 'one' },
  not_contains: { text: '!~', operands: 'one' },
  starts_with: { text: 'starts with', operands: 'one' },
  ends_with: { text: 'ends with', operands: 'one' },
  in: { text: 'in', operands: 'list' },
  not_in: { text: 'not in', operands: 'list' },
  lt: { text: '<', operands: 'one' },
  lte: { text: '<=', operands: 'one' },
  gt: { text: '>', operands: 'one' },
  gte: { text: '>=', operands: 'one' },
  between: { text: 'between', operands: 'pair' },
  is_empty: { text: 'is empty', operands: 'none' },
  is_not_empty: { text: 'is not empty', operands: 'none' },
  has_any: { text: 'has any', operands: 'list' },
  has_all: { text: 'has all', operands: 'list' },
  has_none: { text: 'has none', operands: 'list' },
} as const satisfies Record<string, { text: string; operands: Operands }>

export type Op = keyof typeof operators
export const ops = Object.keys(operators) as [Op, ...Op[]]

/** No condition: every record matches. Written as an empty text or an empty list. */
export const everything: Filter = { and: [] }

export const valuesOf = (condition: Condition): Value[] => {
  if (condition.value === undefined) return []
  return Array.isArray(condition.value) ? condition.value : [condition.value]
}
