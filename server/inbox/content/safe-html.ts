// Makes the HTML of a message safe to store and to show. Nothing in the result runs, loads or leaves its place.
import sanitizeHtml from 'sanitize-html'
import { boundedHtml } from './bounded-html.ts'
import { imageOf, withoutSpace } from './images.ts'
import { quoteMark } from './quote-marks.ts'
import { allowedStyles, unseenBy } from './styles.ts'

export type SafeHtml = {
  /** Images have no `src`: `data-cid` names a part of the message, `data-remote` an address. */
  html: string
  remoteImages: string[]
  contentIds: string[]
}

const allowedTags = (
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt ' +
  'em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp ' +
  'section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr'
).split(' ')
/** Dropped with all they contain. The others are dropped, and what they contain stays. */
const nonTextTags = (
  'script style title textarea option select xmp noscript noembed noframes template svg math iframe frameset object ' +
  'embed applet audio video canvas plaintext'
).split(' ')
const everywhere = ['style', 'dir', 'lang', 'align', 'valign', 'bgcolor', 'title', 'data-quote', 'data-unseen']
const sizes = ['width', 'height']
const allowedAttributes = {
  '*': everywhere,
  a: ['href', 'rel', 'target'],
  img: ['src', 'alt', 'data-cid', 'data-remote', 'border', 'hspace', 'vspace', ...sizes],
  table: ['border', 'cellpadding', 'cellspacing', 'bordercolor', ...sizes],
  td: ['colspan', 'rowspan', 'nowrap', ...sizes],
  th: ['colspan', 'rowspan', 'nowrap', 'scope', ...sizes],
  tr: sizes,
  col: ['span', 'width'],
  colgroup: ['span', 'width'],
  font: ['color', 'face', 'size'],
  hr: ['color', 'size', 'noshade', 'width'],
  ol: ['start', 'type'],
  ul: ['type'],
  li: ['value', 'type'],
}
const mostImages = 500
const longestStyle = 4000

export function safeHtml(given: string): SafeHtml {
  const { html, isCut } = boundedHtml(given)
  const remoteImages = new Set<string>()
  const contentIds = new Set<string>()
  const sanitized = sanitizeHtml(html, {
    allowedTags,
    nonTextTags,
    allowedAttributes,
    allowedStyles: { '*': allowedStyles },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['data'] },
    allowProtocolRelative: false,
    nestingLimit: 250,
    transformTags: {
      a: (tagName, attributes) => ({ tagName, attribs: linkOf(attributes) }),
      img: (tagName, attributes) => pictureOf(tagName, attributes, remoteImages, contentIds),
      body: (_, attributes) => ({ tagName: 'div', attribs: paperOf(attributes) }),
      '*': (tagName, attributes) => ({ tagName, attribs: plainAttributes(tagName, attributes) }),
    },
  })
  const safe = sanitized.replaceAll(noImage, '')
  return {
    html: isCut ? `${safe}<p data-cut><em>This message is too long. The rest is not shown.</em></p>` : safe,
    remoteImages: [...remoteImages],
    contentIds: [...contentIds],
  }
}

type Attributes = Record<string, string>

/** How an image without attributes is written. Renaming it instead would leave the wrong end tag behind. */
const noImage = '<img />'

function linkOf({ href = '', rel: _, target: __, ...others }: Attributes): Attributes {
  const address = withoutSpace(href)
  const isMail = /^(?:mailto|tel):/i.test(address)
  const url = isMail ? address : URL.parse(address)?.href
  if (!url || !/^(?:https?|mailto|tel):/i.test(url) || url.length > 8000) return others
  return { ...others, href: url, rel: 'noopener noreferrer nofollow', target: '_blank' }
}

/** The colors of the page, which an element has as styles. */
function paperOf({ bgcolor, text, style = '', ...others }: Attributes): Attributes {
  const colors = [bgcolor && `background-color:${bgcolor}`, text && `color:${text}`, style]
  return { ...others, style: colors.filter(Boolean).join(';') }
}

function pictureOf(tagName: string, given: Attributes, remoteImages: Set<string>, contentIds: Set<string>) {
  const { src: _, 'data-cid': __, 'data-remote': ___, ...attribs } = given
  const image = imageOf(given)
  if (image.kind === 'data') return { tagName, attribs: { ...attribs, src: image.url } }
  if (image.kind === 'none' || remoteImages.size + contentIds.size >= mostImages) return { tagName, attribs: {} }
  if (image.kind === 'cid') {
    contentIds.add(image.id)
    return { tagName, attribs: { ...attribs, 'data-cid': image.id } }
  }
  remoteImages.add(image.url)
  return { tagName, attribs: { ...attribs, 'data-remote': image.url } }
}

/** Sizes beyond a screen and styles of absurd length are left out; where quotes begin is marked. */
function plainAttributes(tagName: string, attributes: Attributes): Attributes {
  const mark = quoteMark(tagName, attributes)
  const unseen = unseenBy(attributes.style ?? '')
  const { style, 'data-quote': _, 'data-unseen': __, ...others } = attributes
  const kept = Object.entries(others).filter(([name, value]) => !isAbsurd(name, value))
  return {
    ...Object.fromEntries(kept),
    ...(style && style.length <= longestStyle && { style }),
    // Agents do not read what people did not see either, although its style is not kept.
    ...(unseen && { 'data-unseen': unseen }),
    ...(mark && { 'data-quote': mark }),
  }
}

const numbers = new Set(
  'width height border cellpadding cellspacing hspace vspace colspan rowspan span start value'.split(' '),
)

function isAbsurd(name: string, value: string) {
  if (name === 'dir') return !/^(?:ltr|rtl|auto)$/i.test(value)
  return numbers.has(name) && !/^\d{1,4}(?:\.\d{1,4})?(?:%|px)?$/.test(value)
}
