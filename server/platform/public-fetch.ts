// Sends HTTP requests to addresses entered by companies or outsiders, such as webhooks. They only reach the public
// internet and what OUTBOUND_ALLOW names, follow no redirects, and have limits on time and size.
import { lookup as lookUp } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { type Address, findTarget, isPublic, type Lookup, literalOf, type OutboundAllow } from './outbound.ts'

export type Outgoing = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** From looking up the name to the last byte of the response. */
  timeoutMs?: number
  /** Maximum size of the response. */
  mostBytes?: number
  /** Allows unencrypted HTTP. */
  allowHttp?: boolean
  signal?: AbortSignal
}
export type Answer = { status: number; headers: http.IncomingHttpHeaders; body: Buffer; ms: number }
export type PublicFetch = (url: string, outgoing?: Outgoing) => Promise<Answer>

/** The message is for the user who entered the address, and reveals nothing about our network. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly code: 'refused' | 'timeout' | 'too_large' | 'unreachable'
  constructor(code: OutboundError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const ports = { 'https:': ['', '443', '8443'], 'http:': ['', '80', '8080'] }
const defaults = { timeoutMs: 15_000, mostBytes: 1024 * 1024 }
const notFound = (host: string) =>
  new OutboundError('refused', `${host} was not found on the public internet. Check the address.`)

type Way = { allow: OutboundAllow; lookup?: Lookup }

export const createPublicFetch = ({ allow, lookup = (host) => lookUp(host, { all: true }) }: Way): PublicFetch =>
  async function publicFetch(text, { allowHttp = false, ...outgoing } = {}) {
    const began = performance.now()
    const { timeoutMs, mostBytes } = { ...defaults, ...outgoing }
    const url = checkUrl(text, allow, allowHttp)
    const signals = [AbortSignal.timeout(timeoutMs), ...(outgoing.signal ? [outgoing.signal] : [])]
    const signal = AbortSignal.any(signals)
    try {
      const addresses = await untilAborted(signal, addressesOf(url, lookup, allow, allowHttp))
      const answer = await send(url, addresses, { ...outgoing, signal })
      const body = await readBody(answer, mostBytes)
      const ms = Math.round(performance.now() - began)
      return { status: answer.statusCode!, headers: answer.headers, body, ms }
    } catch (error) {
      throw explained(error, url, signals[0]!)
    }
  }

/** The checks that need no lookup; also for validating an address when it is entered. */
export function checkUrl(text: string, allow: OutboundAllow, allowHttp = false): URL {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new OutboundError('refused', 'Enter an address that starts with https://.')
  if (url.username || url.password)
    throw new OutboundError('refused', 'Remove the user name and password from the address.')
  const host = hostOf(url)
  const literal = literalOf(host)
  const mayBeAllowed = !literal || allow(host, literal.address)
  if (literal && !isPublic(literal.address) && !mayBeAllowed) throw notFound(host)
  // For a name, only the lookup shows whether the operator allows its address.
  if (literal && !mayBeAllowed) refuseUnusual(url, allowHttp)
  return url
}

async function addressesOf(url: URL, lookup: Lookup, allow: OutboundAllow, allowHttp: boolean) {
  const host = hostOf(url)
  const { addresses, isAllowed, isReachable } = await findTarget(host, lookup, allow)
  if (isAllowed) return addresses
  refuseUnusual(url, allowHttp)
  if (isReachable) return addresses
  throw notFound(host)
}

function refuseUnusual({ protocol, port }: URL, allowHttp: boolean) {
  if (protocol === 'http:' && !allowHttp) throw new OutboundError('refused', 'Use https:// in the address.')
  const usual = ports[protocol as keyof typeof ports]
  if (!usual.includes(port))
    throw new OutboundError(
      'refused',
      `Kith does not connect to port ${port}. Use one of: ${usual.slice(1).join(', ')}.`,
    )
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

/** Uses a new connection to one of the checked addresses. */
function send(url: URL, addresses: Address[], { method = 'GET', headers, body, signal }: Outgoing) {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const { request } = url.protocol === 'https:' ? https : http
  const sent = request(url, {
    method,
    headers: { 'user-agent': 'Kith', ...headers, ...(body && { 'content-length': Buffer.byteLength(body) }) },
    agent: false,
    signal: signal!,
    maxHeaderSize: 16 * 1024,
    lookup: (_host, { all }, done) =>
      all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family),
  })
  sent.on('response', resolve).on('error', reject)
  sent.end(body)
  return promise
}

async function readBody(answer: http.IncomingMessage, mostBytes: number) {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > mostBytes) throw new OutboundError('too_large', `The response has more than ${mostBytes} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function untilAborted<T>(signal: AbortSignal, work: Promise<T>) {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([work, promise])
}

function explained(error: unknown, url: URL, timeout: AbortSignal) {
  if (error instanceof OutboundError) return error
  if (timeout.aborted) return new OutboundError('timeout', `${url.host} did not respond in time.`, { cause: error })
  const reason = (error as NodeJS.ErrnoException).code ?? 'no connection'
  return new OutboundError('unreachable', `${url.host} could not be reached (${reason}).`, { cause: error })
}
