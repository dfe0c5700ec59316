// The parts of the OpenAPI document that readers use: the API page, the public reference and the snippets.

import type { Effect } from '../operation.ts'
import type { Access } from '../shared/access.ts'

export type Schema = {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  readOnly?: boolean
} & { [Limit in 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems']?: number }

type Media = { schema: Schema; example?: unknown }
type Body = { required?: boolean; content: Record<string, Media> }
export type Answer = { description: string; content: Record<string, Media> }
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
  example?: unknown
}
type Described = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  'x-access': Access
  'x-effect': Effect
  /** The name of the same operation via MCP. */
  'x-tool'?: string
  /** The input is sent as the body of an upload. */
  parameters: Parameter[]
  requestBody?: Body
  responses: Record<string, Answer | { $ref: string }>
}
export type Tag = { name: string; description: string; 'x-displayName': string }
export type WebhookEvent = { operationId: string; summary: string; parameters: Parameter[]; requestBody: Body }
export type ApiDocument = {
  openapi: string
  info: { version: string; description: string }
  tags: Tag[]
  paths: Record<string, Record<string, Described>>
  webhooks?: Record<string, { post: WebhookEvent }>
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> }
}
export type ApiOperation = Described & { method: string; path: string }

export const operationsOf = ({ paths }: ApiDocument): ApiOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )

/** Every tag with its operations, in the order of the document. */
export const operationsByTag = (document: ApiDocument) => {
  const operations = operationsOf(document)
  return document.tags.map((tag) => ({ tag, operations: operations.filter(({ tags }) => tags.includes(tag.name)) }))
}

/** The body as JSON, unless it is a file. */
export const bodyOf = ({ requestBody }: ApiOperation) => requestBody?.content['application/json']
export const isUpload = ({ requestBody }: ApiOperation) => Boolean(requestBody?.content['application/octet-stream'])

/** The response on success. */
export function answerOf({ responses }: ApiOperation) {
  const [status, answer] = Object.entries(responses).find(([status]) => status.startsWith('2'))!
  const [type, media] = Object.entries((answer as Answer).content)[0]!
  return { status, type, ...media }
}

/** The statuses of refusals and failures, with what they mean. */
export const refusalsOf = ({ responses }: ApiOperation, document: ApiDocument) =>
  Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .map(([status]) => ({ status, ...document.components.responses[status]! }))

/** The parameters that are part of the input. Headers are not. */
export const inputParameters = ({ parameters }: ApiOperation) => parameters.filter((one) => one.in !== 'header')

/** A valid input: what the path, the query and the body contain together, as a tool takes it. */
export function exampleOf(operation: ApiOperation): Record<string, unknown> {
  const given = inputParameters(operation).filter(({ example }) => example !== undefined)
  return {
    ...Object.fromEntries(given.map(({ name, example }) => [name, example])),
    // Also of a form.
    ...(Object.values(operation.requestBody?.content ?? {})[0]?.example as object | undefined),
  }
}
