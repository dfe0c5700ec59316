// Builds the REST routes from the contract, for /api/v1 and /app/api.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { type Contract, type FileAnswer, type Operation, routeOf, statusOf } from '../../contract/operation.ts'
import { AppError } from '../kernel/app-error.ts'
import type { Run } from '../kernel/run.ts'
import type { Identify } from './callers.ts'
import { readJson, refuseUnstorable } from './json-body.ts'

/** For callers who are not signed in, who only send small forms. */
const publicBodyLimit = 64 * 1024
/** Enough for a hundred records with long texts, or a picture. */
export const largeBodyLimit = 1024 * 1024

type Mount = {
  prefix: string
  operations: Contract
  identify: Identify
  guard?: (request: FastifyRequest) => void
}

export const mountRest = (run: Run, { prefix, operations, identify, guard }: Mount) =>
  async function rest(app: FastifyInstance) {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) =>
      readJson(body),
    )
    // Runs before the body is read, so that bodies of unknown callers are never read.
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      guard?.(request)
      request.caller = await identify(request, reply)
    })
    for (const [name, op] of Object.entries(operations)) {
      const { method, path, hasBody } = routeOf(op)
      const status = statusOf(op)
      const coerce = coercion(op)
      app.route({
        method,
        url: prefix + path,
        config: { operation: name },
        ...(op.access === 'public' && { bodyLimit: publicBodyLimit }),
        ...(op.largeBody && { bodyLimit: largeBodyLimit }),
        handler: async (request, reply) => {
          const sent = hasBody ? objectOf(request.body) : coerce(request.query as Query)
          const input = { ...sent, ...(request.params as object) }
          refuseUnstorable(hasBody ? (request.params as object) : input)
          const answer = await run(name, request.caller!, input, idempotencyKey(request))
          if (op.file) return sendFile(reply, answer as FileAnswer)
          return reply
            .code(status)
            .header('content-type', 'application/json; charset=utf-8')
            .send(JSON.stringify(answer))
        },
      })
    }
  }

/** Sandboxed and never shown as a page, because uploaded content must not run scripts on our origin. */
function sendFile(reply: FastifyReply, { name, type, content }: FileAnswer) {
  return reply
    .headers({
      'content-type': type,
      'content-disposition': `${type.startsWith('image/') ? 'inline' : 'attachment'}; filename="${name}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': type.startsWith('image/') ? 'private, max-age=31536000, immutable' : 'no-store',
    })
    .send(content instanceof Uint8Array ? Buffer.from(content) : Readable.from(content))
}

function objectOf(body: unknown) {
  if (body === undefined) return {}
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new AppError('bad_request', 'The body must be a JSON object.')
}

function idempotencyKey(request: FastifyRequest) {
  const key = request.headers['idempotency-key']
  return typeof key === 'string' ? key : undefined
}

type Query = Record<string, unknown>

/** A query string contains only text. Converts numbers and booleans according to the contract. */
function coercion(op: Operation): (query: Query) => Query {
  const { properties = {} } = z.toJSONSchema(op.input, { io: 'input' })
  const typeOf = (name: string) => {
    const property = properties[name]
    return typeof property === 'object' ? property.type : undefined
  }
  return (query) =>
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, convert(value, typeOf(name))]))
}

function convert(value: unknown, type: unknown) {
  if (type === 'array') return [value].flat().flatMap((item) => (typeof item === 'string' ? item.split(',') : [item]))
  if (typeof value !== 'string') return value
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}
