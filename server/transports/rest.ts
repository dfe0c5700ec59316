// Creates the routes of all mounts from the contract.
import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import * as z from 'zod'
import {
  type BodyKind,
  type Contract,
  type FileAnswer,
  isLink,
  type Operation,
  type PageAnswer,
  routeOf,
  statusOf,
} from '../../contract/operation.ts'
import { deprecation, replacedRoutes, withNewNames } from '../../contract/shared/replaced.ts'
import { AppError } from '../kernel/app-error.ts'
import type { Caller } from '../kernel/context.ts'
import { type Run, signedOut } from '../kernel/run.ts'
import type { Identify } from './callers.ts'
import { addFormParser } from './form-body.ts'
import { readJson, refuseUnstorable } from './json-body.ts'
import { sendPage } from './public-page.ts'
import { uploadOf } from './upload.ts'

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
      const { cors, isReplaced } = request.routeOptions.config
      if (isReplaced) reply.headers(deprecation)
      if (cors) reply.headers(cors === 'any' ? openToAll : openToListed)
      guard?.(request)
      request.caller = await identify(request, reply)
      const op = operations[request.routeOptions.config.operation ?? '']
      if (op && op.access !== 'public' && !request.caller.actor) throw signedOut()
    })
    const routes = Object.entries(operations).flatMap(([name, op]) => [
      { op, route: routeTo(name, op) },
      ...replacedRoutes(op).map((old) => ({ op, route: routeTo(name, old, true) })),
    ])
    const routesWith = (kind: BodyKind) => routes.filter(({ op }) => (op.body ?? 'json') === kind)
    for (const { route } of routesWith('json')) app.route(route)
    await app.register(async (uploads) => {
      uploads.removeAllContentTypeParsers()
      uploads.addContentTypeParser('*', (_request, _stream, done) => done(null))
      for (const { route } of routesWith('upload')) uploads.route(route)
    })
    await app.register(async (forms) => {
      addFormParser(forms)
      for (const { route } of routesWith('form')) forms.route(route)
    })
    await app.register(async (signed) => {
      signed.removeAllContentTypeParsers()
      signed.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
      for (const { route } of routesWith('signed')) signed.route(route)
    })
    const open = routes.filter(({ op }) => op.cors === 'any').map(({ route }) => route.url)
    for (const url of new Set(open)) app.options(url, { config: { cors: 'any' } }, answerPreflight)

    function routeTo(name: string, op: Operation, isReplaced = false): RouteOptions {
      const { method, path, hasBody } = routeOf(op)
      const status = statusOf(op)
      const coerce = coercion(op)
      return {
        method,
        url: prefix + path,
        config: { operation: name, body: op.body ?? 'json', cors: op.cors, waits: op.waits, isReplaced },
        ...(op.access === 'public' && { bodyLimit: publicBodyLimit }),
        ...(op.largeBody && { bodyLimit: largeBodyLimit }),
        ...(op.body === 'signed' && op.mostBytes && { bodyLimit: op.mostBytes }),
        handler: async (request, reply) => {
          if (!hasBody && (op.body ?? 'json') === 'json') refuseBody(request)
          const given = hasBody ? nested(op, objectOf(request.body)) : queryOf(op, request)
          const named = withNewNames(op, given)
          if (named !== given) reply.headers(deprecation)
          const sent = hasBody ? named : coerce(named)
          const input = { ...sent, ...(request.params as object) }
          refuseUnstorable(hasBody && op.body !== 'form' ? (request.params as object) : input)
          const caller = callerFor(request, op)
          const answer = await run(name, caller, input, idempotencyKey(request))
          if (op.file) return sendFile(reply, answer as FileAnswer)
          if (op.page) return sendPage(reply.code(status), answer as PageAnswer)
          return reply
            .code(status)
            .header('content-type', 'application/json; charset=utf-8')
            .send(JSON.stringify(answer))
        },
      }
    }
  }

/** Ignoring it would do something else than what was asked for. Some clients send an empty object with every request. */
function refuseBody({ method, body }: FastifyRequest) {
  const names = Object.keys(objectOf(body))
  if (!names.length) return
  const message = 'Send it as a query parameter'
  throw new AppError('invalid_input', `${method} takes no body. Send its properties as query parameters.`, {
    errors: names.slice(0, 20).map((path) => ({ path, message })),
  })
}

const withSigned = (request: FastifyRequest): Caller => ({
  ...request.caller!,
  signed: {
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    headers: request.headers,
    query: request.url.split('?')[1] ?? '',
  },
})

const callerFor = (request: FastifyRequest, op: Operation) => {
  if (op.body === 'upload') return withUpload(request, op)
  return op.body === 'signed' ? withSigned(request) : request.caller!
}

const withUpload = (request: FastifyRequest, { mostBytes = 0 }: Operation): Caller => ({
  ...request.caller!,
  upload: uploadOf(request, mostBytes),
})

/** Safe, because these operations use no credentials. */
const openToAll = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }

/** The handler allows the origin. Without a preflight: pages of other sites can only send what forms can. */
const openToListed = { 'cross-origin-resource-policy': 'cross-origin', vary: 'Origin' }

const answerPreflight = async (_request: FastifyRequest, reply: FastifyReply) =>
  reply
    .code(204)
    .headers({ 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': 'content-type' })
    .header('access-control-max-age', '600')
    .send()

/** Never served as a page, because scripts in uploaded files must not run on our origin: only in a sandbox, see `policy`. */
function sendFile(reply: FastifyReply, answer: FileAnswer) {
  const { name, type, size, content, isShown, policy, cacheSeconds } = answer
  return reply
    .headers({
      'content-type': type,
      'content-disposition': contentDisposition(name, { type: isShown ? 'inline' : 'attachment' }),
      'content-security-policy': policy ?? "default-src 'none'; sandbox",
      'cache-control': cacheSeconds
        ? `public, max-age=${cacheSeconds}`
        : isShown && !policy
          ? 'private, max-age=31536000, immutable'
          : 'no-store',
      ...(size !== undefined && { 'content-length': size }),
    })
    .send(content instanceof Uint8Array ? Buffer.from(content) : Readable.from(content))
}

/** A form has no nesting: its names that the operation does not know are `values`, if it has them. */
function nested({ body, input }: Operation, sent: object) {
  if (body !== 'form' || !('values' in input.shape)) return sent
  const entries = Object.entries(sent)
  const isKnown = ([name]: [string, unknown]) => Object.hasOwn(input.shape, name) && name !== 'values'
  const values = entries.filter((entry) => !isKnown(entry))
  return { ...Object.fromEntries(entries.filter(isKnown)), values: Object.fromEntries(values) }
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

function queryOf(op: Operation, { query }: FastifyRequest): Query {
  const sent = Object.entries(query as Query)
  // Names in the contract have no dots; gateways send hub.challenge.
  if (op.body === 'signed') return Object.fromEntries(sent.map(([name, value]) => [name.replaceAll('.', '_'), value]))
  return isLink(op)
    ? Object.fromEntries(sent.filter(([name]) => Object.hasOwn(op.input.shape, name)))
    : (query as Query)
}

/** A query string contains only text. Converts numbers and booleans according to the contract. */
function coercion(op: Operation): (query: object) => Query {
  // Not before the first call: most processes call few of the operations.
  let types: Record<string, unknown> | undefined
  return (query) => {
    types ??= typesOf(op)
    return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, convert(value, types![name])]))
  }
}

function typesOf({ input }: Operation) {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input' })
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, typeof property === 'object' && property.type]),
  )
}

function convert(value: unknown, type: unknown) {
  if (type === 'array') return [value].flat().flatMap((item) => (typeof item === 'string' ? item.split(',') : [item]))
  if (typeof value !== 'string') return value
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}
