import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

const known = new Map<string, string>()

/** The host part of a Host header, without port and brackets, in lower case. */
export function hostnameOf(host: string) {
  const cached = known.get(host)
  if (cached !== undefined) return cached
  const name = readHostname(host)
  if (known.size < 100) known.set(host, name)
  return name
}

function readHostname(host: string) {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(host)
  if (Number(match?.[3] ?? 0) > 65_535) return ''
  return (match?.[1] ?? match?.[2] ?? '').toLowerCase()
}

const isLoopbackName = (name: string) => name === 'localhost' || name.endsWith('.localhost')

/** Why a request is refused because of its Host header, or undefined if it is not. */
export function untrustedHost(request: FastifyRequest, baseUrl: URL): string | undefined {
  if (hasSeveralHosts(request)) return 'Send exactly one Host header.'
  const name = hostnameOf(request.host ?? '')
  const base = hostnameOf(baseUrl.host)
  if (isIP(name)) {
    if (request.protocol === 'https' && name !== base)
      return 'Use the name of this server over HTTPS, not its IP address.'
    if (request.method === 'POST' && pathOf(request) === '/') return "Use the server's name instead of its IP address."
    return
  }
  if (name === base || isLoopbackName(name)) return
  return 'Kith does not recognize this host name. Set BASE_URL to the address that people use and restart Kith.'
}

const hasSeveralHosts = ({ raw: { rawHeaders } }: FastifyRequest) =>
  rawHeaders.filter((name, i) => i % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length > 1

/** A full URL in the request line takes precedence over the Host header (RFC 9112). */
export function takeTarget({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>) {
  const match = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url)
  if (!match) return url
  headers.host = match[1]
  return match[2]!.startsWith('/') ? match[2]! : `/${match[2]}`
}

/** Whether the visitor is on this machine, and not behind a proxy or using another host name. */
export function isLocal(request: FastifyRequest) {
  const peer = request.socket.remoteAddress ?? ''
  if (!(peer === '::1' || peer.startsWith('127.') || peer.startsWith('::ffff:127.'))) return false
  if (Object.keys(request.headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'))) return false
  const name = hostnameOf(request.headers.host ?? '')
  return isLoopbackName(name) || name === '127.0.0.1' || name === '::1'
}

/** A missing Origin is fine (not a browser). Otherwise it must match the host of the request. */
export function isOwnOrigin(request: FastifyRequest) {
  const { origin } = request.headers
  if (origin === undefined) return true
  const own = URL.parse(`${request.protocol}://${request.host}`)
  return own !== null && URL.parse(origin)?.host === own.host
}

export const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0]!
