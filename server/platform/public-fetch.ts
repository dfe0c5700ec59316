// Sends HTTP requests to addresses entered by companies or outsiders, such as webhooks. They only reach the public
// internet and what OUTBOUND_ALLOW names, follow no redirects, and have limits on time and size.
import { lookup as lookUp } from 'node:dns/promises'
import type { IncomingHttpHeaders } from 'node:http'
import type { Agent } from 'undici'
import {
  type Address,
  entriesIn,
  findTarget,
  isPublic,
  type Lookup,
  literalOf,
  type OutboundAllow,
  readOutboundAllow,
} from './outbound.ts'

export type Outgoing = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** From looking up the name to the last byte of the response. */
  timeoutMs?: number
  /** Maximum size of the response. */
  mostBytes?: number
  /** Reads this much of the response and ignores the rest. */
  firstBytes?: number
  /** Allows unencrypted HTTP. */
  allowHttp?: boolean
  signal?: AbortSignal
}
export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer; ms: number }
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

let loading: Promise<typeof import('undici')> | undefined
/** Loaded with the first request, because it takes several megabytes; kept, because even a repeated import takes time. */
const library = () => (loading ??= import('undici'))

type Way = { allow: OutboundAllow; lookup?: Lookup }

export function createPublicFetch({ allow, lookup = (host) => lookUp(host, { all: true }) }: Way): PublicFetch {
  const agentFor = createAgents()
  return async function publicFetch(text, { allowHttp = false, ...outgoing } = {}) {
    const began = performance.now()
    const { timeoutMs } = { ...defaults, ...outgoing }
    const url = checkUrl(text, allow, allowHttp)
    const { signal, isLate, end } = limitedTo(timeoutMs, outgoing.signal)
    try {
      const addresses = await untilAborted(signal, addressesOf(url, lookup, allow, allowHttp))
      const { method = 'GET', headers, body = null } = outgoing
      const sent = { method, headers: { 'user-agent': 'Kith', ...headers }, body, signal }
      const { Agent, request } = await library()
      const answer = await request(url, { ...sent, dispatcher: agentFor(addresses, Agent) })
      const content = await readBody(answer.body, outgoing)
      const ms = Math.round(performance.now() - began)
      return { status: answer.statusCode, headers: answer.headers, body: content, ms }
    } catch (error) {
      throw explained(error, url, isLate())
    } finally {
      end()
    }
  }
}

export type Outbound = { fetch: PublicFetch; check(url: string): URL }

/** `allowed`: OUTBOUND_ALLOW. */
export function createOutbound(allowed: string | undefined, lookup?: Lookup): Outbound {
  const allow = readOutboundAllow(allowed)
  const entries = entriesIn(allowed ?? '')
  return {
    fetch: createPublicFetch({ allow, ...(lookup && { lookup }) }),
    check(text) {
      const url = checkUrl(text, allow)
      const host = hostOf(url)
      // Whether the address of a name is in an allowed range is known only when Kith connects.
      const mayBeAllowed = entries.some((entry) => !('host' in entry) || entry.host === host.toLowerCase())
      if (!literalOf(host) && !mayBeAllowed) refuseUnusual(url, false)
      return url
    },
  }
}

/** The checks that need no lookup; also for validating an address when it is entered. */
export function checkUrl(text: string, allow: OutboundAllow, allowHttp = false): URL {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new OutboundError('refused', 'Enter a URL that starts with https://.')
  if (url.username || url.password)
    throw new OutboundError('refused', 'Remove the user name and password from the address.')
  const host = hostOf(url)
  const literal = literalOf(host)
  // For a name, only the lookup shows whether a range that the operator allows contains its address.
  const mayBeAllowed = literal ? allow(host, literal.address) : (allow.mayAllow?.(host) ?? true)
  if (literal && !isPublic(literal.address) && !mayBeAllowed) throw notFound(host)
  if (!mayBeAllowed) refuseUnusual(url, allowHttp)
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

const mostAgents = 200

/**
 * Connections are kept open for a few seconds and shared only by requests whose lookup led to the same addresses, all of
 * which were checked.
 */
function createAgents() {
  const agents = new Map<string, Agent>()
  return (addresses: Address[], Undici: typeof Agent) => {
    const key = addresses.map(({ address }) => address).join()
    const known = agents.get(key)
    if (known) return known
    const agent = new Undici({
      connect: {
        lookup: (_host, { all }, done) =>
          all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family),
      },
      maxHeaderSize: 16 * 1024,
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
    })
    agents.set(key, agent)
    const [oldest] = agents
    if (agents.size > mostAgents && oldest) {
      agents.delete(oldest[0])
      void oldest[1].close()
    }
    return agent
  }
}

async function readBody(
  body: AsyncIterable<Buffer>,
  { mostBytes = defaults.mostBytes, firstBytes = Number.POSITIVE_INFINITY }: Outgoing,
) {
  const pieces: Buffer[] = []
  let size = 0
  // Leaving the loop early closes the connection.
  for await (const piece of body) {
    size += piece.length
    pieces.push(piece)
    if (size >= firstBytes) return Buffer.concat(pieces).subarray(0, firstBytes)
    if (size > mostBytes) throw new OutboundError('too_large', `The response has more than ${mostBytes} bytes.`)
  }
  return Buffer.concat(pieces)
}

/** Like AbortSignal.timeout, but ends with the request. Its timer would remain, and make an error later. */
function limitedTo(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, ms).unref()
  const abort = () => controller.abort()
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort, { once: true })
  const end = () => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, isLate: () => isLate, end }
}

function untilAborted<T>(signal: AbortSignal, work: Promise<T>) {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([work, promise])
}

function explained(error: unknown, url: URL, isLate: boolean) {
  if (error instanceof OutboundError) return error
  if (isLate) return new OutboundError('timeout', `${url.host} did not respond in time.`, { cause: error })
  const reason = (error as NodeJS.ErrnoException).code ?? 'no connection'
  return new OutboundError('unreachable', `${url.host} could not be reached (${reason}).`, { cause: error })
}
