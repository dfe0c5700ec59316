// POST /api/v1/mcp: one message in, one answer out, as JSON or as an event stream.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import type { Identify } from '../callers.ts'
import { readJson } from '../json-body.ts'
import { formatFor } from './accept.ts'
import { createDispatch, type Narrowing } from './dispatch.ts'
import type { Call, Json, Offer } from './offer.ts'
import {
  clientIn,
  codes,
  type Era,
  eraOf,
  errorBody,
  isBatch,
  type Message,
  RpcError,
  readMessage,
  withId,
} from './rpc.ts'

export const mcpPath = '/api/v1/mcp'

export const mountMcp = (offer: Offer, identify: Identify, isKnownFault: (error: unknown) => AppError | undefined) =>
  async function mcp(app: FastifyInstance) {
    const dispatch = createDispatch(offer)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) => body)
    app.setErrorHandler((error, request, reply) => sendFault(request, reply, error, isKnownFault))
    app.addHook('onRequest', async (request, reply) => {
      if (!formatFor(request.headers.accept)) {
        throw new AppError('not_acceptable', 'Send the header Accept: application/json, text/event-stream')
      }
      const caller = await identify(request, reply)
      request.caller = { ...caller, door: 'mcp' }
    })

    app.post(mcpPath, async (request, reply) => {
      const body = parse(request.body as string | undefined)
      if (isBatch(body, request.headers)) return sendBatch(request, reply, body)
      const message = readMessage(body)
      const era = eraWithId(message, request)
      const client = clientIn(message)
      if (client) request.caller!.client = client
      if (message.id === undefined) return reply.code(202).send()
      return sendAnswer(request, reply, era, message)
    })

    async function sendAnswer(request: FastifyRequest, reply: FastifyReply, era: Era, message: Message) {
      const stream = createStream(reply)
      request.operation = dispatch.operationOf(message)
      const text = await answerTo(era, message, callOf(request, message, stream), request)
      if (stream.isOpen()) return stream.end(text)
      if (formatFor(request.headers.accept) === 'json') return reply.type('application/json; charset=utf-8').send(text)
      return reply.headers(streamHeaders).send(eventOf(text))
    }

    async function answerTo(era: Era, message: Message, call: Call, request: FastifyRequest) {
      try {
        const result = await dispatch.answer(era, message, call, narrowingOf(request))
        return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}`
      } catch (error) {
        throw error instanceof RpcError ? withId(error, message.id) : error
      }
    }

    async function sendBatch(request: FastifyRequest, reply: FastifyReply, bodies: unknown[]) {
      const answers: string[] = []
      for (const body of bodies) {
        try {
          const message = readMessage(body)
          if (message.id !== undefined)
            answers.push(await answerTo('legacy', message, callOf(request, message, silent), request))
        } catch (error) {
          if (!(error instanceof RpcError)) throw error
          answers.push(errorBody(error))
        }
      }
      return answers.length
        ? reply.type('application/json; charset=utf-8').send(`[${answers.join(',')}]`)
        : reply.code(202).send()
    }
  }

function parse(text: string | undefined) {
  try {
    return readJson(text ?? '')
  } catch (error) {
    throw new RpcError(codes.parse, (error as Error).message, { status: 400 })
  }
}

function eraWithId(message: Message, request: FastifyRequest) {
  try {
    return eraOf(message, request.headers)
  } catch (error) {
    throw error instanceof RpcError ? withId(error, message.id) : error
  }
}

/** Headers that take something away for this request, and never add anything. */
function narrowingOf({ headers }: FastifyRequest): Narrowing {
  const tools = headers['x-mcp-tools']
  return {
    readOnly: headers['x-mcp-readonly'] === 'true',
    tools: typeof tools === 'string' ? tools.split(',').map((name) => name.trim()) : null,
  }
}

type Stream = { send(text: string): void; end(text: string): void; isOpen(): boolean }
const silent: Stream = { send: () => {}, end: () => {}, isOpen: () => false }
const streamHeaders = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }
const eventOf = (text: string) => `event: message\ndata: ${text}\n\n`

/** Opens only when something is to be told before the answer. */
function createStream(reply: FastifyReply): Stream {
  let open = false
  return {
    isOpen: () => open,
    send(text) {
      if (!open) {
        open = true
        reply.hijack()
        reply.raw.writeHead(200, { ...(reply.getHeaders() as Json as Record<string, string>), ...streamHeaders })
      }
      if (!reply.raw.destroyed) reply.raw.write(eventOf(text))
    },
    end: (text) => void reply.raw.end(eventOf(text)),
  }
}

function callOf(request: FastifyRequest, { params, meta }: Message, stream: Stream): Call {
  let gone: AbortController | undefined
  return {
    caller: request.caller!,
    params,
    meta,
    get signal() {
      gone ??= new AbortController()
      const { raw } = request
      raw.socket.once('close', () => gone!.abort())
      if (raw.socket.destroyed) gone.abort()
      return gone.signal
    },
    notify: (method, told) => stream.send(JSON.stringify({ jsonrpc: '2.0', method, params: told })),
  }
}

/** A fault before or beside the protocol, told as a JSON-RPC error all the same. */
function sendFault(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  isKnownFault: (error: unknown) => AppError | undefined,
) {
  if (error instanceof RpcError) {
    request.errorCode = `rpc ${error.code}`
    return reply.code(error.status).type('application/json; charset=utf-8').send(errorBody(error))
  }
  const known = isKnownFault(error)
  if (!known) request.log.error({ err: error, request_id: request.id }, 'a request failed')
  const status = known?.status ?? 500
  request.errorCode = known?.code ?? 'internal'
  if (known?.more.retryAfter !== undefined) reply.header('retry-after', String(known.more.retryAfter))
  if (status === 401) reply.header('www-authenticate', 'ApiKey realm="kith"')
  const message = known?.message ?? `Something went wrong on our side. Tell an Admin this request id: ${request.id}`
  const body = errorBody({
    id: null,
    code: status,
    message,
    data: { code: known?.code ?? 'internal', request_id: request.id },
  })
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}
