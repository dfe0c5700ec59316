import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call, Json } from './offer.ts'
import type { Message } from './rpc.ts'

export type Stream = { send(text: string): void; end(text: string): void; isOpen(): boolean }

export const silent: Stream = { send: () => {}, end: () => {}, isOpen: () => false }
export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}
export const eventOf = (text: string) => `event: message\ndata: ${text}\n\n`

/** Opens only when something is to be told before the answer; every client of ours takes both formats. */
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

export function callOf(request: FastifyRequest, reply: FastifyReply, { params, meta }: Message, stream: Stream): Call {
  let gone: AbortController | undefined
  return {
    caller: request.caller!,
    params,
    meta,
    get signal() {
      gone ??= abortedWhenGone(reply)
      return gone.signal
    },
    notify: (method, told) => stream.send(JSON.stringify({ jsonrpc: '2.0', method, params: told })),
  }
}

function abortedWhenGone({ raw }: FastifyReply) {
  const gone = new AbortController()
  const end = () => raw.writableFinished || gone.abort()
  raw.once('close', end)
  if (raw.destroyed) end()
  return gone
}
