// The score of a lead: the sum of the points of all rules that it matches.
import { own } from '../../../../contract/shared/own.ts'
import { builtInInUse, type ObjectSchema, type Schema } from '../../schema/schema.ts'
import type { Target } from '../../schema/target.ts'
import { matcherOf } from '../../subscriptions/filters.ts'
import { withBuiltIn } from '../../values/built-in-values.ts'
import type { Stored, Values } from '../../values/from-row.ts'

type Rule = { name: string; points: number; matches(record: Stored, now: Date): boolean }
const known = new WeakMap<Schema, Rule[]>()

/** A rule with a filter that no longer works gives no points. */
function rulesOf(schema: Schema, leads: ObjectSchema) {
  const rules =
    known.get(schema) ??
    schema.lead_score_rules.flatMap(({ name, filter, points }): Rule[] => {
      const matches = matcherOf(schema, leads, filter, '')
      return matches ? [{ name, points, matches }] : []
    })
  known.set(schema, rules)
  return rules
}

/** The rules that give a lead its points, as they are now. */
export const scoredBy = ({ schema, object, context }: Target, lead: Stored) =>
  rulesOf(schema, object)
    .filter(({ matches }) => matches(lead, context.now))
    .map(({ name, points }) => ({ name, points }))

/** Without rules, people set the score. `record`: the lead with these values. */
export function withScore({ schema, object, context }: Target, values: Values, record: Stored): Values {
  if (object.built_in_key !== 'leads' || !schema.lead_score_rules.length) return values
  const field = builtInInUse(object, 'score')
  if (!field) return values
  const score = rulesOf(schema, object).reduce(
    (sum, { points, matches }) => (matches(record, context.now) ? sum + points : sum),
    0,
  )
  return own(values, field.key) === score ? values : withBuiltIn(object, values, { score })
}
