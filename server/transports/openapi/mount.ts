// Serves the description of the API to everyone: the OpenAPI document, and a page that is made from it.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiDocument } from '../../../contract/document/api-document.ts'
import { pageHeaders, pageHtml } from '../public-page.ts'
import { referencePage } from './reference-page.ts'

export const docsPath = '/api/v1/docs'

export const mountDescription = (describe: () => ApiDocument, baseUrl: URL) =>
  async function mount(app: FastifyInstance) {
    const document = prepared(() => JSON.stringify(describe()))
    const page = prepared(() => {
      const html = referencePage(describe(), baseUrl.origin)
      return pageHtml({ title: 'Kith API', html }, '/reference.css')
    })
    app.get('/api/v1/openapi.json', (request, reply) => document(request, reply.type('application/json')))
    app.get(docsPath, (request, reply) => page(request, reply.headers(pageHeaders())))
  }

/** The same text for everyone until the next start. It is made and compressed when it is first asked for. */
function prepared(make: () => string) {
  let made: { text: string; gzip: Buffer; etag: string } | undefined
  const create = () => {
    const text = make()
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    return { text, gzip: gzipSync(text), etag }
  }
  return ({ headers }: FastifyRequest, reply: FastifyReply) => {
    made ??= create()
    reply.headers({ etag: made.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
    if (headers['if-none-match'] === made.etag) return reply.code(304).send()
    if (!headers['accept-encoding']?.includes('gzip')) return reply.send(made.text)
    return reply.header('content-encoding', 'gzip').send(made.gzip)
  }
}
