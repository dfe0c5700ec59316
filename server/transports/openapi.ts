// Builds the OpenAPI 3.1.0 document from the contract. Zod writes JSON Schema 2020-12, which OpenAPI uses.
import * as z from 'zod'
import { Problem } from '../../contract/errors.ts'
import {
  type Contract,
  isForKeys,
  isForOutsiders,
  type Operation,
  routeOf,
  statusOf,
} from '../../contract/operation.ts'

type Json = Record<string, unknown>
const reference = (id: string) => `#/components/schemas/${id}`

export function openapi(contract: Contract, version: string) {
  const operations = Object.entries(contract).filter(([, op]) => isForKeys(op) || isForOutsiders(op))
  const paths: Record<string, Json> = {}
  for (const [name, op] of operations) {
    const { method, path } = routeOf(op)
    const mount = isForOutsiders(op) ? '/public' : '/api/v1'
    const key = `${mount}${path.replace(/:(\w+)/g, '{$1}')}`
    paths[key] = { ...paths[key], [method.toLowerCase()]: describe(name, op) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kith',
      version,
      summary: 'A CRM that people and their AI agents use side by side',
      description:
        'Send your key in the header x-api-key. A key acts as exactly one user and can do what that user can.',
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas: { ...sharedSchemas(operations.map(([, op]) => op)), Problem: toSchema(Problem, 'input') },
      responses: {
        Problem: { description: 'What went wrong and what to do next', content: json(ref('Problem'), 'problem+json') },
      },
    },
  }
}

function describe(name: string, op: Operation) {
  const { path, names, hasBody } = routeOf(op)
  const { properties = {}, required = [] } = shared(toSchema(op.input, 'input')) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  const fields = Object.entries(properties)
  const parameters = fields
    .filter(([field]) => names.includes(field) || !hasBody)
    .map(([field, { description, ...schema }]) => {
      const inPath = path.includes(`:${field}`)
      return {
        name: field,
        in: inPath ? 'path' : 'query',
        required: inPath || required.includes(field),
        description,
        schema,
      }
    })
  const body = fields.filter(([field]) => !names.includes(field) && hasBody)
  const needed = required.filter((field) => body.some(([name]) => name === field))
  return {
    operationId: name,
    tags: [path.split('/')[1]],
    summary: op.summary,
    ...(op.tool && { description: op.tool }),
    'x-access': op.access,
    ...(isForOutsiders(op) && { security: [] }),
    parameters: takesKey(op) ? [...parameters, idempotencyKey] : parameters,
    ...(op.body === 'upload' && { requestBody: { required: true, content: fileOf('application/octet-stream') } }),
    ...(hasBody && {
      requestBody: {
        required: needed.length > 0,
        content: bodyOf(op, {
          type: 'object',
          properties: Object.fromEntries(body),
          ...(needed.length && { required: needed }),
          additionalProperties: false,
        }),
      },
    }),
    responses: {
      [statusOf(op)]: { description: 'Done', content: answerOf(op) },
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

const takesKey = (op: Operation) => op.effect !== 'read' && op.body !== 'upload' && !isForOutsiders(op)

const bodyOf = ({ body }: Operation, schema: Json) =>
  body === 'form'
    ? { 'application/x-www-form-urlencoded': { schema }, 'multipart/form-data': { schema } }
    : json(schema)

function answerOf(op: Operation) {
  if (op.page) return { 'text/html': { schema: { type: 'string' } } }
  return op.file ? fileOf(op.file) : json(outputSchema(op))
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any unique text, kept for 24 hours. A repeated request with the same key and input acts once and gets the same response.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const json = (schema: unknown, kind = 'json') => ({ [`application/${kind}`]: { schema } })
const fileOf = (type: string) => ({ [type]: { schema: { type: 'string', format: 'binary' } } })
const ref = (id: string) => ({ $ref: reference(id) })
const idOf = (schema: z.ZodType) => z.globalRegistry.get(schema)?.id

function outputSchema({ output }: Operation) {
  const id = idOf(output)
  if (id) return ref(id)
  const { $defs: _, ...own } = toSchema(output, 'output') as Json
  return shared(own)
}

/** Zod adds referenced schemas to each schema; here they share one place. */
const shared = (schema: Json) => JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${reference('')}`)) as Json

/** Every named schema in the inputs and outputs of the operations, at any depth. */
function sharedSchemas(operations: Operation[]) {
  const schemas: Json = {}
  for (const op of operations) Object.assign(schemas, toSchema(op.input, 'input').$defs)
  for (const op of operations.filter((op) => !op.file && !op.page)) {
    const id = idOf(op.output)
    const { $defs = {}, ...own } = toSchema(op.output, 'output') as Json & { $defs?: Json }
    // Zod may put the schema itself among those it refers to.
    Object.assign(schemas, $defs, id && !Object.hasOwn($defs, id) && { [id]: own })
  }
  return shared(schemas)
}

function toSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    // Zod states both a format and its regular expression; readers need only the format.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern
      delete jsonSchema.id
      delete jsonSchema.forAgents
    },
  })
  return rest
}
