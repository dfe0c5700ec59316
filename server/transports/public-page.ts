// A page for outsiders, without scripts, frames or anything from the web app.
import type { FastifyReply } from 'fastify'
import type { PageAnswer } from '../../contract/operation.ts'
import { escapeHtml } from '../kernel/html.ts'

const policy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-robots-tag': 'noindex, nofollow',
}

export const sendPage = (reply: FastifyReply, page: PageAnswer) => reply.headers(pageHeaders).send(pageHtml(page))

export const pageHtml = ({ title, html }: PageAnswer, styles = '/plain.css') => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${styles}">
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${html}
</main>
</body>
</html>
`
