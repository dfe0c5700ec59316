// Serves the web app: one document for all pages, and its files.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { buildHeader, pages } from '../../contract/shared/pages.ts'
import { AppError } from '../kernel/app-error.ts'
import { may } from '../kernel/context.ts'
import type { Identify } from './callers.ts'
import { pathOf, untrustedHost } from './hosts.ts'
import { isMistypedPage, notFoundHeaders, sendNotFound } from './not-found.ts'
import { sendProblem } from './problem.ts'
import { pagePolicy } from './security-headers.ts'

/** `build` changes whenever any file of the web app does, because all their names depend on their content. */
export type WebApp = { folder: string; document: string; build: string }

/** The document with a nonce of its own, and the headers that go with it. */
function documentOf({ document }: WebApp) {
  const { nonce, policy } = pagePolicy()
  return { headers: { 'content-security-policy': policy }, html: document.replaceAll('__CSP_NONCE__', nonce) }
}

/** Only programs use these, and they expect JSON. */
const isGatewayAddress = (path: string) => path.startsWith('/public/channels/')

/** For an address that does not exist: the web app, which shows its own "not found", to browsers, and a plain page to all else. */
export const sendMissing =
  (web: WebApp | undefined, baseUrl: URL) => (request: FastifyRequest, reply: FastifyReply) => {
    if (isGatewayAddress(pathOf(request)))
      return sendProblem(reply, new AppError('not_found', 'Webhook address not found. Copy it from the channel page.'))
    if (!web || !isMistypedPage(request) || untrustedHost(request, baseUrl)) return sendNotFound(request, reply)
    const { headers, html } = documentOf(web)
    return reply
      .code(404)
      .headers({ ...notFoundHeaders, ...headers })
      .send(html)
  }

export function readWebApp(folder: string): WebApp | undefined {
  const file = join(folder, 'index.html')
  if (!existsSync(file)) return undefined
  const html = readFileSync(file, 'utf8')
  const build = createHash('sha256').update(html).digest('base64url').slice(0, 12)
  return { folder, document: html.replace('__BUILD__', build), build }
}

/** Every answer to the web app names the current build, so that an open tab notices a newer one. */
export const nameBuild =
  (web: WebApp | undefined) => (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (web) reply.header(buildHeader, web.build)
    done()
  }

export const mountPages = (web: WebApp | undefined, identify: Identify) =>
  async function mount(app: FastifyInstance) {
    if (!web) return app.log.warn('the web app is not built; only the API is served')

    function sendApp(_request: FastifyRequest, reply: FastifyReply) {
      const { headers, html } = documentOf(web!)
      return reply
        .headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache, private', ...headers })
        .send(html)
    }

    for (const path of Object.values(pages)) {
      if (path !== pages.requestInspector) app.get(path, sendApp)
    }
    app.get('/_profiler', (_request, reply) => reply.redirect(pages.requestInspector, 301))
    app.get(pages.requestInspector, async (request, reply) => {
      const { actor } = await identify(request, reply)
      if (!actor) return reply.redirect(`${pages.signIn}?next=${encodeURIComponent(pages.requestInspector)}`, 302)
      if (!may(actor, 'requests.read')) throw new AppError('forbidden', 'Only Admins can open the request inspector.')
      return sendApp(request, reply)
    })

    await app.register(fastifyStatic, {
      root: web.folder,
      wildcard: false,
      index: false,
      globIgnore: ['index.html', '.vite/**', '**/*.br', '**/*.gz'],
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        const immutable = path.includes('/assets/')
        reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
