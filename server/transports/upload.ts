// The body of an upload: one file, handed on as it arrives, with limits on its size and on how slowly it may come.
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/app-error.ts'
import type { Upload } from '../kernel/context.ts'

/** A pause this long ends an upload, and so does its taking longer than this altogether. */
export type Patience = { pauseMs: number; totalMs: number }
const usual: Patience = { pauseMs: 20_000, totalMs: 15 * 60_000 }

export function uploadOf({ raw, headers }: FastifyRequest, mostBytes: number, patience = usual): Upload {
  if (/^multipart\//i.test(headers['content-type'] ?? ''))
    throw new AppError('unsupported_media_type', 'Send the content of the file as the body, without a form around it.')
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
  if (length !== null && length > mostBytes) throw tooLarge(mostBytes)
  return { length, content: arriving(raw, mostBytes, patience) }
}

async function* arriving(raw: IncomingMessage, mostBytes: number, { pauseMs, totalMs }: Patience) {
  const end = Date.now() + totalMs
  // Not destroyed with its reader: the connection still has to carry our answer.
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
  const late = () => reject(new AppError('request_timeout', 'The upload came too slowly and was stopped. Try again.'))
  const timer = setTimeout(late, Math.max(0, ms))
  const cutOff = () =>
    reject(new AppError('bad_request', 'The upload ended before the whole file was here. Try again.'))
  pieces.next().then(resolve, cutOff)
  return promise.finally(() => clearTimeout(timer))
}

const tooLarge = (most: number) =>
  new AppError(
    'too_large',
    `Files may have at most ${Math.floor(most / 1024 / 1024)} MB. Split it, or make it smaller.`,
  )

/** How long any other body may take to arrive, and the rest of an upload that was refused. */
const arrivalMs = 30_000

/**
 * Node has one limit for all requests, which must be long enough for uploads. This one is for all others, and for what
 * still arrives after the answer.
 */
export const refuseSlowBodies = (giveUp: (request: FastifyRequest) => void, ms = arrivalMs) =>
  function watch(request: FastifyRequest, reply: FastifyReply) {
    const { raw } = request
    if (raw.headers['transfer-encoding'] === undefined && !Number(raw.headers['content-length'] ?? 0)) return
    const begin = () => {
      if (raw.readableEnded) return
      const timer = setTimeout(() => {
        if (reply.raw.writableEnded) raw.destroy()
        else giveUp(request)
      }, ms)
      timer.unref()
      for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer))
    }
    if (request.routeOptions.config.body !== 'upload') return begin()
    reply.raw.once('finish', () => {
      raw.resume()
      begin()
    })
  }
