// A page for outsiders, without anything from the web app. Only forms have a script, and may be shown in frames.
import type { FastifyReply } from 'fastify'
import type { PageAnswer } from '../../contract/operation.ts'
import { escapeHtml } from '../kernel/html.ts'

const policy = ({ script, frameAncestors, formTargets = [] }: Partial<PageAnswer>) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    ...(script ? ["script-src 'self'", "connect-src 'self'"] : []),
    // Browsers also check where a form is redirected to.
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors?.length ? frameAncestors.join(' ') : "'none'"}`,
  ].join('; ')

export const pageHeaders = (page: Partial<PageAnswer> = {}) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy(page),
  'x-robots-tag': 'noindex, nofollow',
})

export const sendPage = (reply: FastifyReply, page: PageAnswer) =>
  page.redirect
    ? reply.code(303).header('location', page.redirect).send()
    : reply.headers(pageHeaders(page)).send(pageHtml(page))

export const pageHtml = (
  { title, html, script, styles, language = 'en' }: PageAnswer,
  base = '/plain.css',
) => `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${base}">${styles ? `\n<link rel="stylesheet" href="${styles}">` : ''}${script ? `\n<script src="${script}" async></script>` : ''}
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${html}
</main>
</body>
</html>
`
