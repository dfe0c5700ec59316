// Checks whether one record matches, using only its own comparable values and no database.
import type { Comparable, Match, MatchValues } from './comparable.ts'
import type { Interval } from './moments.ts'
import type { Resolved, Test } from './resolve.ts'

/**
 * 'ask': the record's own values are not enough, because the answer depends on related records, on a search, or on a
 * relation whose IDs are not among the values. Ask the database about this record instead.
 */
export type Answer = boolean | 'ask'

export function evaluate(filter: Resolved, values: MatchValues): Answer {
  if (filter.kind === 'and') return combined(filter.parts, values, false)
  if (filter.kind === 'or') return combined(filter.parts, values, true)
  if (filter.kind === 'not') return opposite(evaluate(filter.part, values))
  if (filter.kind !== 'test' || filter.path.length > 1) return 'ask'
  const { field } = filter.path[0]!
  const value = Object.hasOwn(values, field.key) ? values[field.key] : undefined
  // An empty relation is an empty list; a missing one was not loaded.
  if (value === undefined && field.type === 'relation') return 'ask'
  return passes(filter.test, value)
}

const opposite = (answer: Answer): Answer => (answer === 'ask' ? 'ask' : !answer)

/** One part with the deciding answer decides. */
function combined(parts: Resolved[], values: MatchValues, deciding: boolean): Answer {
  let isOpen = false
  for (const part of parts) {
    const answer = evaluate(part, values)
    if (answer === deciding) return deciding
    if (answer === 'ask') isOpen = true
  }
  return isOpen ? 'ask' : !deciding
}

export function passes(test: Test, match: Match) {
  const values = Array.isArray(match) ? match : match === null || match === undefined ? [] : [match]
  if (test.kind === 'present') return match === null || values.length > 0
  if ('values' in test) {
    if (test.kind === 'oneOf') return values.some((value) => test.values.includes(value))
    return test.values.every((wanted) => values.includes(wanted))
  }
  if (test.kind === 'within') return values.some((value) => test.intervals.some((interval) => lies(value, interval)))
  return values.some((value) => typeof value === 'string' && matches(test, value))
}

function matches({ kind, text }: { kind: 'contains' | 'startsWith' | 'endsWith'; text: string }, value: string) {
  if (kind === 'contains') return value.includes(text)
  return kind === 'startsWith' ? value.startsWith(text) : value.endsWith(text)
}

const lies = (value: Comparable, { gt, gte, lt, lte }: Interval) =>
  (gt === undefined || value > gt) &&
  (gte === undefined || value >= gte) &&
  (lt === undefined || value < lt) &&
  (lte === undefined || value <= lte)
