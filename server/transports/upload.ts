// Streams the body of an upload to the handler, with limits on its size, on pauses and on the total time.
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/app-error.ts'
import type { Upload } from '../kernel/context.ts'

export type Patience = { pauseMs: number; totalMs: number }
const usual: Patience = { pauseMs: 20_000, totalMs: 15 * 60_000 }

export function uploadOf({ raw, headers }: FastifyRequest, mostBytes: number, patience = usual): Upload {
  if (/^multipart\//i.test(headers['content-type'] ?? ''))
    throw new AppError('unsupported_media_type', 'Send the content of the file as the raw body, not as a form.')
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
  if (length !== null && length > mostBytes) throw tooLarge(mostBytes)
  return { length, content: arriving(raw, mostBytes, patience) }
}

async function* arriving(raw: IncomingMessage, mostBytes: number, { pauseMs, totalMs }: Patience) {
  const end = Date.now() + totalMs
  // Without destroyOnReturn: false, the connection would be closed before the response is sent.
  const pieces = raw.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  let size = 0
  try {
    for (;;) {
      const { value, done } = await next(pieces, Math.min(pauseMs, end - Date.now()))
      if (done) return
      size += value.length
      if (size > mostBytes) throw tooLarge(mostBytes)
      yield value
    }
  } finally {
    void pieces.return?.()
  }
}

function next(pieces: AsyncIterator<Buffer>, ms: number) {
  const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Buffer>>()
  const late = () => reject(new AppError('request_timeout', 'The upload was too slow and was stopped. Try again.'))
  const timer = setTimeout(late, Math.max(0, ms))
  const cutOff = () =>
    reject(new AppError('bad_request', 'The upload ended before the whole file had arrived. Try again.'))
  pieces.next().then(resolve, cutOff)
  return promise.finally(() => clearTimeout(timer))
}

const tooLarge = (most: number) =>
  new AppError('too_large', `Files can be up to ${Math.floor(most / 1024 / 1024)} MB. Send a smaller file.`)

/** How long other bodies may take to arrive, and the rest of an upload after its response; hurried: those of strangers. */
const arrival = { ms: 30_000, hurriedMs: 5000 }

/**
 * Node has one time limit for all requests, which must be long enough for uploads. This is a shorter limit for other
 * bodies, and for what still arrives after a response.
 */
export const refuseSlowBodies = (giveUp: (request: FastifyRequest) => void, { ms, hurriedMs } = arrival) =>
  function watch(request: FastifyRequest, reply: FastifyReply) {
    const { raw } = request
    if (raw.headers['transfer-encoding'] === undefined && !Number(raw.headers['content-length'] ?? 0)) return
    const begin = () => {
      if (raw.readableEnded) return
      const stop = () => {
        if (reply.raw.writableEnded) raw.destroy()
        else giveUp(request)
      }
      // Who sends it is not known yet.
      let timer = setTimeout(() => {
        if (request.counted?.isHurried) return stop()
        timer = setTimeout(stop, ms - hurriedMs).unref()
      }, hurriedMs).unref()
      for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer))
    }
    if (request.routeOptions.config.body !== 'upload') return begin()
    reply.raw.once('finish', () => {
      raw.resume()
      begin()
    })
  }
