// How mail programs mark what they quote.

/**
 * `block`: the element is a quote. `head`: it says who wrote what follows. `rest`: from here on, everything is quoted.
 */
export type QuoteMark = 'block' | 'head' | 'rest'

const blockClasses = [
  'gmail_quote',
  'gmail_quote_container',
  'yahoo_quoted',
  'protonmail_quote',
  'zmail_extra',
  'tutanota_quote',
  'moz-cite',
  'wmQuote',
  'gmx_quote',
  'quote-message',
]
const headClasses = ['gmail_attr', 'moz-cite-prefix', 'moz-email-headers-table', 'AppleMailQuoteHeader']
const blockIds = ['mail-editor-reference-message-container', 'OLK_SRC_BODY_SECTION', 'isForwardContent', 'zmail_extra']
const restIds = ['divRplyFwdMsg', 'appendonsend', 'stopSpelling', 'ms-outlook-mobile-body-separator-line']

export function quoteMark(tag: string, attributes: Record<string, string>): QuoteMark | null {
  // Outlook puts "x_" in front of the names in what it quotes.
  const names = (attributes.class ?? '').slice(0, 500).split(/\s+/).map(plainName)
  const id = plainName(attributes.id ?? '')
  if (names.some((name) => headClasses.includes(name))) return 'head'
  if (tag === 'blockquote' && (attributes.type?.toLowerCase() === 'cite' || names.includes('gmail_quote')))
    return 'block'
  if (names.some((name) => blockClasses.includes(name)) || blockIds.includes(id)) return 'block'
  if (restIds.includes(id) || isOutlookLine(tag, attributes.style ?? '')) return 'rest'
  return null
}

const plainName = (name: string) => name.replace(/^(?:x_)+/, '')

/** The line that Outlook draws above "From: …". */
function isOutlookLine(tag: string, style: string) {
  const plain = style.slice(0, 500).replace(/\s+/g, '').toLowerCase()
  return tag === 'div' && /border:none;border-top:solid#?\w{1,20}1\.0pt;padding:3\.0pt0/.test(plain)
}
