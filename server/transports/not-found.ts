import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../kernel/html.ts'
import { pathOf } from './hosts.ts'

/** Looks like a page of the web app: words between slashes, and none of the folders that programs use. */
const mayBePage = (path: string) => /^(\/[\w-]+)+\/?$/.test(path) && !/^\/(api|app|public|assets)(\/|$)/.test(path)

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'
const wantsHtml = ({ headers: { accept } }: FastifyRequest) => accept?.includes('text/html') ?? false

/** Whether a browser opens an address that does not exist: it gets the web app, which says so. */
export const isMistypedPage = (request: FastifyRequest) =>
  isRead(request) && wantsHtml(request) && mayBePage(pathOf(request))

/** The page for every unknown path. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply) {
  const path = pathOf(request)
  const url = path.startsWith('/') ? `${request.protocol}://${request.host ?? ''}${path}` : path
  const { headers, body } = notFound(request.method, url)
  return reply.code(404).headers(headers).send(body)
}

export const notFoundHeaders = {
  'content-type': 'text/html; charset=UTF-8',
  'cache-control': 'no-cache, private',
  vary: 'Accept',
}

export const notFound = (method: string, url: string) => ({
  headers: notFoundHeaders,
  body: plainPage('Not found', escapeHtml(`No route found for "${method === 'HEAD' ? 'GET' : method} ${url}"`)),
})

/** A page without the web app. `text` is HTML, so escape user input. */
export const plainPage = (title: string, text: string, isForUsers = true) => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/plain.css">
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
${isForUsers ? '<p><a href="/">Go to the start page</a></p>\n' : ''}</body>
</html>
`
