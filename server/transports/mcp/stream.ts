import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call, Json } from './catalog.ts'
import type { Message } from './rpc.ts'

export type Stream = { send(text: string): void; end(text: string): void; isOpen(): boolean }

export const silent: Stream = { send: () => {}, end: () => {}, isOpen: () => false }
export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}
export const eventOf = (text: string) => `event: message\ndata: ${text}\n\n`

/** Opens only if something is sent before the response. Every client accepts both formats. */
export function createStream(reply: FastifyReply): Stream {
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

// A class, because creating an object with its own getter for each call is slow.
class LiveCall implements Call {
  readonly caller: Call['caller']
  readonly params: Json
  readonly meta: Json
  readonly #reply: FastifyReply
  readonly #stream: Stream
  #gone: AbortController | undefined
  constructor(caller: Call['caller'], { params, meta }: Message, reply: FastifyReply, stream: Stream) {
    this.caller = caller
    this.params = params
    this.meta = meta
    this.#reply = reply
    this.#stream = stream
  }
  get signal() {
    this.#gone ??= abortedWhenGone(this.#reply)
    return this.#gone.signal
  }
  readonly notify = (method: string, params: Json) => {
    this.#stream.send(JSON.stringify({ jsonrpc: '2.0', method, params }))
  }
}

export const callOf = (request: FastifyRequest, reply: FastifyReply, message: Message, stream: Stream): Call =>
  new LiveCall(request.caller!, message, reply, stream)

function abortedWhenGone({ raw }: FastifyReply) {
  const gone = new AbortController()
  const end = () => raw.writableFinished || gone.abort()
  raw.once('close', end)
  if (raw.destroyed) end()
  return gone
}
