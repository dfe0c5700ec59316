// The document of a message for the frame that shows it. Nothing in it runs or loads.
import { escapeHtml } from '../../kernel/html.ts'

/** For the route that serves it. Its frame must have the sandbox below, never with `allow-scripts`. */
export const bodyPolicy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
  "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'"
/** The page around the frame reads the height of the document, which needs the same origin. */
export const bodySandbox = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'

type Choices = {
  /** Data URLs of the files that the message shows, by content ID. */
  images: Map<string, string>
  /** Data URLs of remote images by address. Null: the reader has not asked for them. */
  remote: Map<string, string> | null
  quote: 'folded' | 'shown'
  /** Null: the choice of the reader's device. */
  theme?: 'light' | 'dark' | null
}

/** `html`: what `safeHtml` and `foldQuotes` made. */
export const bodyDocument = (html: string, { images, remote, quote, theme = null }: Choices) => `<!doctype html>
<html lang="und"${themeOf(html, theme)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Message</title>
<style>${sheet}</style>
</head>
<body><main>${withImages(withFolds(html, quote), images, remote)}</main></body>
</html>
`

/** A message with colors of its own was written for white paper. */
function themeOf(html: string, theme: Choices['theme']) {
  if (/[" ;](?:bg|background-)?color[=:]|;background:|"background:/.test(html)) return ' data-theme="light" data-paper'
  return theme ? ` data-theme="${theme}"` : ''
}

/** The same for a message that has only text. */
export const textAsHtml = ({ text, quote }: { text: string; quote: string }) =>
  `<div data-text>${linked(text.trimEnd())}</div>${quote.trim() ? `<div data-fold><div data-text>${linked(quote)}</div></div>` : ''}`

const linked = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"']{1,2000})/g)
    .map((part, index) => (index % 2 ? linkOf(part) : escapeHtml(part)))
    .join('')

/** The sign that ends a sentence is not part of the address in it. */
function linkOf(found: string) {
  const address = found.replace(/[.,;:!?)\]]{1,5}$/, '')
  const href = escapeHtml(address)
  return `<a href="${href}" rel="noopener noreferrer nofollow" target="_blank">${href}</a>${escapeHtml(found.slice(address.length))}`
}

/** Folds are balanced, so each end of a `div` is counted. */
function withFolds(html: string, quote: Choices['quote']) {
  const open: boolean[] = []
  return html.replace(/<div(\s[^>]*)?>|<\/div>/g, (tag, attributes: string | undefined) => {
    if (tag === '</div>') return open.pop() ? '</div></details>' : tag
    const isFold = attributes === ' data-fold'
    open.push(isFold)
    return isFold ? `<details${quote === 'shown' ? ' open' : ''}><summary>Quoted text</summary><div>` : tag
  })
}

const withImages = (html: string, images: Map<string, string>, remote: Map<string, string> | null) =>
  html.replace(/<img\s[^>]*>/g, (tag) => {
    const [, kind, name] = / data-(cid|remote)="([^"]*)"/.exec(tag) ?? []
    if (!kind) return tag
    const url = (kind === 'cid' ? images : remote)?.get(unescaped(name!))
    return url && isImage(url) ? tag.replace(/ data-(?:cid|remote)="[^"]*"/, ` src="${escapeHtml(url)}"`) : tag
  })

const isImage = (url: string) => /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z\d+/=]*$/.test(url)

const signs: Record<string, string> = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&' }
const unescaped = (text: string) => text.replace(/&(?:quot|lt|gt|amp);/g, (sign) => signs[sign]!)

const dark = ':root{color-scheme:dark;--ink:#e6e8ec;--pale:#a3a9b5;--line:#3a3f49;--link:#8fb0ff}'
const sheet = `
:root{color-scheme:light;--ink:#1b1e24;--pale:#5d6470;--line:#d5d9e0;--link:#2f5bd7}
@media (prefers-color-scheme:dark){${dark.replace(':root', ':root:not([data-theme=light])')}}
${dark.replace(':root', ':root[data-theme=dark]')}
html{background:transparent}
html[data-paper] body{background:#fff;padding:8px}
body{margin:0;font:14px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:var(--ink)}
main{overflow-x:auto;overflow-y:hidden;overflow-wrap:anywhere;contain:paint}
main>:first-child{margin-top:0}
a{color:var(--link)}
td,th{overflow-wrap:break-word}
img{max-width:100%;height:auto}
img:not([src]){display:inline-block;min-width:1em;min-height:1em;border:1px dashed var(--line);color:var(--pale)}
pre,[data-text]{white-space:pre-wrap;font-family:inherit}
pre{font-family:ui-monospace,monospace}
blockquote{margin:0 0 0 .5em;padding-left:.75em;border-left:2px solid var(--line);color:var(--pale)}
main>br:has(+details){display:none}
details{margin-top:.75em}
summary{cursor:pointer;color:var(--pale);width:fit-content}
`
