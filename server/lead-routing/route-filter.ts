// Compares leads with the filters of routes, and says which condition does not match.
import {
  type Checked,
  evaluate,
  explain,
  hasFaults,
  type MatchValues,
  type Resolved,
  resolve,
} from '../../contract/filter/index.ts'
import { readFilterIn, wholeScopeOf } from '../engine/rights/scope.ts'
import type { ObjectSchema, Schema } from '../engine/schema/schema.ts'
import { comparableValues, fieldsIn, isTimeless, needsDatabase } from '../engine/subscriptions/filters.ts'
import type { Stored } from '../engine/values/from-row.ts'

/** A lead with what is known of its comparable values, each of which is computed once, however many routes ask for it. */
export type Compared = { lead: Stored; values: MatchValues }
/** null: the lead matches. Otherwise the first condition that does not, in words. */
export type Matcher = (compared: Compared, now: Date) => string | null

const known = new WeakMap<Schema, Map<string, Matcher | undefined>>()
const always: Matcher = () => null

/** Read once per version of the schema. Undefined: the filter no longer works. */
export function matcherFor(schema: Schema, leads: ObjectSchema, filter: string | null): Matcher | undefined {
  if (filter === null) return always
  const matchers = known.get(schema) ?? new Map<string, Matcher | undefined>()
  if (!matchers.size) known.set(schema, matchers)
  const matcher = matchers.get(filter)
  if (matcher || matchers.has(filter)) return matcher
  const read = readMatcher(schema, leads, filter)
  matchers.set(filter, read)
  return read
}

function readMatcher(schema: Schema, leads: ObjectSchema, filter: string): Matcher | undefined {
  const read = readFilterIn(wholeScopeOf(schema), leads.key, filter)
  if (hasFaults(read) || needsDatabase(read.checked)) return undefined
  const parts: Checked[] = read.checked.kind === 'and' ? read.checked.parts : [read.checked]
  const fields = fieldsIn(read.checked)
  const { time_zone: timeZone, first_weekday: firstWeekday, language } = schema
  const resolvedAt = (part: Checked, now: Date): Resolved | undefined => {
    const result = resolve(part, { now, timeZone, firstWeekday, languages: [language], me: '' })
    return hasFaults(result) ? undefined : result.resolved
  }
  const lasting = parts.map((part) => ({
    part,
    words: explain(part),
    kept: isTimeless(part) ? resolvedAt(part, new Date(0)) : undefined,
  }))
  return ({ lead, values }, now) => {
    for (const field of fields)
      if (!(field.key in values)) Object.assign(values, comparableValues(schema, [field], lead))
    for (const { part, words, kept } of lasting) {
      const resolved = kept ?? resolvedAt(part, now)
      if (!resolved || evaluate(resolved, values) !== true) return words
    }
    return null
  }
}

/** Without a prototype, so that no field is taken for something that every object has. */
export const compared = (lead: Stored): Compared => ({ lead, values: Object.create(null) })
