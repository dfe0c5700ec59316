// What is typed into the fields of a call, as the input of the operation.
import { useQuery } from '@tanstack/react-query'
import {
  type ApiDocument,
  type ApiOperation,
  bodyOf,
  exampleOf,
  inputParameters,
  operationsOf,
  type Parameter,
} from '../../../contract/document/api-document.ts'
import { callOf } from '../../../contract/document/snippets.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { exampleValues } from './record-schemas.ts'
import { sendCall } from './send-call.ts'

/** What the fields contain: parameters by name, and the body as JSON. */
export type Typed = { parameters: Record<string, string>; body: string }
type Input = Record<string, unknown>

/** Starts with the example; with an object of the company, it has that object's fields. Writes are previews at first. */
export function startOf(operation: ApiOperation, object: ObjectShape | undefined): Typed {
  const example = exampleOf(operation)
  const given = object && operation.path.includes('{object}') ? withObject(example, operation, object) : example
  const parameters = inputParameters(operation)
  const names = new Set(parameters.map(({ name }) => name))
  const { properties = {} } = bodyOf(operation)?.schema ?? {}
  const body = Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)))
  if ('dry_run' in properties) body.dry_run = true
  return {
    parameters: Object.fromEntries(parameters.map(({ name }) => [name, textOf(given[name])])),
    body: JSON.stringify(body, null, 2),
  }
}

/** The examples are about people. For another object, what names its fields is replaced or left out. */
function withObject(example: Input, { operationId }: ApiOperation, object: ObjectShape): Input {
  if (example.object === object.key) return example
  const { filter: _, fields: __, sort: ___, measures: ____, group_by: _____, ...rest } = example
  const first = exampleValues(object)
  const unique = object.fields.find(({ is_unique, is_archived }) => is_unique && !is_archived)
  const [key = ''] = Object.keys(first)
  return {
    ...rest,
    object: object.key,
    ...('filter' in example && operationId !== 'listRecords' && { filter: 'created_at > -30d' }),
    ...('values' in example && { values: { [key]: first[key] } }),
    ...('field' in example && { field: object.fields.find(({ type }) => type === 'relation')?.key ?? key }),
    ...('match_on' in example && { match_on: unique?.key ?? 'id' }),
    ...('by' in example && { by: [{ field: unique?.key ?? 'title', value: 'Example' }] }),
    ...('csv' in example && { csv: `${object.titleField?.label ?? 'Name'}\nExample\n` }),
    ...(Array.isArray(example.records) && { records: example.records.map((one) => recordFor(one, first, key)) }),
  }
}

const recordFor = (one: Input, first: Input, key: string) =>
  'values' in one ? { ...one, values: { [key]: first[key] } } : first

const textOf = (value: unknown) => (value === undefined ? '' : [value].flat().join(','))

/** The input, or what is wrong with the JSON of the body. Empty parameters are left out. */
export function readTyped(operation: ApiOperation, { parameters, body }: Typed): { input: Input; error?: string } {
  const given = inputParameters(operation).filter(({ name }) => parameters[name]?.trim())
  const input = Object.fromEntries(given.map((one) => [one.name, parameterValue(one, parameters[one.name]!.trim())]))
  if (!bodyOf(operation)) return { input }
  try {
    const read: unknown = body.trim() ? JSON.parse(body) : {}
    if (typeof read !== 'object' || read === null || Array.isArray(read))
      return { input, error: 'The body must be a JSON object.' }
    return { input: { ...input, ...read } }
  } catch (error) {
    return { input, error: `This is not valid JSON. ${(error as Error).message}` }
  }
}

function parameterValue({ schema: { type } }: Parameter, text: string): unknown {
  if (type === 'array') return text.split(',').map((one) => one.trim())
  if (type === 'integer' || type === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  return type === 'boolean' ? text === 'true' : text
}

export type Suggestion = { value: string; label: string }

/** IDs that a path can have, from the operation that lists them: users for /users/{id}, records for /records/{object}/{id}. */
export function useSuggestions(document: ApiDocument, operation: ApiOperation, object: ObjectShape | undefined) {
  const name = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one!).find((one) => one !== 'object')
  const prefix = operation.path.split(`/{${name}}`)[0]
  const list = operationsOf(document).find(({ method, path }) => method === 'GET' && path === prefix)
  const { data = [] } = useQuery({
    queryKey: ['api-page', 'suggestions', prefix, object?.key],
    queryFn: async () => {
      const outcome = await sendCall(callOf(list!, { object: object?.key, limit: 20 }, location.origin))
      return outcome?.status === 200 ? suggestionsIn(JSON.parse(outcome.text)) : []
    },
    enabled: Boolean(name && list),
    staleTime: 60_000,
  })
  return { name, suggestions: data }
}

function suggestionsIn(answer: { items?: Input[]; records?: Input[] }): Suggestion[] {
  const items = answer.items ?? answer.records ?? []
  return items.flatMap((item) => {
    const { id, key, title, name, label, target_url, summary } = item as Record<string, string | undefined>
    const value = id ?? key
    return value ? [{ value, label: title ?? name ?? label ?? target_url ?? summary ?? value }] : []
  })
}
