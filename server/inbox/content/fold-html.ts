// Puts what a message quotes into `<div data-fold>`, by adding tags at places in the source: the rest stays as it is.
import type { Line } from './html-lines.ts'
import type { Element } from './html-tree.ts'
import { hasAnswers, isForwarded, quoteLine } from './quote-line.ts'
import type { ReadHtml } from './read-html.ts'

type Range = { from: number; to: number }

export function foldHtml({ html, lines, root }: ReadHtml, earlier: string[]) {
  const written = lines.filter(({ text }) => text)
  const folds = foldsOf(root, lines, written, earlier).filter((range) => countIn(written, range))
  const hidden = folds.reduce((sum, range) => sum + countIn(written, range), 0)
  return hidden < written.length ? withFolds(html, folds) : html
}

/** `written`: the lines that are not empty. */
function foldsOf(root: Element, lines: Line[], written: Line[], earlier: string[]): Range[] {
  const marked = marksIn(root)
  const rest = marked.find(({ mark }) => mark === 'rest')
  const blocks = marked.filter((node) => node.mark === 'block' && !isForward(node, written))
  if (rest && !(blocks[0] && blocks[0].from < rest.from)) {
    const folds = restFrom(rest)
    return isAnswered(lines, rest.from, earlier) ? [] : folds
  }
  if (blocks.length) return blockFolds(blocks, written)
  if (marked.length) return []
  const line = quoteLine(
    lines.map(({ text }) => text),
    earlier,
  )
  return line === null ? [] : restFrom(nodeAt(root, lines[line]!.at))
}

const isForward = ({ from }: Element, written: Line[]) => isForwarded(written[firstFrom(written, from)]?.text ?? '')

/** How many of the lines begin in the range. */
const countIn = (written: Line[], { from, to }: Range) => firstFrom(written, to) - firstFrom(written, from)

function firstFrom(written: Line[], at: number) {
  let [low, high] = [0, written.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (written[middle]!.at < at) low = middle + 1
    else high = middle
  }
  return low
}

/** Answers between the lines of an Outlook quote can only be seen by comparing it. */
const isAnswered = (lines: Line[], from: number, earlier: string[]) =>
  hasAnswers(
    lines.filter(({ at }) => at >= from).map(({ text }) => text),
    earlier,
  )

/** Marks inside of a quote do not count, unless the author wrote between the parts of that quote. */
function marksIn(parent: Element): Element[] {
  return parent.children.flatMap((node) => {
    const isWhole = node.mark === 'block' && (node.name === 'blockquote' || !hasOwnText(node))
    return node.mark === 'rest' || isWhole ? [node] : marksIn(node)
  })
}

/** Text after a quote in the element, but in none itself. */
function hasOwnText(container: Element) {
  let hasQuote = false
  const visit = (node: Element): boolean => {
    if (node.isText) return hasQuote && !node.isBlank
    if (node.name !== 'blockquote') return node.children.some(visit)
    hasQuote = true
    return false
  }
  return container.children.some(visit)
}

const longQuote = 500

/** Quotes after the author's last words, or a long one above them. Those between the words are needed to read them. */
function blockFolds(blocks: Element[], written: Line[]): Range[] {
  const ranges = blocks.map((node) => ({ from: headOf(node).from, to: node.to }))
  const last = ranges.at(-1)!
  const hasWordsBelow = countIn(written, { from: last.to, to: Number.POSITIVE_INFINITY })
  if (hasWordsBelow) return ranges.length === 1 && last.to - last.from > longQuote ? ranges : []
  const lastAnswered = ranges.findLastIndex(
    ({ to }, index) => index + 1 < ranges.length && countIn(written, { from: to, to: ranges[index + 1]!.from }),
  )
  return ranges.slice(lastAnswered + 1)
}

/** The element that says who wrote the quote, if it is above it. */
const headOf = (node: Element) => (node.above?.mark === 'head' ? node.above : node)

const tableParts = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'ul', 'ol', 'dl', 'colgroup'])

/** The node with all that follows it. Nothing can be put around the rows of a table, which stay as they are. */
function restFrom(start: Element): Range[] {
  const first = outermost(start)
  const ranges: Range[] = []
  for (let node = first; node.parent; node = node.parent) {
    const { children, name } = node.parent
    const from = node === first ? node : children[node.index + 1]
    if (from && !tableParts.has(name)) ranges.push({ from: from.from, to: children.at(-1)!.to })
  }
  return ranges
}

/** The largest element that begins with it, together with a line drawn above. */
function outermost(start: Element): Element {
  let node = start
  for (;;) {
    const { above } = node
    if (above?.name === 'hr') node = above
    else if (!above && node.parent?.parent) node = node.parent
    else return node
  }
}

function nodeAt(parent: Element, at: number): Element {
  const child = parent.children.find(({ from, to }) => at >= from && at < to)
  return child ? nodeAt(child, at) : parent
}

function withFolds(html: string, folds: Range[]) {
  const parts: string[] = []
  let at = 0
  for (const { from, to } of folds.toSorted((a, b) => a.from - b.from)) {
    parts.push(html.slice(at, from), '<div data-fold>', html.slice(from, to), '</div>')
    at = to
  }
  return parts.join('') + html.slice(at)
}
