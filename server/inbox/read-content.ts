// What is stored of the content of a message: its text, safe HTML, and where the quote begins.
import { plainText } from './content/plain-text.ts'
import { foldQuotes } from './content/quotes.ts'
import { safeHtml } from './content/safe-html.ts'

/** `quote_at`: where the quote begins in the text; null: there is none. */
export type Content = { text: string; html: string | null; quote_at: number | null; remote_images: number }

const mostText = 1_000_000

/** `earlier`: the texts of the conversation so far, newest first, to recognize quotes in any language. */
export function readContent(given: { text: string; html: string | null }, earlier: string[]): Content {
  const safe = given.html === null ? null : safeHtml(given.html)
  const text = (given.text.trim() || !safe ? given.text : plainText(safe.html)).slice(0, mostText).toWellFormed()
  const { text: own, quote } = foldQuotes({ text, earlier })
  return {
    text,
    html: safe && foldQuotes({ html: safe.html, earlier }).html,
    quote_at: own.trim() && quote.trim() ? own.length : null,
    remote_images: safe?.remoteImages.length ?? 0,
  }
}
