// A JSON Schema as readers of the API see it: a tree of named parts, each with a description of its type and limits.
import type { Schema } from './api-document.ts'

export type Schemas = Record<string, Schema>
/** `isVariant`: one of several forms that a value can have, named by its type. */
export type SchemaPart = { name: string; schema: Schema; isRequired: boolean; isVariant?: true }

const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)

/** The schema itself where it only refers to a shared one; what is said beside the reference wins. */
export function resolved({ $ref, allOf, ...own }: Schema, schemas: Schemas): Schema {
  const [first] = allOf ?? []
  const target = $ref ? schemas[nameOf($ref)] : first
  return target ? resolved({ ...target, ...own }, schemas) : own
}

const isNull = ({ type }: Schema) => type === 'null'
const variantsOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf

/** Only at the surface, because schemas may contain themselves. */
function isStructured(schema: Schema, schemas: Schemas) {
  const { properties, items, additionalProperties, ...whole } = resolved(schema, schemas)
  return Boolean(
    properties || typeof additionalProperties === 'object' || variantsOf(whole) || items?.$ref || items?.properties,
  )
}

/** What a value consists of; nothing for a plain value. */
export function partsOf(schema: Schema, schemas: Schemas): SchemaPart[] {
  const whole = resolved(schema, schemas)
  if (whole.items) return partsOf(whole.items, schemas)
  const variants = variantsOf(whole)?.filter((one) => !isNull(one))
  if (variants?.length === 1) return partsOf(variants[0]!, schemas)
  if (variants) {
    return variants
      .filter((one) => isStructured(one, schemas))
      .map((one) => ({
        name: one.title ?? typeWords(one, schemas),
        schema: one,
        isRequired: false,
        isVariant: true,
      }))
  }
  const { properties = {}, required = [], additionalProperties: others } = whole
  const named = Object.entries(properties).map(([name, part]) => ({
    name,
    schema: part,
    isRequired: required.includes(name),
  }))
  const isOpen = typeof others === 'object' && Object.keys(others).length > 0
  return isOpen ? [...named, { name: 'any name', schema: others, isRequired: false }] : named
}

/** Such as `string`, `uuid or null` or `array of Record`. */
export function typeWords(schema: Schema, schemas: Schemas): string {
  const whole = resolved(schema, schemas)
  const variants = variantsOf(whole)
  if (whole.items) return `array of ${typeWords(whole.items, schemas)}`
  if (schema.$ref && (whole.properties || whole.additionalProperties || variants)) return nameOf(schema.$ref)
  if (variants) return [...new Set(variants.map((one) => typeWords(one, schemas)))].join(' or ')
  if (whole.const !== undefined) return JSON.stringify(whole.const)
  const types = [whole.type ?? (whole.enum ? 'string' : 'any')].flat()
  return types.map((type) => (type === 'string' && whole.format ? whole.format : type)).join(' or ')
}

/** The values that are possible, if there are few; also inside of lists. */
export function choicesOf(schema: Schema, schemas: Schemas): string[] {
  const whole = resolved(schema, schemas)
  if (whole.items) return choicesOf(whole.items, schemas)
  const variants = (variantsOf(whole) ?? []).map((one) => resolved(one, schemas))
  return [whole, ...variants].flatMap((one) => one.enum ?? []).map(String)
}

/** Limits and the default, such as `1 to 100` and `default 20`. */
export function limitsOf(schema: Schema, schemas: Schemas): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: usual } = resolved(schema, schemas)
  // Zod states the safe range of whole numbers, which limits nothing.
  const isSafe = (limit: number | undefined) => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER
  const words = [
    rangeOf(isSafe(minimum) ? minimum : undefined, isSafe(maximum) ? maximum : undefined, ''),
    rangeOf(minLength, maxLength, 'characters'),
    rangeOf(minItems, maxItems, 'items'),
    usual === undefined ? '' : `default ${JSON.stringify(usual)}`,
  ]
  return words.filter(Boolean)
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string) {
  const counted = (limit: number) => `${limit.toLocaleString('en')} ${limit === 1 ? unit.slice(0, -1) : unit}`.trim()
  if (most === undefined) return least ? `at least ${counted(least)}` : ''
  return least && least !== most ? `${least.toLocaleString('en')} to ${counted(most)}` : `at most ${counted(most)}`
}
