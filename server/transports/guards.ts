// Checks every request before anything else, in this order: unknown path 404, untrusted host 400, wrong method 405,
// foreign origin 403. The transports then add 406, 401 and 429.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import { AppError } from '../kernel/app-error.ts'
import { isOwnOrigin, pathOf, untrustedHost } from './hosts.ts'

/** Tokens in links are long. */
export const longestParam = 500
const anyHost = new Set(['/livez', '/readyz'])

type Guards = {
  baseUrl: URL
  allowedOn: (path: string) => string[]
  sendMissing: (request: FastifyRequest, reply: FastifyReply) => unknown
}

export function addGuards(app: FastifyInstance, { baseUrl, allowedOn, sendMissing }: Guards) {
  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request)
    const allowed = request.is404 || !path.startsWith('/') ? allowedOn(path) : undefined
    if (allowed?.length === 0) return void sendMissing(request, reply)
    if (allowed === undefined && anyHost.has(request.url)) return done()
    const complaint = untrustedHost(request, baseUrl)
    if (complaint) return done(new AppError('untrusted_host', complaint))
    if (allowed) return done(wrongMethod(request, reply, allowed))
    done(
      isOwnOrigin(request) || request.routeOptions.config.cors
        ? undefined
        : new AppError('foreign_origin', 'This request comes from another site.'),
    )
  })
  app.setNotFoundHandler((request, reply) => sendMissing(request, reply))
}

/** Keeps a second table of routes that can list the methods of a path, which Fastify's cannot. */
export function rememberRoutes(app: FastifyInstance) {
  const table = findMyWay({ ignoreTrailingSlash: false, maxParamLength: longestParam })
  const methods = new Set<HTTPMethod>()
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat() as HTTPMethod[]) {
      methods.add(name)
      table.on(name, url, () => {})
    }
  })
  return (path: string) => {
    if (!path.startsWith('/')) return []
    try {
      return [...methods].filter((method) => table.find(method, path))
    } catch {
      // A path that cannot be decoded has no routes.
      return []
    }
  }
}

function wrongMethod(request: FastifyRequest, reply: FastifyReply, allowed: string[]) {
  reply.header('allow', allowed.sort().join(', '))
  return new AppError('method_not_allowed', `${request.method} is not supported here. Use ${allowed.join(' or ')}.`)
}
