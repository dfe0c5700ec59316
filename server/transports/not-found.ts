import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from './hosts.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/** The page for every path that leads nowhere, whatever was asked and however. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply) {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const url = `${request.protocol}://${request.host ?? ''}${pathOf(request)}`
  const text = escaped(`No route found for "${method} ${url}"`)
  return reply
    .code(404)
    .headers({ 'content-type': 'text/html; charset=UTF-8', 'cache-control': 'no-cache, private', vary: 'Accept' })
    .send(
      `<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="UTF-8"><meta name="viewport" content="width=device-width"><title>Not found</title></head>\n<body>\n<h1>Not found</h1>\n<p>${text}</p>\n<p><a href="/">Go to the start page</a></p>\n</body>\n</html>\n`,
    )
}
