// What programs written against one OpenAPI document can no longer rely on in another. The libraries that compare
// documents know OpenAPI 3.0 or need another runtime, and ours is 3.1 with few keywords.
import type { Replaced } from '../../contract/operation.ts'

export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
} & { [limit in Limit]?: number }
type Content = Record<string, { schema: Schema }>
type Parameter = { name: string; in: string; required: boolean; schema: Schema }
type Operation = {
  operationId: string
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { $ref?: string; content: Content }>
}
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
type Limit = (typeof upper)[number] | (typeof lower)[number]
export type Break = { operation: string; what: string }

const upper = ['maximum', 'maxLength', 'maxItems'] as const
const lower = ['minimum', 'minLength', 'minItems'] as const

/** What still works although it is no longer described: the operations that replace others, by name. */
export type Replacing = Record<string, Replaced[]>

export function breaksBetween(old: Document, now: Document, replacing: Replacing = {}): Break[] {
  const breaks: Break[] = []
  const current = Object.values(now.paths).flatMap((methods) => Object.values(methods))
  const replaces = ({ operationId }: Operation, route: string) =>
    replacing[operationId]?.some(({ http }) => http === route)
  for (const [path, methods] of Object.entries(old.paths))
    for (const [method, was] of Object.entries(methods)) {
      const route = `${method.toUpperCase()} ${path.replace(/^\/(api\/v1|public)/, '').replaceAll(/\{(\w+)\}/g, ':$1')}`
      const is = now.paths[path]?.[method] ?? current.find((one) => replaces(one, route))
      const report = (what: string) => breaks.push({ operation: was.operationId, what })
      if (is) compareOperations(comparing(old, now), was, is, report, replacing[is.operationId])
      else report(`${method.toUpperCase()} ${path} is gone`)
    }
  return breaks
}

type Report = (what: string) => void
type Compare = ReturnType<typeof comparing>

function compareOperations(compare: Compare, was: Operation, is: Operation, report: Report, replaced: Replaced[] = []) {
  const isKnown = [is.operationId, ...replaced.map(({ name }) => name)].includes(was.operationId)
  if (!isKnown) report(`is called ${is.operationId}`)
  const fields = Object.assign({}, ...replaced.map((one) => one.fields)) as Record<string, string>
  const [taken, takes] = [inputOf(was, fields), inputOf(is)]
  compare.input(taken, takes).forEach(report)
  for (const [status, { content = {} }] of Object.entries(was.responses)) {
    if (!is.responses[status]) report(`no longer answers with ${status}`)
    for (const [type, { schema }] of Object.entries(content)) {
      const shown = is.responses[status]?.content[type]
      if (shown) compare.output(schema, shown.schema).forEach(report)
      else report(`no longer answers as ${type}`)
    }
  }
}

/** Parameters and body as one object: where a value travels is compared by its name, `query.limit`. */
function inputOf({ parameters, requestBody }: Operation, renamed: Record<string, string> = {}): Schema {
  const named = (place: string, name: string) => `${place}.${renamed[name] ?? name}`
  const own = parameters.map(({ name, in: place, required, schema }) => [named(place, name), schema, required] as const)
  const { properties = {}, required = [] } = requestBody?.content['application/json']?.schema ?? {}
  const body = Object.entries(properties).map(
    ([name, schema]) => [named('body', name), schema, required.includes(name)] as const,
  )
  const all = [...own, ...body]
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(([name, schema]) => [name, schema])),
    required: all.filter(([, , isRequired]) => isRequired).map(([name]) => name),
    additionalProperties: false,
  }
}

function comparing(old: Document, now: Document) {
  /** Schemas refer to themselves: a pair that is being compared higher up needs no second look. */
  const open = new Set<string>()
  const resolve = (document: Document, schema: Schema): Schema => {
    const keys = schema.$ref?.split('/').slice(1)
    const found = keys?.reduce<unknown>((inside, key) => (inside as Record<string, unknown>)[key], document) as Schema
    return !keys ? schema : found.$ref === schema.$ref ? {} : resolve(document, found)
  }
  const choices = (document: Document, schema: Schema): Schema[] => {
    const resolved = resolve(document, schema)
    if (Array.isArray(resolved.type)) return resolved.type.map((type) => ({ ...resolved, type }))
    return resolved.anyOf?.flatMap((one) => choices(document, one)) ?? [resolved]
  }

  /** What was sent before is still taken. */
  function input(was: Schema, is: Schema, at = ''): string[] {
    return once(was, is, () =>
      choices(old, was).flatMap((sent) =>
        fewest(near(choices(now, is), sent).map((taken) => inputBreaks(sent, taken, at))),
      ),
    )
  }

  function inputBreaks(was: Schema, is: Schema, at: string): string[] {
    if (isAnything(is)) return []
    if (isAnything(was) || !isWithin(was, is)) return [`${at}: takes ${nameOf(is)} instead of ${nameOf(was)}`]
    const known = valuesOf(is)
    const refused = known ? (valuesOf(was) ?? ['other values']).filter((value) => !known.includes(value)) : []
    const found = refused.map((value) => `${at}: no longer takes ${value}`)
    for (const limit of upper)
      if ((is[limit] ?? Infinity) < (was[limit] ?? Infinity)) found.push(`${at}: ${limit} is ${is[limit]}`)
    for (const limit of lower)
      if ((is[limit] ?? -Infinity) > (was[limit] ?? -Infinity)) found.push(`${at}: ${limit} is ${is[limit]}`)
    for (const name of is.required ?? [])
      if (!was.required?.includes(name)) found.push(`${join(at, name)}: is required`)
    for (const [name, schema] of Object.entries(was.properties ?? {})) {
      const taken = is.properties?.[name]
      if (taken) found.push(...input(schema, taken, join(at, name)))
      else if (is.additionalProperties === false) found.push(`${join(at, name)}: is no longer taken`)
    }
    return [...found, ...inner(was, is, at, input)]
  }

  /** What is answered now was possible before. */
  function output(was: Schema, is: Schema, at = ''): string[] {
    return once(was, is, () =>
      choices(now, is).flatMap((shown) =>
        fewest(near(choices(old, was), shown).map((known) => outputBreaks(known, shown, at))),
      ),
    )
  }

  function outputBreaks(was: Schema, is: Schema, at: string): string[] {
    if (isAnything(was)) return []
    if (isAnything(is) || !isWithin(is, was)) return [`${at}: answers ${nameOf(is)} instead of ${nameOf(was)}`]
    const found: string[] = []
    for (const [name, schema] of Object.entries(was.properties ?? {})) {
      const shown = is.properties?.[name]
      if (!shown) found.push(`${join(at, name)}: is no longer answered`)
      else found.push(...output(schema, shown, join(at, name)))
      if (shown && was.required?.includes(name) && !is.required?.includes(name))
        found.push(`${join(at, name)}: may be left out`)
    }
    return [...found, ...inner(was, is, at, output)]
  }

  function inner(was: Schema, is: Schema, at: string, compare: typeof input): string[] {
    const [each, now] = [was.additionalProperties, is.additionalProperties]
    const values = typeof each === 'object' && typeof now === 'object' ? compare(each, now, join(at, '*')) : []
    return [...values, ...(was.items && is.items ? compare(was.items, is.items, `${at}[]`) : [])]
  }

  function once(was: Schema, is: Schema, work: () => string[]) {
    const pair = was.$ref && is.$ref && `${was.$ref} ${is.$ref}`
    if (!pair) return work()
    if (open.has(pair)) return []
    open.add(pair)
    const found = work()
    open.delete(pair)
    return found
  }

  return { input: (was: Schema, is: Schema) => input(was, is), output: (was: Schema, is: Schema) => output(was, is) }
}

const join = (at: string, name: string) => (at ? `${at}.${name}` : name)
/** Of several choices, those of the same type; if there are none, what is wrong is the type. */
const near = (choices: Schema[], to: Schema) => {
  const same = choices.filter((one) => isAnything(one) || isAnything(to) || isWithin(one, to) || isWithin(to, one))
  return same.length ? same : choices
}
const fewest = (found: string[][]) => found.sort((a, b) => a.length - b.length)[0] ?? []
const typeOf = (schema: Schema) => {
  const [value] = valuesOf(schema) ?? []
  return schema.type ?? (value === undefined ? undefined : value === null ? 'null' : typeof value)
}
const isAnything = (schema: Schema) => typeOf(schema) === undefined
const isWithin = (a: Schema, b: Schema) =>
  typeOf(a) === typeOf(b) || (typeOf(a) === 'integer' && typeOf(b) === 'number')
const valuesOf = ({ enum: values, const: only }: Schema) => values ?? (only === undefined ? undefined : [only])
const nameOf = (schema: Schema) => typeOf(schema) ?? 'anything'
