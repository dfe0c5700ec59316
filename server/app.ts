// One HTTP app: /api/v1, /app/api, /public, pages, health and the 404 page.
import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type pg from 'pg'
import type { ApiDocument } from '../contract/document/api-document.ts'
import { contract, type OperationName } from '../contract/index.ts'
import { type BodyKind, isForKeys, isForOutsiders, type Operation } from '../contract/operation.ts'
import { actorsByKey } from './accounts/api-keys/find-actor.ts'
import { createKeyUses } from './accounts/api-keys/uses.ts'
import { findActorByToken, peekActorByToken } from './accounts/sessions/queries.ts'
import { findPostedChannel } from './channels/find-posted-channel.ts'
import { AppError } from './kernel/app-error.ts'
import { poolForCalls } from './kernel/calls.ts'
import type { Caller } from './kernel/context.ts'
import { createLiveHub, type LiveLimits } from './kernel/live.ts'
import { createRefusalLog } from './kernel/refusals.ts'
import { createRun } from './kernel/run.ts'
import { createSharedLimits } from './kernel/shared-limits.ts'
import { createRates } from './leads/forms/spam.ts'
import type { Answered } from './metrics/metrics.ts'
import { operations, type Services } from './operations.ts'
import type { Config } from './platform/config.ts'
import { createDb, isUnavailable, ping } from './platform/db.ts'
import type { Log } from './platform/log.ts'
import type { Pools } from './platform/pools.ts'
import { createRequestLog } from './requests/queries.ts'
import { createLimits, type RateLimits } from './transports/caller-limits.ts'
import { asDownload, asOutsider, byKey, bySession, refuseForgery } from './transports/callers.ts'
import { addGuards, longestParam, rememberRoutes } from './transports/guards.ts'
import { mountHealth } from './transports/health.ts'
import { takeTarget } from './transports/hosts.ts'
import { mountLive } from './transports/live.ts'
import { answerBroken } from './transports/malformed-requests.ts'
import { apiInParts } from './transports/mcp/api-in-parts.ts'
import type { Catalog } from './transports/mcp/catalog.ts'
import { mountMcp } from './transports/mcp/mount.ts'
import { promptsOf } from './transports/mcp/prompts.ts'
import { resourcesOf, templatesOf } from './transports/mcp/resources.ts'
import { toolsOf } from './transports/mcp/tools.ts'
import { sendNotFound } from './transports/not-found.ts'
import type { Counted, OpenLimits } from './transports/open-requests.ts'
import { mountDescription } from './transports/openapi/mount.ts'
import { mountPages, nameBuild, readWebApp, sendMissing } from './transports/pages.ts'
import { asAppError, sendProblem } from './transports/problem.ts'
import { mountRest } from './transports/rest.ts'
import { securityHeaders } from './transports/security-headers.ts'
import { traceIn } from './transports/traces.ts'
import { refuseSlowBodies } from './transports/upload.ts'
import { readFormId } from './website/public-id.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    errorCode: string | null
    /** Counts one call against the rate limit of the API key. */
    charge: (() => void) | null
    /** The operation that was called, if the route does not determine it. */
    operation: string | null
    counted: Counted | null
    /** The trace that the caller says this is part of. */
    trace: string | null
  }
  interface FastifyContextConfig {
    operation?: string
    body?: BodyKind
    /** Pages of other sites may call it. */
    cors?: 'any' | 'listed' | undefined
    waits?: true | undefined
    /** The route of an earlier release. */
    isReplaced?: boolean
  }
}

export type AppParts = {
  config: Pick<Config, 'baseUrl' | 'trustProxy'>
  /** For the connection that listens for events of other processes. */
  connection: pg.ClientConfig
  pools: Pools
  log: Log
  clock: () => Date
  services: Omit<Services, 'log' | 'formRates'> & Partial<Pick<Services, 'formRates'>>
  webFolder: string
  committed(): void
  /** Told of every request, for metrics. */
  answered?: ((request: Answered) => void) | undefined
  rateLimits?: Partial<RateLimits>
  openLimits?: Partial<OpenLimits>
  liveLimits?: Partial<LiveLimits>
  /** Additional MCP tools, resources and prompts, for tests. */
  alsoOffer?: Partial<Catalog>
  /** How long requests are still accepted after a stop signal, for those already on their way. */
  drainMs?: number
}

const readDocs = (file: string) => readFileSync(join(import.meta.dirname, '..', 'docs', file), 'utf8')
const filterSyntax = readDocs('filter-syntax.md')
/** Read by those who need it: most processes are never asked for it, and making it takes a quarter of a second. */
const describeApi = () => JSON.parse(readDocs('openapi.json')) as ApiDocument
/** JSON.parse blocks all other requests, and most operations need far less than this. */
const bodyLimit = 256 * 1024
/** Long enough for uploads; other bodies have half a minute (upload.ts). */
const longestRequestMs = 16 * 60_000
const usualDrainMs = 500

export async function createApp({ config, pools, log, clock, services, webFolder, committed, ...more }: AppParts) {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Our lines name the request themselves, so that it needs no logger of its own.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUIDv7(),
    requestIdHeader: false,
    bodyLimit,
    requestTimeout: longestRequestMs,
    keepAliveTimeout: 65_000,
    // The guards refuse a missing Host header, with the same error format as other refusals.
    http: { headersTimeout: 15_000, maxHeaderSize: 16 * 1024, requireHostHeader: false },
    rewriteUrl: takeTarget,
    clientErrorHandler: (error, socket) => broken.onClientError(error, socket),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Trust only the proxy directly in front, because anyone can send the header to that proxy.
    trustProxy: config.trustProxy === true ? (_address: string, hop: number) => hop === 0 : config.trustProxy,
    routerOptions: { maxParamLength: longestParam },
    frameworkErrors: (_error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id)
      return sendNotFound(request, reply)
    },
  })
  const isHttps = config.baseUrl.protocol === 'https:'
  const headers = securityHeaders(isHttps)
  const background = createDb(pools.background)
  const requests = createRequestLog(background, log, createKeyUses(background))
  const refusals = createRefusalLog(background, log)
  const db = createDb(poolForCalls(pools))
  const together = createSharedLimits(background)
  const limits = createLimits(more.rateLimits, more.openLimits, together.share)
  const shared = createDb(pools.work)
  const formRates = createRates(together.share)
  const run = createRun(contract, operations({ formRates, ...services, log }), {
    db,
    shared,
    clock,
    committed,
    refused: refusals.add,
  })
  const session = bySession((token) => findActorByToken(pools.auth, token, clock()), isHttps, limits)
  const peekActor = (token: string) => peekActorByToken(pools.auth, token, clock())
  const live = createLiveHub({
    connection: more.connection,
    log,
    findActor: peekActor,
    limits: more.liveLimits,
    also: together.listening,
  })

  const byApiKey = byKey(actorsByKey(pools.auth), limits)
  const health = createDb(pools.auth)
  const api = apiInParts(describeApi, new URL('/api/v1/openapi.json', config.baseUrl).href)
  const offer = {
    tools: [...toolsOf(contract, run, log), ...(more.alsoOffer?.tools ?? [])],
    resources: [...resourcesOf(run, { api, filterSyntax }), ...(more.alsoOffer?.resources ?? [])],
    templates: [...templatesOf(run, api), ...(more.alsoOffer?.templates ?? [])],
    prompts: [...promptsOf(run), ...(more.alsoOffer?.prompts ?? [])],
  }

  type Summary = ReturnType<typeof summaryOf>
  function addToRequestLog(request: FastifyRequest, { request_id: id, ...summary }: Summary, isSuccess: boolean) {
    const actor = request.caller?.actor
    if (!actor) return false
    const called = (summary.operation?.split(', ') ?? []) as OperationName[]
    const isRoutine = isSuccess && called.every((name) => contract[name].effect === 'read')
    const { company_id, user_id } = actor
    return requests.add({ ...summary, id, company_id, user_id, at: clock(), ip: request.ip }, isRoutine)
  }

  app.decorateRequest('caller', null)
  app.decorateRequest('errorCode', null)
  app.decorateRequest('charge', null)
  app.decorateRequest('operation', null)
  app.decorateRequest('counted', null)
  app.decorateRequest('trace', null)
  let draining = false
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    request.trace = traceIn(request.headers.traceparent)
    if (draining) reply.header('connection', 'close')
    watchBody(request, reply)
    limits.open.arrive(request, reply)
    done()
  })
  const allowedOn = rememberRoutes(app)
  const broken = answerBroken({ headers, log, methodsOf: allowedOn })
  const watchBody = refuseSlowBodies(({ raw: { socket } }) =>
    broken.onClientError(Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
  )
  app.server.on('connect', broken.onConnect)
  const web = readWebApp(webFolder)
  addGuards(app, { baseUrl: config.baseUrl, allowedOn, sendMissing: sendMissing(web, config.baseUrl) })
  app.setErrorHandler((error, request, reply) => {
    const known = asAppError(error, isUnavailable)
    if (!known) log.error({ err: error, request_id: request.id }, 'a request failed')
    const shown = known ?? new AppError('internal', `Give your Admin this request ID: ${request.id}`)
    return sendProblem(reply, shown)
  })
  function logRequest(request: FastifyRequest, reply: FastifyReply) {
    const summary = summaryOf(request, reply.statusCode, reply.elapsedTime)
    const isSuccess = reply.statusCode < 400
    const isStored = addToRequestLog(request, summary, isSuccess)
    // Every request can be found by its ID: in the request log, or in the log file if it failed or was not stored.
    log[isStored && isSuccess ? 'debug' : 'info'](summary, 'request')
  }
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply)
    more.answered?.(answeredOf(request, reply))
    done()
  })
  app.addHook('onReady', live.start)
  app.addHook('preClose', live.stop)
  app.addHook('onClose', async () => together.stop())
  app.addHook('onClose', () => requests.stop())
  app.addHook('onClose', refusals.flush)
  app.addHook('preClose', async () => {
    draining = true
    await sleep(more.drainMs ?? usualDrainMs)
    // A connection that becomes idle after the server started closing would otherwise stay open until its timeout.
    const timer = setInterval(() => setImmediate(() => app.server.closeIdleConnections()), 50)
    app.server.once('close', () => clearInterval(timer))
    // After a busy moment, requests that have arrived are read before connections are taken for idle: proxies do not
    // send a POST again.
    await immediate()
  })

  await app.register(
    mountHealth({
      isStopping: () => draining,
      look: () =>
        ping(health).then(
          () => 'ok',
          () => 'database unavailable',
        ),
    }),
  )
  await app.register(async (api) => {
    await api.register(
      mountRest(run, { prefix: '/api/v1', operations: operationsWhere(isForKeys), identify: byApiKey }),
    )
    await api.register(
      mountMcp(offer, byApiKey, (error) => asAppError(error, isUnavailable), services.vault.keyFor('mcp sessions')),
    )
  })
  const forOutsiders = operationsWhere(isForOutsiders)
  const identify = asOutsider(limits, {
    findChannel: findPostedChannel(db, services.vault, clock),
    companyNamed: ({ form_id, chat_id }) => readFormId(form_id ?? chat_id ?? '')?.company_id,
  })
  await app.register(mountRest(run, { prefix: '/public', operations: forOutsiders, identify }))
  const forWeb = operationsWhere((op) => !isForOutsiders(op))
  // Only browsers of our users have cookies that count.
  await app.register(async (browsers) => {
    await browsers.register(cookie)
    await browsers.register(async (api) => {
      api.addHook('onRequest', nameBuild(web))
      await api.register(
        mountRest(run, { prefix: '/app/api', operations: forWeb, identify: session, guard: refuseForgery }),
      )
    })
    await browsers.register(mountLive(live, bySession(peekActor, isHttps, limits), logRequest))
    await browsers.register(async (open) => {
      open.addHook('onRequest', asDownload(isHttps, limits))
      await open.register(mountDescription(describeApi, config.baseUrl))
      await open.register(mountPages(web, session))
    })
  })
  return { http: app, requests, refusals }
}

const operationsWhere = (isWanted: (op: Operation) => boolean) =>
  Object.fromEntries(Object.entries(contract).filter(([, op]) => isWanted(op)))

const answeredOf = (request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): Answered => ({
  door: request.caller?.door ?? 'web',
  operation: operationOf(request),
  status: statusCode,
  seconds: elapsedTime / 1000,
  waits: request.routeOptions.config.waits ?? false,
})

const operationOf = ({ operation, routeOptions }: FastifyRequest) => operation ?? routeOptions.config.operation ?? null

/** What may be logged of a request: the pattern of its route, never a value from its path, query, headers or body. */
function summaryOf(request: FastifyRequest, status: number, elapsed: number) {
  const { caller } = request
  return {
    request_id: request.id,
    door: caller?.door ?? 'web',
    method: request.method,
    route: request.routeOptions.url ?? '(none)',
    operation: operationOf(request),
    status,
    duration_ms: Math.round(elapsed * 100) / 100,
    user_id: caller?.actor?.user_id,
    api_key_id: caller?.actor?.api_key_id ?? null,
    client: caller?.client ?? null,
    trace_id: request.trace,
    error_code: request.errorCode,
  }
}
