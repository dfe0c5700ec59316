// Responds to what never reaches a route: invalid HTTP, unknown methods, CONNECT.
import { randomUUIDv7 } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../kernel/app-error.ts'
import type { Log } from '../platform/log.ts'
import { notFound } from './not-found.ts'
import { problemOf } from './problem.ts'

type Failure = Error & { code?: string; rawPacket?: unknown }
type Answer = { status: number; headers: Record<string, string>; body: string; error_code: string | null }
type Parts = { headers: Record<string, string>; log: Log; methodsOf: (path: string) => string[] }

// An import would also load the WebSocket and fetch of Node, which take 14 MB.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** How long the response may take to arrive before the connection is closed. */
const lastWordsMs = 1000

export function answerBroken({ headers, log, methodsOf }: Parts) {
  function send(socket: Duplex, { status, body, error_code, ...answer }: Answer, request_id: string) {
    const fields = {
      ...headers,
      ...answer.headers,
      'x-request-id': request_id,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
    // Unread bytes would reset the connection before the response arrives.
    socket.resume()
    setTimeout(() => socket.destroy(), lastWordsMs).unref()
    log.info({ request_id, status, error_code }, 'request')
  }

  function onClientError(error: Failure, socket: Duplex) {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy()
    const running = runningRequest(socket)
    if (running) return closeAfter(running, socket)
    const id = randomUUIDv7()
    send(socket, answerTo(error, methodsOf, id), id)
  }

  function onConnect({ method = 'CONNECT', url = '', headers }: IncomingMessage, socket: Duplex) {
    socket.on('error', () => {})
    send(socket, pageFor(method, url, headers.host), randomUUIDv7())
  }

  return { onClientError, onConnect }
}

/** Anything sent in the middle of another response would be read as part of it. */
const isAnswering = (socket: Duplex) =>
  (socket as { _httpMessage?: { _headerSent?: boolean } })._httpMessage?._headerSent === true

type Response = ServerResponse & { req: IncomingMessage }

/** A request that was read to its end, if what follows it is not valid. It is carried out, so its own answer counts. */
function runningRequest(socket: Duplex) {
  const response = (socket as { _httpMessage?: Response })._httpMessage
  return response?.req?.complete ? response : undefined
}

function closeAfter(response: Response, socket: Duplex) {
  response.shouldKeepAlive = false
  response.once('close', () => socket.destroy())
}

function answerTo(error: Failure, methodsOf: Parts['methodsOf'], id: string): Answer {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return problem(new AppError('request_timeout', 'The request took too long to arrive. Send it again.'), id)
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return problem(new AppError('headers_too_large', 'Send at most 16 kB of headers.'), id)
  const line = lineIn(error)
  if (line && error.code === 'HPE_INVALID_URL') return pageFor(line.method, line.target, line.host)
  if (line && error.code === 'HPE_INVALID_METHOD') {
    const allowed = methodsOf(line.target.split('?', 1)[0]!)
    if (!allowed.length) return pageFor(line.method, line.target, line.host)
    const words = `${line.method} is not supported here. Use ${allowed.join(' or ')}.`
    const answer = problem(new AppError('method_not_allowed', words), id)
    return { ...answer, headers: { ...answer.headers, allow: allowed.sort().join(', ') } }
  }
  return problem(new AppError('bad_request', 'The request is not valid HTTP.'), id)
}

/** The request line, if it can be read, and the Host header. */
function lineIn({ rawPacket }: Failure) {
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.subarray(0, 16 * 1024).toString('utf8') : ''
  const [line = '', ...fields] = text.split('\r\n', 100)
  const [method = '', target = '', version = ''] = line.split(' ')
  if (!/^[!#$%&'*+.^_`|~\w-]{1,30}$/.test(method) || !target || !version.startsWith('HTTP/')) return
  const host = fields.find((field) => /^host:/i.test(field))?.slice('host:'.length)
  return { method, target, host: host?.trim() }
}

const problem = (error: AppError, id: string): Answer => ({
  status: error.status,
  headers: { 'content-type': 'application/problem+json' },
  body: JSON.stringify(problemOf(error, id)),
  error_code: error.code,
})

const pageFor = (method: string, target: string, host = ''): Answer => ({
  status: 404,
  ...notFound(method, target.startsWith('/') ? `http://${host}${target.split('?', 1)[0]}` : target),
  error_code: null,
})
