// Finds what a message quotes, so that it can be folded. Nothing is deleted, and the author's own words stay visible.
import { foldHtml } from './fold-html.ts'
import { quoteLine } from './quote-line.ts'
import { readHtml } from './read-html.ts'

/** `earlier`: the texts of earlier messages of the conversation, newest first. */
type Text = { text: string; earlier: string[] }
type Html = { html: string; earlier: string[] }

/** Of text: two parts, which together are the original. Of safe HTML: the same with `<div data-fold>` around quotes. */
export function foldQuotes(given: Text): { text: string; quote: string }
export function foldQuotes(given: Html): { html: string }
export function foldQuotes(given: Text | Html) {
  return 'text' in given ? foldText(given) : { html: foldHtml(readHtml(given.html), given.earlier) }
}

function foldText({ text, earlier }: Text) {
  const lines = text.split('\n')
  const line = quoteLine(lines, earlier)
  if (line === null) return { text, quote: '' }
  const offset = lines.slice(0, line).reduce((length, { length: more }) => length + more + 1, 0)
  return { text: text.slice(0, offset), quote: text.slice(offset) }
}
