import { boundedHtml } from './bounded-html.ts'
import { type Line, linesOf } from './html-lines.ts'

/** Readable text from HTML, for search, agents and previews. What is quoted begins with ">". */
export const plainText = (html: string) => textOf(linesOf(boundedHtml(html).html))

export const textOf = (lines: Line[]) =>
  lines.map(({ text, depth }) => (depth ? `${'>'.repeat(Math.min(depth, 9))} ${text}`.trimEnd() : text)).join('\n')

const previewLength = 160

/** The beginning of a message on one line, without what it quotes. */
export function preview(text: string) {
  const words: string[] = []
  let length = 0
  for (const line of text.slice(0, 20_000).split('\n')) {
    if (line.startsWith('>')) continue
    for (const word of line.match(/\S+/g) ?? []) {
      words.push(word)
      length += word.length + 1
    }
    if (length > previewLength) break
  }
  return shortened(words.join(' '))
}

function shortened(text: string) {
  const characters = [...text.slice(0, previewLength * 4)]
  if (characters.length <= previewLength) return text
  return `${characters
    .slice(0, previewLength - 1)
    .join('')
    .trimEnd()}…`
}
