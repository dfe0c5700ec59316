// What is stored of the content of a message: its text, safe HTML, where the quote begins, and the words to find it by.
// It takes long for some messages, so it runs in a thread (read-messages.ts).
import type { FalseLink } from '../content/false-links.ts'
import { foldHtml } from '../content/fold-html.ts'
import { textOf } from '../content/plain-text.ts'
import { foldQuotes } from '../content/quotes.ts'
import { readHtml } from '../content/read-html.ts'
import { roughText } from '../content/rough-text.ts'
import { safeHtml } from '../content/safe-html.ts'
import { searchOf } from '../thread/search-words.ts'

/** `also`: what else it can be found by, such as its subject. */
export type RawContent = { text: string; html: string | null; also: string[] }

/** `quote_at`: where the quote begins in the text; null: there is none. */
export type Content = {
  text: string
  html: string | null
  quote_at: number | null
  remote_images: number
  search: string
}
export type ReadContent = Content & { falseLinks: FalseLink[] }

const mostText = 1_000_000

/** `earlier`: the texts of the conversation so far, newest first, to recognize quotes in any language. */
export function readContent(given: RawContent, earlier: string[]): ReadContent {
  const safe = given.html === null ? null : safeHtml(storable(given.html))
  const html = safe && readHtml(safe.html)
  const text = textFrom(given.text, () => (html ? textOf(html.lines) : ''))
  const { text: own, quote } = foldQuotes({ text, earlier })
  return {
    text,
    html: html && foldHtml(html, earlier),
    quote_at: own.trim() && quote.trim() ? own.length : null,
    remote_images: safe?.remoteImages.length ?? 0,
    search: searchOf(...given.also, text),
    falseLinks: html?.falseLinks ?? [],
  }
}

/** Only its text, in no time: for what took too long to read. */
export function readText({ text: given, html, also }: RawContent): ReadContent {
  const text = textFrom(given, () => roughText(html ?? ''))
  return { text, html: null, quote_at: null, remote_images: 0, search: searchOf(...also, text), falseLinks: [] }
}

const textFrom = (text: string, otherwise: () => string) => {
  const own = storable(text.slice(0, mostText))
  return own.trim() ? own : storable(otherwise().slice(0, mostText))
}

/** PostgreSQL stores no NUL and no half characters. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()
