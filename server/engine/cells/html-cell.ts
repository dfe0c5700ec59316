// Texts that other products export as HTML, as our fields keep them.
import { Parser } from 'htmlparser2'
import { boundedHtml } from '../../inbox/content/bounded-html.ts'
import { lineReader } from '../../inbox/content/html-lines.ts'
import { plainText, textOf } from '../../inbox/content/plain-text.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'

/** As Markdown in a note, as lines in other long texts, and on one line in short ones. Other text is left as it is. */
export function withoutHtml(
  { built_in_key: object }: Pick<ObjectSchema, 'built_in_key'>,
  { type, is_multi, built_in_key }: Pick<Field, 'type' | 'is_multi' | 'built_in_key'>,
  cell: string,
): string {
  if (is_multi || (type !== 'text' && type !== 'long_text') || !isHtml(cell)) return cell
  if (type === 'text') return plainText(cell).replace(/\s+/g, ' ')
  return object === 'notes' && built_in_key === 'body' ? markdownOf(cell) : plainText(cell)
}

const voids = new Set(['br', 'hr', 'img'])
/** Elements that end where the next of their kind begins. */
const open = new Set(['p', 'li', 'td', 'th', 'tr', ...voids])
const known = new Set([
  ...open,
  ...'a b blockquote center code dd del div dl dt em font h1 h2 h3 h4 h5 h6 i ins ol pre s small span strike strong sub sup table tbody tfoot thead u ul'.split(
    ' ',
  ),
])

/** Whether every < begins a tag that editors write, and every element has its end. "a < b" and "Ada <ada@x.com>" are text. */
export function isHtml(text: string): boolean {
  let at = text.indexOf('<')
  if (at < 0) return false
  const begun: string[] = []
  for (; at >= 0; at = text.indexOf('<', at + 1)) {
    const end = text.indexOf('>', at)
    if (end < 0) return false
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9]*)(?=[\s/>])/i.exec(text.slice(at, at + 20)) ?? []
    const element = name.toLowerCase()
    if (!known.has(element)) return false
    if (!open.has(element)) {
      if (!slash) begun.push(element)
      else if (begun.pop() !== element) return false
    }
    at = end
  }
  // What is too deep or too crowded to be read would be lost.
  return !begun.length && !boundedHtml(text).isCut
}

const marks: Record<string, string> = { b: '**', strong: '**', em: '*', i: '*', del: '~~', s: '~~', strike: '~~' }
const heading = /^h[1-6]$/
const blocks = /^(?:p|div|h[1-6]|ul|ol|li|dl|dt|dd|tr|td|th|table|blockquote|pre|br|hr|center)$/

/** The marks are written as text, at the words that they belong to: a space beside one of them would make it plain text. */
export function markdownOf(html: string): string {
  const lines = lineReader(() => parser.startIndex)
  /** Those whose text has not begun. */
  let waiting: { element: string; mark: string; end: string }[] = []
  const begun: { element: string; end: string }[] = []
  let hasSpace = false
  const parser = new Parser({
    onopentag(name, attributes) {
      lines.onopentag(name, attributes)
      if (blocks.test(name)) hasSpace = false
      if (heading.test(name)) lines.ontext(`${'#'.repeat(Number(name[1]))} `)
      const mark = marks[name]
      const href = name === 'a' ? addressIn(attributes.href) : undefined
      if (mark) waiting.push({ element: name, mark, end: mark })
      else if (href) waiting.push({ element: name, mark: '[', end: `](${href})` })
    },
    onclosetag(name) {
      if (waiting.at(-1)?.element === name) waiting.pop()
      else if (begun.at(-1)?.element === name) lines.ontext(begun.pop()!.end)
      lines.onclosetag(name)
      if (blocks.test(name)) hasSpace = false
    },
    ontext(text) {
      const words = text.trim()
      if (!words) {
        hasSpace ||= text !== ''
        return
      }
      const space = hasSpace || /^\s/.test(text) ? ' ' : ''
      lines.ontext(space + waiting.map(({ mark }) => mark).join('') + escaped(words))
      begun.push(...waiting)
      waiting = []
      hasSpace = /\s$/.test(text)
    },
  })
  parser.end(html)
  return textOf(lines.lines())
}

const longestAddress = 2000

function addressIn(href = '') {
  const address = href.trim()
  if (address.length > longestAddress || !/^(https?:\/\/|mailto:|tel:)/i.test(address)) return undefined
  return address.replace(/[\s()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}

/** What would otherwise become formatting, a link or a mention. */
const escaped = (text: string) =>
  text.replace(/[\\*`]|\](?=\()/g, '\\$&').replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
