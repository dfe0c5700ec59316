// Turns zod schemas into the JSON Schema of the OpenAPI document, and into examples.
import * as z from 'zod'
import type { Schema } from '../../../contract/document/api-document.ts'
import { exampleId } from '../../../contract/document/examples.ts'
import { resolved, type Schemas } from '../../../contract/document/schema-words.ts'
import type { Operation } from '../../../contract/operation.ts'

type Json = Record<string, unknown>
export const ref = (id: string) => ({ $ref: `#/components/schemas/${id}` })
const idOf = (schema: z.ZodType) => z.globalRegistry.get(schema)?.id

/** Schemas of a document. Zod adds referenced schemas to each schema; here they share one place. */
export function schemasOf(inputs: z.ZodType[], outputs: z.ZodType[]) {
  const taken: Json = {}
  const answered: Json = {}
  for (const input of inputs) Object.assign(taken, toSchema(input, 'input').$defs)
  for (const output of outputs) {
    const id = idOf(output)
    const { $defs = {}, ...own } = toSchema(output, 'output') as Json & { $defs?: Json }
    // Zod may put the schema itself among those it refers to.
    Object.assign(answered, $defs, id && !Object.hasOwn($defs, id) && { [id]: own })
  }
  const different = differing(taken, answered)
  const forInput = (id: string) => (different.has(id) ? `${id}Input` : id)
  const inputSchemas = Object.fromEntries(Object.entries(taken).map(([id, one]) => [forInput(id), one]))
  return {
    schemas: { ...shared(inputSchemas, forInput), ...shared(answered) } as Schemas,
    input: ({ input }: Operation) =>
      shared(toSchema(input, 'input'), forInput) as { properties?: Schemas; required?: string[] },
    output(output: z.ZodType): Schema {
      const id = idOf(output)
      if (id) return ref(id)
      const { $defs: _, ...own } = toSchema(output, 'output') as Json
      return shared(own)
    },
  }
}

/** With a default, a value may be left out in an input, but never in an answer: one name cannot stand for both. */
function differing(taken: Json, answered: Json) {
  const both = Object.keys(taken).filter((id) => id in answered)
  const found = new Set(both.filter((id) => JSON.stringify(taken[id]) !== JSON.stringify(answered[id])))
  const refersTo = (id: string) => [...found].some((one) => JSON.stringify(taken[id]).includes(`"#/$defs/${one}"`))
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const id of both) if (refersTo(id)) found.add(id)
  }
  return found
}

const shared = (schema: Json, name = (id: string) => id) =>
  JSON.parse(
    JSON.stringify(schema).replace(/"#\/\$defs\/([^"]+)"/g, (_, id: string) => JSON.stringify(ref(name(id)).$ref)),
  ) as Json

export function toSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    // Zod states both a format and its regular expression; readers need only the format.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern
      delete jsonSchema.id
      delete jsonSchema.forAgents
    },
  })
  return unnested(rest)
}

/** Generators of clients know only schemas at the top: `Value` of `Filter` becomes `FilterValue`. */
function unnested<T extends { $defs?: Record<string, { $defs?: Json }> }>({ $defs, ...schema }: T) {
  if (!$defs) return schema
  const all = Object.entries($defs).flatMap(([id, { $defs: own = {}, ...def }]): [string, unknown][] => [
    [id, def],
    ...Object.entries(own).map(([name, part]): [string, unknown] => [`${id}${name}`, part]),
  ])
  const text = JSON.stringify({ ...schema, $defs: Object.fromEntries(all) })
  return JSON.parse(text.replace(/(#\/\$defs\/\w+)\/\$defs\/(?=\w+")/g, '$1')) as Json & { $defs: Json }
}

const ofFormat: Record<string, string> = {
  uuid: exampleId,
  'date-time': '2026-11-16T09:00:00Z',
  uri: 'https://example.com',
  email: 'ada@example.com',
}

/** A value with only what is required. Contract tests check that each one is valid. */
export function exampleFrom(schema: Schema, schemas: Schemas): unknown {
  const whole = resolved(schema, schemas)
  if (whole.default !== undefined) return whole.default
  if (whole.const !== undefined) return whole.const
  if (whole.enum) return whole.enum[0]
  const variants = whole.anyOf ?? whole.oneOf
  if (variants) return exampleFrom(variants[0]!, schemas)
  const type = [whole.type].flat()[0]
  if (type === 'string') return ofFormat[whole.format ?? ''] ?? 'example'
  if (type === 'integer' || type === 'number') return whole.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'array') return whole.minItems ? [exampleFrom(whole.items ?? {}, schemas)] : []
  if (type !== 'object') return null
  const { properties = {}, required = [] } = whole
  return Object.fromEntries(required.map((name) => [name, exampleFrom(properties[name] ?? {}, schemas)]))
}
