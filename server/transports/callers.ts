// Finds out who is calling: by key under /api/v1 and by cookie under /app/api. Callers under /public are anonymous.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { leadPathHeader } from '../../contract/leads.ts'
import { uploadHeader } from '../../contract/operation.ts'
import { AppError } from '../kernel/app-error.ts'
import type { Actor, Caller, Door } from '../kernel/context.ts'
import { isLarge, type Limits } from './caller-limits.ts'
import { isLocal, isOwnOrigin } from './hosts.ts'

export type Identify = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>

const callerOf = (request: FastifyRequest, { raw }: FastifyReply, door: Door, actor: Actor | null): Caller => ({
  door,
  actor,
  request_id: request.id,
  ip: request.ip,
  client: request.headers['user-agent']?.slice(0, 200) ?? null,
  web: null,
  onDisconnect(act) {
    const left = () => raw.writableFinished || act()
    raw.once('close', left)
    return () => raw.off('close', left)
  },
})

/** Malformed keys are refused without a database query. */
const isWellFormed = (key: string) => /^[A-Za-z0-9]{64}$/.test(key)

/** The same error for missing, malformed, unknown and deleted keys, so that it reveals nothing. */
export const refuseKey = () =>
  new AppError(
    'unauthenticated',
    'Send a valid API key in the x-api-key header. Create keys under Profile, API & Connectors.',
  )

export function byKey(findActor: (key: string) => Promise<Actor | null>, limits: Limits): Identify {
  return async (request, reply) => {
    const key = request.headers['x-api-key']
    if (typeof key !== 'string' || !isWellFormed(key)) throw refuseKey()
    limits.refuseStranger('wrongKey', key, request.ip, reply)
    const actor = await findActor(key)
    if (!actor) {
      limits.takeFromNetwork('wrongKey', request.ip, reply)
      throw refuseKey()
    }
    limits.remember(key)
    const leadPath = request.headers[leadPathHeader]
    const caller = { ...callerOf(request, reply, 'rest', actor), ...(typeof leadPath === 'string' && { leadPath }) }
    request.caller = caller // Set early, so that the log names the caller even if the request is then refused.
    limits.open.asUser(request, actor)
    request.charge = () => limits.take('key', actor, reply)
    request.charge()
    await limits.takeTurn(actor, request, reply)
    return caller
  }
}

export type Outsiders = {
  /** The channel that a gateway posts to. Throws if there is none, before the body is read. */
  findChannel(
    operation: string,
    publicId: string,
    headers: FastifyRequest['headers'],
  ): Promise<{ company_id: string; id: string }>
  /** The company that an address names, such as that of a form. It may not exist. */
  companyNamed(params: Record<string, string>): string | undefined
}

/** Under /public, cookies and keys are ignored. */
export const asOutsider =
  (limits: Limits, { findChannel, companyNamed }: Outsiders): Identify =>
  async (request, reply) => {
    const { body, operation } = request.routeOptions.config
    const params = request.params as Record<string, string>
    let company_id = companyNamed(params)
    if (body === 'signed') {
      limits.takeFromNetwork('gateway', request.ip, reply)
      try {
        limits.open.asLookup(request)
        const channel = await findChannel(operation!, params.id ?? '', request.headers)
        await limits.takePost(request, reply, channel)
        company_id = channel.company_id
      } catch (error) {
        // Otherwise all of the body would be read, only to be dropped.
        if (isLarge(request)) reply.header('connection', 'close')
        throw error
      }
    } else {
      limits.takeFromNetwork('outsider', request.ip, reply)
      limits.open.asStranger(request)
    }
    const origin = isOwnOrigin(request) ? null : (request.headers.origin ?? null)
    const allow = () => void (origin && reply.header('access-control-allow-origin', origin))
    return { ...callerOf(request, reply, 'public', null), visit: { origin, allow, company_id } }
  }

const sessionCookie = (isHttps: boolean) => (isHttps ? '__Host-kith_session' : 'kith_session')

/** For pages and files, which need no sign-in. A browser that is signed in is counted apart from its network. */
export const asDownload = (isHttps: boolean, limits: Limits) => async (request: FastifyRequest) => {
  const token = request.cookies[sessionCookie(isHttps)]
  limits.open.asDownload(request, token ? limits.recognized(token) : null)
}

export function bySession(
  findActor: (token: string) => Promise<Actor | null>,
  isHttps: boolean,
  limits: Limits,
): Identify {
  const name = sessionCookie(isHttps)
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps } as const
  const deviceName = isHttps ? '__Host-kith_device' : 'kith_device'
  const deviceOptions = { ...options, sameSite: 'strict', maxAge: deviceDays * 24 * 60 * 60 } as const
  return async (request, reply) => {
    const token = request.cookies[name] ?? null
    if (token) limits.refuseStranger('stranger', token, request.ip, reply)
    const actor = token ? await findActor(token) : null
    if (actor) {
      limits.remember(token!)
      limits.open.asUser(request, actor)
      limits.take('session', actor, reply)
      await limits.takeTurn(actor, request, reply)
    } else {
      limits.takeFromNetwork('stranger', request.ip, reply)
      limits.open.asStranger(request)
    }
    const web = {
      token,
      device: request.cookies[deviceName] ?? null,
      isLocal: isLocal(request),
      begin: (fresh: string) => void reply.setCookie(name, fresh, { ...options, maxAge: cookieSeconds }),
      end: () => void reply.clearCookie(name, options),
      rememberDevice: (fresh: string) => void reply.setCookie(deviceName, fresh, deviceOptions),
    }
    return { ...callerOf(request, reply, 'web', actor), web }
  }
}
const cookieSeconds = 30 * 24 * 60 * 60
const deviceDays = 180

/** Other sites can make a browser send forms and follow links, but not send JSON or our own header. */
export function refuseForgery(request: FastifyRequest) {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { headers, routeOptions } = request
  const isOurs =
    routeOptions.config.body === 'upload'
      ? headers[uploadHeader] !== undefined
      : /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')
  if (String(headers['sec-fetch-site']).toLowerCase() === 'cross-site' || !isOurs) {
    throw new AppError('foreign_origin', 'Send this request from the web app.')
  }
}
