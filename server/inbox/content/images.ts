// What becomes of the images of a message.
import { unseenBy } from './styles.ts'

export type Image =
  | { kind: 'cid'; id: string }
  | { kind: 'remote'; url: string }
  | { kind: 'data'; url: string }
  | { kind: 'none' }

const longestData = 700_000
const trackers =
  /(?:^|\.)(?:list-manage\.com|mailtrack\.io|mltrk\.io|bananatag\.com|yesware\.com|getnotify\.com|sidekickopen\d*\.com|t\.hubspotemail\.net|mailfoogae\.appspot\.com|doubleclick\.net|google-analytics\.com|superhuman\.com)$/i
const trackingPath =
  /\/(?:open\.aspx|open\.php|o\.gif|wf\/open|e\/o\/|e2t\/o\/|track\/open|trk\/open|pixel\.gif|spacer\.gif|beacon)(?:$|[/?#])/i

export function imageOf(attributes: Record<string, string>): Image {
  const source = withoutSpace(attributes.src ?? '')
  if (/^cid:/i.test(source)) return cidOf(source.slice(4))
  if (/^data:/i.test(source)) return dataOf(source)
  if (isTiny(attributes) || isHidden(attributes)) return { kind: 'none' }
  return remoteOf(source)
}

/** Browsers ignore these inside of addresses, too. */
export const withoutSpace = (address: string) => address.replace(/[\p{Cc}\s]+/gu, '')

function cidOf(text: string): Image {
  const id = decoded(text).replace(/^<|>$/g, '').slice(0, 500)
  return id ? { kind: 'cid', id } : { kind: 'none' }
}

function decoded(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    // Senders need not encode it.
    return text
  }
}

function dataOf(source: string): Image {
  if (source.length > longestData) return { kind: 'none' }
  const [, type, content] = /^data:image\/(png|jpe?g|gif|webp);base64,([a-z\d+/=]+)$/i.exec(source) ?? []
  if (!type || !content) return { kind: 'none' }
  return { kind: 'data', url: `data:image/${type.toLowerCase().replace('jpg', 'jpeg')};base64,${content}` }
}

function remoteOf(source: string): Image {
  const url = URL.parse(source.startsWith('//') ? `https:${source}` : source)
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > 4000) return { kind: 'none' }
  if (trackers.test(url.hostname) || trackingPath.test(url.pathname)) return { kind: 'none' }
  url.username = ''
  url.password = ''
  return { kind: 'remote', url: url.href }
}

/** Also those with one side of no length. */
const isHidden = ({ width, height, style = '', hidden }: Record<string, string>) =>
  hidden !== undefined ||
  none.test(width ?? '') ||
  none.test(height ?? '') ||
  noSide.test(style) ||
  unseenBy(style) === 'all'

const none = /^0(?:px|%)?$/
const noSide = /(?:^|[;\s])(?:max-)?(?:width|height)\s{0,5}:\s{0,5}0(?![.\d])/i

/** Images of one pixel only tell the sender that the message was read. */
function isTiny({ width, height, style = '' }: Record<string, string>) {
  const given = (name: string, attribute: string | undefined) =>
    Number.parseFloat(
      new RegExp(`(?:^|[;\\s])${name}\\s{0,5}:\\s{0,5}([\\d.]{1,9})px`, 'i').exec(style)?.[1] ?? attribute ?? 'NaN',
    )
  return given('width', width) <= 2 && given('height', height) <= 2
}
