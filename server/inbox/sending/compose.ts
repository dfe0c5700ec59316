// The content of an outgoing message: what was written, the signature, and the message that it answers or forwards.
import { dateFormat } from '../../../contract/shared/date-format.ts'
import { nameOrAddress, shownAddress } from '../../../contract/shared/visitor-address.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { htmlOf, plainHtml } from '../content/markdown.ts'

type Quoted = {
  from_address: string | null
  from_name: string | null
  subject: string
  at: Date
  text: string
  html: string | null
}
export type Mode = 'reply' | 'forward' | 'none'
type Written = {
  text: string
  signature: string
  mode: Mode
  quoted: Quoted | null
  language: string
  time_zone: string
}

/** Characters of the quoted message; long threads would grow with every answer. */
const mostQuoted = 50_000

export function compose({ text, signature, mode, quoted, language, time_zone }: Written) {
  const own = signature.trim() ? `${text.trim()}\n\n-- \n${signature.trim()}` : text.trim()
  const ownHtml = htmlOf(text) + (signature.trim() ? `<br>${htmlOf(signature)}` : '')
  if (!quoted || mode === 'none') return { text: own, html: ownHtml, quote_at: null }
  const when = dateFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: time_zone }).format(quoted.at)
  const sender = senderOf(quoted)
  const before = own && `${own}\n\n`
  const quote = quoted.text.slice(0, mostQuoted)
  const inner = quoted.html && quoted.html.length <= 4 * mostQuoted ? quoted.html : plainHtml(quote)
  if (mode === 'forward') {
    const lines = [
      '---------- Forwarded message ----------',
      `From: ${sender}`,
      `Date: ${when}`,
      `Subject: ${quoted.subject}`,
    ]
    return {
      text: `${before}${lines.join('\n')}\n\n${quote}`,
      // Without text from the author, the forwarded message is the content.
      html: `${ownHtml}<br><div${own && ' data-fold'}><div>${lines.map(escapeHtml).join('<br>')}</div><br>${inner}</div>`,
      quote_at: before.length || null,
    }
  }
  const intro = `On ${when}, ${sender} wrote:`
  // Recipients of the reply would load them.
  const withoutRemote = inner.replace(/<img\b[^>]*\sdata-remote="[^"]*"[^>]*>/g, '')
  return {
    text: `${before}${intro}\n${quote.replace(/^/gm, '> ')}`,
    html: `${ownHtml}<br><div data-fold><div>${escapeHtml(intro)}</div><blockquote type="cite">${withoutRemote}</blockquote></div>`,
    quote_at: before.length,
  }
}

const senderOf = ({ from_address, from_name }: Quoted) =>
  from_name && from_name !== from_address && shownAddress(from_address)
    ? `${from_name} <${from_address}>`
    : (nameOrAddress(from_name, from_address) ?? 'us')

const answered = /^\s*(re|aw|sv|vs|antw|odp|ref|rif|res)\s*(\[\d+\])?\s*:/i

/** The subject of an answer or a forwarded message. */
export const subjectFor = (mode: Mode, subject: string) =>
  mode === 'none' || (mode === 'reply' && answered.test(subject))
    ? subject
    : `${mode === 'reply' ? 'Re' : 'Fwd'}: ${subject}`
