// GET /app/api/live: server-sent events for a page, as long as it is open and its session valid.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/app-error.ts'
import type { LiveHub, LiveStream } from '../kernel/live.ts'
import type { Identify } from './callers.ts'

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}
const retryMs = 3000
const livePath = '/app/api/live'
/** How long the last message may take to arrive before the connection is closed. */
const lastWordsMs = 1000

/** `gone` is called when a page disconnects, because Fastify reports only completed responses. */
export const mountLive = (
  hub: LiveHub,
  identify: Identify,
  gone: (request: FastifyRequest, reply: FastifyReply) => void,
) =>
  async function live(app: FastifyInstance) {
    const { heartbeatMs, unreadBytes } = hub.limits
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      request.caller = await identify(request, reply)
    })
    app.get<{ Querystring: { loading_ms?: string } }>(livePath, { config: { waits: true } }, (request, reply) => {
      const { actor, web } = request.caller!
      if (!actor || !web?.token) throw new AppError('unauthenticated', 'Your session has ended. Sign in again.')
      if (request.method === 'HEAD') return reply.headers(streamHeaders).send()
      const loadingMs = Number(request.query.loading_ms) || 0
      open(request, reply, {
        join: (stream) => hub.add(web.token!, actor, stream),
        joined: (stream) => hub.catchUp(stream, loadingMs),
      })
    })

    type Joining = { join(stream: LiveStream): () => void; joined(stream: LiveStream): void }

    function open(request: FastifyRequest, reply: FastifyReply, { join, joined }: Joining) {
      const { raw } = reply
      let isLogged = false
      const stream: LiveStream = { send: (event, data) => write(`event: ${event}\ndata: ${data}\n\n`), end }
      const leave = join(stream)
      const heartbeat = setInterval(write, heartbeatMs, ':\n\n').unref()

      function write(text: string) {
        if (raw.destroyed || raw.writableEnded) return
        raw.write(text)
        // A client that reads too slowly is disconnected and reconnects later.
        if (raw.writableLength > unreadBytes) cut()
      }
      function end() {
        raw.end()
        const late = setTimeout(cut, lastWordsMs).unref()
        raw.once('close', () => clearTimeout(late))
      }
      function cut() {
        raw.destroy()
        close()
      }
      function close() {
        clearInterval(heartbeat)
        leave()
        if (!isLogged) gone(request, reply)
        isLogged = true
      }

      reply.hijack()
      if (raw.destroyed) return close()
      raw.once('finish', () => {
        isLogged = true
      })
      raw.once('close', close)
      raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...streamHeaders })
      write(`retry: ${retryMs}\n\n`)
      joined(stream)
    }
  }
