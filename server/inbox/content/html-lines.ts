// HTML as lines of text, each with its place in the source.
import { Parser } from 'htmlparser2'
import { unseenBy } from './styles.ts'

export type Line = {
  text: string
  /** Where its first text begins in the HTML. */
  at: number
  /** How many quotes it is inside of. */
  depth: number
}

const paragraphs = new Set('p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre table hr'.split(' '))
const blocks = new Set(
  'div tr li dt dd section article header footer main aside nav address center body form figure figcaption caption'.split(
    ' ',
  ),
)
const cells = new Set(['td', 'th'])
const unread = new Set('script style head title template noscript svg math iframe object select textarea'.split(' '))
const isHidden = ({ style = '', 'data-unseen': unseen }: Record<string, string>) =>
  unseen !== undefined || /mso-hide\s{0,5}:\s{0,5}all/i.test(style.slice(0, 4000)) || unseenBy(style) !== null
const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

/** What a reader sees of it: no scripts, no styles and nothing hidden. Empty lines separate paragraphs. */
export function linesOf(html: string): Line[] {
  const reader = lineReader(() => parser.startIndex)
  const parser = new Parser(reader)
  parser.end(html)
  return reader.lines()
}

/** `place`: where the parser is. */
export function lineReader(place: () => number) {
  const lines: Line[] = []
  let words: string[] = []
  let at = 0
  let hasSpace = false
  let isGap = false
  let skipping = 0
  let quotes = 0
  let preformatted = 0

  const write = (text: string, start: number) => {
    if (!words.length) {
      at = start
      if (isGap && lines.length) lines.push({ text: '', at, depth: quotes })
      isGap = false
    } else if (hasSpace) words.push(' ')
    hasSpace = false
    words.push(text)
  }
  const endLine = () => {
    if (words.length) lines.push({ text: words.join(''), at, depth: quotes })
    words = []
    hasSpace = false
  }
  const edge = (name: string) => {
    if (paragraphs.has(name) || blocks.has(name)) endLine()
    if (paragraphs.has(name)) isGap = true
    if (cells.has(name)) hasSpace = true
  }

  /** Two in a row leave an empty line. */
  function lineBreak() {
    if (words.length) endLine()
    else isGap = true
  }
  function writeFlowing(text: string) {
    const visible = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    if (/^\s/.test(visible)) hasSpace = true
    const found = visible.match(/\S+/g)
    if (!found) return
    write(found.join(' '), place())
    if (/\s$/.test(visible)) hasSpace = true
  }
  function writePreformatted(text: string) {
    text.split('\n').forEach((line, index) => {
      if (index) lineBreak()
      if (line.trim()) write(line.trimEnd(), place())
    })
  }

  return {
    onopentag(name: string, attributes: Record<string, string>) {
      if (skipping || unread.has(name) || isHidden(attributes)) {
        if (!voids.has(name)) skipping++
        return
      }
      edge(name)
      if (name === 'br') lineBreak()
      if (name === 'blockquote') quotes++
      if (name === 'pre') preformatted++
      if (name === 'li') write('- ', place())
    },
    onclosetag(name: string) {
      if (skipping) {
        if (!voids.has(name)) skipping--
        return
      }
      edge(name)
      if (name === 'blockquote') quotes--
      if (name === 'pre') preformatted--
    },
    ontext(text: string) {
      if (skipping) return
      if (preformatted) writePreformatted(text)
      else writeFlowing(text)
    },
    lines() {
      endLine()
      return lines
    },
  }
}
