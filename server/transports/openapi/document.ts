// Builds the OpenAPI 3.1.0 document from the contract. Zod writes JSON Schema 2020-12, which OpenAPI uses.
import type * as z from 'zod'
import type { Answer, ApiDocument, Parameter, Schema } from '../../../contract/document/api-document.ts'
import { exampleId, examples } from '../../../contract/document/examples.ts'
import type { Schemas } from '../../../contract/document/schema-words.ts'
import {
  type Contract,
  isForKeys,
  isForOutsiders,
  type Operation,
  routeOf,
  statusOf,
  takesIdempotencyKey,
} from '../../../contract/operation.ts'
import { type ErrorCode, errors, Problem } from '../../../contract/shared/errors.ts'
import { AppError } from '../../kernel/app-error.ts'
import { toolName } from '../mcp/tools.ts'
import { problemOf } from '../problem.ts'
import { exampleFrom, ref, schemasOf, toSchema } from './schemas.ts'
import { tagOf, tags } from './tags.ts'
import { webhookEvents } from './webhooks.ts'

export function openapi(contract: Contract, version: string) {
  const operations = Object.entries(contract).filter(([, op]) => isForKeys(op) || isForOutsiders(op))
  const answers = operations.filter(([, op]) => !op.file && !op.page).map(([, op]) => op.output)
  const made = schemasOf(
    operations.flatMap(([, op]) => [op.input, ...(op.signedBody ? [op.signedBody] : [])]),
    answers,
  )
  const schemas = { ...made.schemas, Problem: toSchema(Problem, 'input') as Schema }
  const paths: ApiDocument['paths'] = {}
  for (const [name, op] of operations) {
    const { method, path } = routeOf(op)
    const mount = isForOutsiders(op) ? '/public' : '/api/v1'
    const key = `${mount}${path.replace(/:(\w+)/g, '{$1}')}`
    paths[key] = { ...paths[key], [method.toLowerCase()]: describe(name, op, { ...made, schemas }) }
  }
  const described = Object.values(paths).flatMap((methods) => Object.values(methods))
  const used = new Set(described.flatMap((one) => [...one.tags, ...Object.keys(one.responses)]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kith',
      version,
      summary: 'A CRM that people and their AI agents use side by side',
      description:
        'Send your key in the header x-api-key. A key acts as exactly one user and can do what that user can. The same operations for people: /api/v1/docs.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
    webhooks: webhookEvents(),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas,
      responses: refusals((status) => used.has(status)),
    },
  }
}

function describe(name: string, op: Operation, { schemas, input, output }: ReturnType<typeof schemasOf>) {
  const { path, names, hasBody } = routeOf(op)
  const { properties = {}, required = [] } = input(op)
  const example = exampleOf(name, { properties, required }, schemas)
  const fields = Object.entries(properties)
  const parameters = fields
    .filter(([field]) => names.includes(field) || !hasBody)
    .map(([field, { description, ...schema }]): Parameter => {
      const inPath = names.includes(field)
      return {
        name: field,
        in: inPath ? 'path' : 'query',
        required: inPath || required.includes(field),
        ...(description && { description }),
        schema,
        ...(example[field] !== undefined && { example: example[field] }),
      }
    })
  const body = Object.fromEntries(fields.filter(([field]) => !names.includes(field) && hasBody))
  const needed = required.filter((field) => field in body)
  const sent = Object.fromEntries(Object.entries(example).filter(([field]) => field in body))
  return {
    operationId: name,
    tags: [tagOf(path, isForOutsiders(op))],
    summary: op.summary,
    ...(op.tool && { description: op.tool }),
    'x-access': op.access,
    'x-effect': op.effect,
    ...(op.tool && isForKeys(op) && { 'x-tool': toolName(name) }),
    ...(isForOutsiders(op) && { security: [] }),
    parameters: takesIdempotencyKey(op) ? [...parameters, idempotencyKey] : parameters,
    ...(op.body === 'upload' && { requestBody: { required: true, content: fileOf('application/octet-stream') } }),
    ...(op.signedBody && {
      requestBody: { required: true, content: json(input({ input: op.signedBody } as Operation)) },
    }),
    ...(hasBody && {
      requestBody: {
        required: needed.length > 0,
        content: bodyOf(
          op,
          {
            type: 'object',
            properties: body,
            ...(needed.length && { required: needed }),
            additionalProperties: false,
          },
          sent,
        ),
      },
    }),
    responses: {
      [statusOf(op)]: { description: 'Done', content: answerOf(name, op, output) },
      ...Object.fromEntries(statusesOf(op).map((status) => [status, { $ref: `#/components/responses/${status}` }])),
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

/** The one that the contract gives, or the shortest that the schema allows. */
function exampleOf(name: string, input: Schema, schemas: Schemas): Record<string, unknown> {
  const given = (examples as Record<string, { input: object } | undefined>)[name]?.input
  return (given ?? exampleFrom({ type: 'object', ...input }, schemas)) as Record<string, unknown>
}

function bodyOf({ body }: Operation, schema: Schema, example: object) {
  const form = { schema, ...(Object.keys(example).length && { example }) }
  if (body === 'form') return { 'application/x-www-form-urlencoded': form, 'multipart/form-data': form }
  return json(schema, example)
}

function answerOf(name: string, op: Operation, output: (schema: z.ZodType) => Schema): Answer['content'] {
  if (op.page) return { 'text/html': { schema: { type: 'string' } } }
  // A stored file is sent with its own type.
  if (op.file) return { ...fileOf(op.file), ...(op.file === 'application/octet-stream' && fileOf('*/*')) }
  return json(output(op.output), (examples as Record<string, { output?: object } | undefined>)[name]?.output)
}

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any unique text, kept for 24 hours. A repeated request with the same key and input acts once and gets the same response.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const json = (schema: Schema, example?: object) => ({
  'application/json': { schema, ...(example && { example }) },
})
const fileOf = (type: string) => ({ [type]: { schema: { type: 'string', format: 'binary' } } })

/** The refusals that a caller has to expect, apart from those of any request. */
function statusesOf(op: Operation) {
  const { names, hasBody } = routeOf(op)
  const inputs = Object.keys(op.input.shape)
  const isKnownThing = names.length > 0 || inputs.some((input) => /^(\w+_)?(ids?|role)$/.test(input))
  return [
    400,
    ...(isForOutsiders(op) ? (op.body === 'signed' ? [401] : []) : [401, 403]),
    ...(isKnownThing || isForOutsiders(op) ? [404] : []),
    ...(op.effect === 'read' ? [] : [409]),
    ...(hasBody || op.body === 'upload' ? [413, 415] : op.body === 'signed' ? [413] : []),
    ...(inputs.length ? [422] : []),
    429,
  ]
}

const problem = (description: string, example?: object): Answer => ({
  description,
  content: { 'application/problem+json': { schema: ref('Problem'), ...(example && { example }) } },
})

/** One for each status, with all errors that have it. */
function refusals(isUsed: (status: string) => boolean): Record<string, Answer> {
  const known = Object.entries(errors).filter(([, { status }]) => isUsed(String(status)))
  const byStatus = Map.groupBy(known, ([, { status }]) => status)
  const responses = [...byStatus].map(([status, some]) => [
    String(status),
    problem(
      some.map(([code, { title }]) => `\`${code}\`: ${title}`).join('. '),
      exampleProblem(some[0]![0] as ErrorCode),
    ),
  ])
  return { ...Object.fromEntries(responses), Problem: problem('What went wrong and what to do next') }
}

const exampleProblem = (code: ErrorCode) => ({
  ...problemOf(new AppError(code, 'What to do next, in a sentence.'), exampleId),
})
