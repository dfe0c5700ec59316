// Shortens answers for agents: omits empty values and everything that only a screen needs.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'

/**
 * How a schema is shown to agents, set with `meta({ forAgents })`. hidden: never. unless null, unless empty: only if it
 * has a value. unless keys: only if it says more than the property `keys` next to it. sparse: all empty properties are
 * omitted.
 */
type Shown = 'hidden' | 'unless null' | 'unless empty' | 'unless keys' | 'sparse'
type Lean = (value: unknown) => unknown
type Property = { lean: Lean; isHidden: boolean; isLeftOut: (value: unknown, of: Record<string, unknown>) => boolean }

const made = new WeakMap<z.core.$ZodType, Lean>()

/** Omits nulls that the schema allows, and hidden or empty values. Nulls in free-form values are kept. */
export function leaveOutEmpty(schema: z.core.$ZodType, value: unknown): unknown {
  const known = made.get(schema) ?? leanOf(schema)
  made.set(schema, known)
  return known(value)
}

const asItIs: Lean = (value) => value
const never = () => false
const isNull = (value: unknown) => value === null
const isEmpty = (value: unknown) =>
  value === null || value === false || value === 0 || value === '' || (Array.isArray(value) && value.length === 0)

function leanOf(schema: z.core.$ZodType): Lean {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray) return eachItem(leanOf(inner.element))
  if (inner instanceof z.ZodRecord) return eachValue(leanOf(inner.valueType))
  if (inner instanceof z.ZodObject) return eachProperty(inner)
  return shownAs(schema) === 'sparse' ? withoutNulls : asItIs
}

const eachItem = (lean: Lean): Lean =>
  lean === asItIs ? asItIs : (value) => (Array.isArray(value) ? value.map(lean) : value)

const eachValue = (lean: Lean): Lean => {
  if (lean === asItIs) return asItIs
  return (value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, lean(item)])) : value
}

function eachProperty(schema: z.ZodObject): Lean {
  const isSparse = shownAs(schema) === 'sparse'
  const properties = new Map(
    Object.entries(schema.shape).map(([name, property]): [string, Property] => {
      const shown = shownAs(property)
      return [
        name,
        { lean: leanOf(property), isHidden: shown === 'hidden', isLeftOut: leftOut(property, shown, isSparse) },
      ]
    }),
  )
  return (value) => {
    if (!isObject(value)) return value
    const kept: Record<string, unknown> = {}
    for (const [name, part] of Object.entries(value)) {
      const property = properties.get(name)
      if (property?.isHidden || property?.isLeftOut(part, value)) continue
      kept[name] = property ? property.lean(part) : part
    }
    return kept
  }
}

function leftOut(property: z.core.$ZodType, shown: Shown | undefined, isSparse: boolean) {
  if (shown === 'unless keys')
    return (value: unknown, { keys }: Record<string, unknown>) => isDeepStrictEqual(value, keys)
  if (isSparse || shown === 'unless empty') return isEmpty
  return shown === 'unless null' || takesNull(property) ? isNull : never
}

/** For records, of which there are many: setting undefined, which JSON omits, is faster than copying properties. */
function withoutNulls(value: unknown) {
  if (!isObject(value)) return value
  const kept = { ...value }
  for (const name in kept) if (kept[name] === null) kept[name] = undefined
  return kept
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema

const takesNull = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodNullable || (schema instanceof z.ZodOptional && takesNull(schema.unwrap()))

function shownAs(schema: z.core.$ZodType): Shown | undefined {
  const setting = z.globalRegistry.get(schema)?.forAgents
  if (typeof setting === 'string') return setting as Shown
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? shownAs(schema.unwrap()) : undefined
}
