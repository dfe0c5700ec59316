// The values of built-in fields, which companies may have under another key.
import { own } from '../../../contract/shared/own.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import type { Values } from './from-row.ts'

/**
 * What a derived value depends on. `sent`: what the caller gave, without defaults; nothing in an undo, which restores
 * what was derived then.
 */
export type Origin = {
  before?: Values | undefined
  /** When the record was created; nothing: now. */
  created_at?: Date | string
  /** It comes from another system, where it happened long ago: nobody can be asked for what a new stage needs. */
  isImported?: boolean
  sent?: Values
  now: Date
}
export type ObjectContext = {
  schema: Pick<Schema, 'pipelines' | 'lead_response_minutes' | 'working_hours' | 'time_zone'>
  object: ObjectSchema
}

/** A time that was entered, or the current one when the record is being closed. */
export const keptOr = (object: ObjectSchema, values: Values, key: string, isClosing: boolean, now: Date) =>
  builtInValue(object, values, key) ?? (isClosing ? now.toISOString() : undefined)

export function builtInValue(object: ObjectSchema, values: Values, key: string) {
  const field = object.builtIn.get(key)
  return field && own(values, field.key)
}

/** Replaces these values; undefined removes one. Skips fields that the company does not have yet. */
export function withBuiltIn(object: ObjectSchema, values: Values, given: Values): Values {
  const derived = { ...values }
  for (const [key, value] of Object.entries(given)) {
    const field = object.builtIn.get(key)
    if (!field) continue
    if (value === undefined) delete derived[field.key]
    else derived[field.key] = value
  }
  return derived
}
