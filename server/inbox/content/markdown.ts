// Turns what our users write into HTML for outgoing messages. HTML in the text stays text.
import { Marked } from 'marked'
import sanitize from 'sanitize-html'
import { isFormattable } from '../../../contract/shared/formattable.ts'
import { escapeHtml } from '../../kernel/html.ts'

const asText = () => undefined
const marked = new Marked({
  gfm: true,
  breaks: true,
  tokenizer: { html: asText, tag: asText, link: (source) => (source.startsWith('!') ? undefined : false) },
})

const allowed = {
  allowedTags:
    'p br hr strong em del code pre ul ol li blockquote h1 h2 h3 h4 h5 h6 a table thead tbody tr th td'.split(' '),
  allowedAttributes: { a: ['href'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
}

export function htmlOf(markdown: string) {
  if (!isFormattable(markdown)) return plainHtml(markdown)
  return sanitize(marked.parse(plainAddresses(markdown), { async: false }), allowed).trim()
}

/** Editors escape underscores everywhere, but in an address a backslash counts. */
export const plainAddresses = (markdown: string) =>
  markdown.replace(/https?:\/\/[^\s<>()[\]]+/g, (address) => address.replaceAll('\\_', '_'))

/** Text as it was written. */
export const plainHtml = (text: string) => `<p>${escapeHtml(text.trim()).replace(/\r?\n/g, '<br>')}</p>`
