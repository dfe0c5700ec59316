// The schema of a tool's arguments, as short as possible, because every list of tools contains it.
import * as z from 'zod'

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; required?: string[]; anyOf?: Schema[] }

/** Other limits and formats are omitted, because error messages explain them when they matter. */
const omitted = new Set([
  '$schema',
  '$defs',
  'id',
  'forAgents',
  'format',
  'pattern',
  'minimum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'additionalProperties',
  'propertyNames',
])

/** Nullable values become optional ones. References are resolved, because some clients do not follow them. */
export function schemaForAgents(input: z.ZodType): Schema {
  const whole = z.toJSONSchema(input, { io: 'input' }) as Schema & { $defs?: Record<string, Schema> }
  const schema = { type: 'object', properties: {}, ...shortened(whole, whole.$defs ?? {}) }
  return Object.keys(schema.properties).length ? schema : { ...schema, additionalProperties: false }
}

function shortened(schema: Schema, defs: Record<string, Schema>): Schema {
  const { $ref, forAgents, description } = schema
  if (typeof $ref === 'string') {
    const { $ref: _, ...siblings } = schema
    return shortened({ ...defs[$ref.slice('#/$defs/'.length)], ...siblings }, defs)
  }
  if (isSchema(forAgents)) return description === undefined ? forAgents : { ...forAgents, description }
  const kept: Schema = {}
  for (const [key, value] of Object.entries(schema)) {
    if (omitted.has(key) || (key === 'default' && isNothing(value))) continue
    if (key === 'maximum' && Number(value) > mostGuessed) continue
    if (key === 'items' && isSchema(value) && value.type === 'string')
      kept.items = { type: 'string', ...(value.enum ? { enum: value.enum } : {}) } as Schema
    else if (key === 'properties') kept.properties = propertiesOf(value as Record<string, Schema>, defs)
    else if (Array.isArray(value)) kept[key] = value.map((item) => (isSchema(item) ? shortened(item, defs) : item))
    else kept[key] = isSchema(value) ? shortened(value, defs) : value
  }
  return withoutNull(kept)
}

/** Agents guess page sizes, and a higher one is an error. */
const mostGuessed = 1000
const isNothing = (value: unknown) => value === false || value === '' || (Array.isArray(value) && value.length === 0)

const propertiesOf = (properties: Record<string, Schema>, defs: Record<string, Schema>) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, { forAgents }]) => forAgents !== 'hidden')
      .map(([name, property]) => [name, shortened(property, defs)]),
  )

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function withoutNull({ anyOf, ...rest }: Schema): Schema {
  if (!anyOf) return rest
  const left = anyOf.filter(({ type }) => type !== 'null')
  return left.length === 1 ? { ...left[0], ...rest } : { anyOf: left, ...rest }
}
