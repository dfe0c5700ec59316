// Finds out on whose behalf a request comes: by key under /api/v1, by cookie under /app/api.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/app-error.ts'
import type { Actor, Caller, Door } from '../kernel/context.ts'
import { isLocal } from './hosts.ts'

export type Identify = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>

const callerOf = (request: FastifyRequest, door: Door, actor: Actor | null): Caller => ({
  door,
  actor,
  request_id: request.id,
  ip: request.ip,
  client: request.headers['user-agent']?.slice(0, 200) ?? null,
  web: null,
})

/** The same answer for a missing, malformed, unknown and deleted key: it tells nothing about which. */
export const refuseKey = () =>
  new AppError(
    'unauthenticated',
    'Send a valid key in the header x-api-key. Keys are made under Profile, API & Connectors.',
  )

export function byKey(
  findActor: (key: string) => Promise<Actor | null>,
  take: (key: string, reply: FastifyReply) => void,
): Identify {
  return async (request, reply) => {
    const key = request.headers['x-api-key']
    const actor = typeof key === 'string' ? await findActor(key) : null
    if (!actor) throw refuseKey()
    const caller = callerOf(request, 'rest', actor)
    request.caller = caller // Known from here on, also to the log of a request that is then refused.
    request.charge = () => take(actor.api_key_id!, reply)
    request.charge()
    return caller
  }
}

export function bySession(findActor: (token: string) => Promise<Actor | null>, isHttps: boolean): Identify {
  const name = isHttps ? '__Host-kith_session' : 'kith_session'
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps } as const
  return async (request, reply) => {
    const token = request.cookies[name] ?? null
    const actor = token ? await findActor(token) : null
    const web = {
      token,
      isLocal: isLocal(request),
      begin: (fresh: string) => void reply.setCookie(name, fresh, { ...options, maxAge: cookieSeconds }),
      end: () => void reply.clearCookie(name, options),
    }
    return { ...callerOf(request, 'web', actor), web }
  }
}
const cookieSeconds = 30 * 24 * 60 * 60

/** A page of another site can make a browser send forms and follow links, but not JSON. */
export function refuseForgery(request: FastifyRequest) {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const type = request.headers['content-type'] ?? ''
  if (request.headers['sec-fetch-site'] === 'cross-site' || !/^application\/json\s*(;|$)/i.test(type)) {
    throw new AppError('foreign_origin', 'Send this from the web app itself, as JSON.')
  }
}
