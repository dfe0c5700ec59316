// Schemas and results as agents like them: no noise, and an absent value instead of an empty one.
import * as z from 'zod'

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; required?: string[]; anyOf?: Schema[] }

/** A schema's JSON Schema without what agents do not need; what may be null becomes what may be absent. */
export function schemaForAgents(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io }) as Schema & { $defs?: Record<string, Schema> }
  const shown = forAgents(inlined(whole, $defs))
  return io === 'input' ? shown : withoutStrictness(shown)
}

// A property may have one of these names as well; its schema is an object, these are not.
const unsaid = new Set(['format', 'enum', 'minimum', 'maximum', 'pattern', 'required', 'additionalProperties'])

/** What an answer does not hold need not be said: it costs tokens in every list of tools. */
const withoutStrictness = (schema: Schema) =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      (unsaid.has(key) && !isSchema(value)) || key === 'propertyNames' ? undefined : value,
    ),
  ) as Schema

/** Some clients follow no references, and a root that is one is no object to them. */
function inlined(schema: Schema, defs: Record<string, Schema>): Schema {
  if (isSchema(schema.forAgents)) {
    const { description } = schema
    return description === undefined ? schema.forAgents : { ...schema.forAgents, description }
  }
  const target = typeof schema.$ref === 'string' ? defs[schema.$ref.slice('#/$defs/'.length)] : undefined
  const { $ref: _, ...own } = schema
  const whole = target ? { ...inlined(target, defs), ...own } : schema
  return Object.fromEntries(
    Object.entries(whole).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? value.map((item) => (isSchema(item) ? inlined(item, defs) : item))
        : isSchema(value)
          ? inlined(value, defs)
          : value,
    ]),
  )
}

// Whoever goes beyond one is told in words, which is soon enough.
const bounds = ['minLength', 'maxLength', 'minItems', 'maxItems']

function forAgents(schema: object): Schema {
  const { $schema: _, id: __, ...kept } = schema as Schema
  if (kept.format) delete kept.pattern
  if (kept.maximum === Number.MAX_SAFE_INTEGER) delete kept.maximum
  if (kept.minimum === Number.MIN_SAFE_INTEGER) delete kept.minimum
  for (const bound of bounds) if (!isSchema(kept[bound])) delete kept[bound]
  for (const [key, value] of Object.entries(kept)) {
    if (Array.isArray(value)) kept[key] = value.map((item) => (isSchema(item) ? forAgents(item) : item))
    else if (isSchema(value)) kept[key] = key === 'properties' ? eachOf(value) : forAgents(value)
  }
  const { properties } = kept
  if (!properties) return kept
  const nullable = Object.keys(properties).filter((name) => isNullable(properties[name]!))
  for (const name of nullable) properties[name] = withoutNull(properties[name]!)
  if (kept.required) kept.required = kept.required.filter((name) => !nullable.includes(name))
  return kept
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isNull = (schema: Schema) => schema.type === 'null'
const isNullable = ({ type, anyOf }: Schema) => (Array.isArray(type) && type.includes('null')) || anyOf?.some(isNull)
const eachOf = (schemas: object) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, forAgents(schema)]))

function withoutNull({ type, anyOf, ...rest }: Schema): Schema {
  if (Array.isArray(type))
    return {
      ...rest,
      type: type.length === 2 ? type.find((one) => one !== 'null') : type.filter((one) => one !== 'null'),
    }
  const left = (anyOf ?? []).filter((schema) => !isNull(schema))
  return left.length === 1 ? { ...left[0], ...rest } : { anyOf: left, ...rest }
}

/** Drops the nulls that the schema allows. Free-form values keep theirs: there a null says something. */
export function leaveOutEmpty(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => leaveOutEmpty(schema.element, item))
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return leaveOutEmpty(schema.unwrap(), value)
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value
  const kept: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value)) {
    const inner = schema.shape[name]
    if (part === null && takesNull(inner)) continue
    kept[name] = inner ? leaveOutEmpty(inner, part) : part
  }
  return kept
}

const takesNull = (schema: z.core.$ZodType | undefined): boolean =>
  schema instanceof z.ZodNullable || (schema instanceof z.ZodOptional && takesNull(schema.unwrap()))
