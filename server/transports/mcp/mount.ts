// POST /api/v1/mcp: takes one message and responds with JSON or an event stream.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import type { Identify } from '../callers.ts'
import { readJson } from '../json-body.ts'
import { largeBodyLimit } from '../rest.ts'
import { traceIn } from '../traces.ts'
import { formatFor } from './accept.ts'
import type { Answer, Call, Catalog } from './catalog.ts'
import { createDispatch, type Narrowing } from './dispatch.ts'
import { textOf } from './response-text.ts'
import {
  clientIn,
  codes,
  type Era,
  eraOf,
  type Id,
  isBatch,
  type Message,
  mostInBatch,
  RpcError,
  readMessage,
  withId,
} from './rpc.ts'
import { type AsAppError, faultOf, sendFault } from './rpc-errors.ts'
import { createCancellations, createSessions, sessionHeader } from './sessions.ts'
import { callOf, createStream, eventOf, silent, streamHeaders } from './stream.ts'

export const mcpPath = '/api/v1/mcp'

export const mountMcp = (offer: Catalog, identify: Identify, asAppError: AsAppError, secret: Buffer) =>
  async function mcp(app: FastifyInstance) {
    const dispatch = createDispatch(offer)
    const sessions = createSessions(secret)
    const cancellations = createCancellations()
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) => body)
    app.setErrorHandler((error, request, reply) => sendFault(request, reply, error, asAppError))
    app.addHook('onRequest', async (request, reply) => {
      if (!formatFor(request.headers.accept)) {
        throw new AppError('not_acceptable', 'Send the header Accept: application/json, text/event-stream')
      }
      const caller = await identify(request, reply)
      request.caller = { ...caller, door: 'mcp' }
    })

    app.post(mcpPath, { bodyLimit: largeBodyLimit }, async (request, reply) => {
      narrowingOf(request)
      const body = parse(request.body as string | undefined)
      const caller = request.caller!
      const session = sessions.read(request.headers[sessionHeader], caller)
      if (session) caller.client = session.client
      if (isBatch(body, request.headers)) return sendBatch(request, reply, body)
      const message = readMessage(body)
      const era = eraWithId(message, request)
      const client = clientIn(message)
      request.trace = traceIn(message.meta.traceparent) ?? request.trace
      if (client) caller.client = client
      if (message.id === undefined) {
        if (session && message.method === 'notifications/cancelled')
          cancellations.cancel(session, message.params.requestId)
        return reply.code(202).send()
      }
      if (era === 'modern') {
        // There, leaving means cancelling.
        caller.isCancelled = () => reply.raw.destroyed && !reply.raw.writableFinished
        return sendAnswer(request, reply, era, message)
      }
      if (client && message.method === 'initialize') reply.header(sessionHeader, sessions.begin(client, caller))
      const call = session && cancellations.start(session, message.id)
      if (call) caller.isCancelled = call.isCancelled
      return sendAnswer(request, reply, era, message).finally(() => call?.end())
    })

    async function sendAnswer(request: FastifyRequest, reply: FastifyReply, era: Era, message: Message) {
      const stream = createStream(reply)
      request.operation = dispatch.operationOf(message)
      let result: string | Answer
      try {
        result = await answerTo(era, message, callOf(request, reply, message, stream), request)
      } catch (error) {
        if (!stream.isOpen()) throw error
        return stream.end(faultOf(request, error, asAppError, message.id!).body)
      }
      const body = textOf(message.id, result)
      if (stream.isOpen()) return stream.end(body)
      if (formatFor(request.headers.accept) !== 'json') return reply.headers(streamHeaders).send(eventOf(body))
      return reply.type('application/json; charset=utf-8').send(body)
    }

    async function answerTo(era: Era, message: Message, call: Call, request: FastifyRequest) {
      try {
        return await dispatch.answer(era, message, call, narrowingOf(request))
      } catch (error) {
        throw error instanceof RpcError ? withId(error, message.id) : error
      }
    }

    async function sendBatch(request: FastifyRequest, reply: FastifyReply, bodies: unknown[]) {
      if (bodies.length > mostInBatch)
        throw new RpcError(codes.invalidRequest, `Send at most ${mostInBatch} messages in one array.`, { status: 400 })
      // Each message counts against the rate limit of the key. The request itself counted as the first.
      for (let i = 1; i < bodies.length; i++) request.charge?.()
      const answers: string[] = []
      for (const body of bodies) {
        const answer = await answerInBatch(request, reply, body)
        if (answer !== undefined) answers.push(answer)
      }
      return answers.length
        ? reply.type('application/json; charset=utf-8').send(`[${answers.join(',')}]`)
        : reply.code(202).send()
    }

    /** Never throws, so that the responses to earlier messages are always sent. */
    async function answerInBatch(request: FastifyRequest, reply: FastifyReply, body: unknown) {
      let id: Id | null = null
      try {
        const message = readMessage(body)
        request.trace = traceIn(message.meta.traceparent) ?? request.trace
        if (message.id === undefined) return undefined
        id = message.id
        noteOperation(request, dispatch.operationOf(message))
        return textOf(id, await answerTo('legacy', message, callOf(request, reply, message, silent), request))
      } catch (error) {
        return faultOf(request, error, asAppError, id).body
      }
    }
  }

/** A batch is one entry in the request log, with the names of all operations. */
function noteOperation(request: FastifyRequest, name: string | null) {
  const known = request.operation?.split(', ') ?? []
  if (name && !known.includes(name)) request.operation = [...known, name].join(', ')
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

/** Headers that restrict this request. They never grant anything. */
function narrowingOf({ headers }: FastifyRequest): Narrowing {
  const { 'x-mcp-tools': tools, 'x-mcp-readonly': readOnly = 'false' } = headers
  // A typo in a protective header must not disable the protection.
  if (readOnly !== 'true' && readOnly !== 'false')
    throw new RpcError(codes.invalidRequest, 'Send x-mcp-readonly: true or false, once.', { status: 400 })
  return {
    readOnly: readOnly === 'true',
    tools: typeof tools === 'string' ? tools.split(',').map((name) => name.trim()) : null,
  }
}
