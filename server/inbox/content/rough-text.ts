import { plainCharacters } from '../../../contract/shared/message-preview.ts'

const mostCharacters = 200_000
const unread = new Set(['head', 'script', 'style', 'title'])

/** What is between the tags, found without a parser: for HTML that a parser took too long to read. */
export function roughText(html: string) {
  const source = html.slice(0, mostCharacters)
  const parts: string[] = []
  for (let at = 0; at < source.length; ) {
    const tag = source.indexOf('<', at)
    parts.push(source.slice(at, tag < 0 ? source.length : tag))
    const end = tag < 0 ? -1 : endOf(source, tag)
    if (end < 0) break
    at = end
  }
  const lines = plainCharacters(parts.join('\n')).split('\n')
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
}

/** Where the text goes on after a tag; negative: nowhere. */
function endOf(source: string, tag: number) {
  const end = source.indexOf('>', tag)
  const name = /^[a-z]*/i.exec(source.slice(tag + 1, tag + 10))![0].toLowerCase()
  if (end < 0 || !unread.has(name)) return end + 1 || end
  const close = source.indexOf(`</${name}`, end)
  const closed = close < 0 ? -1 : source.indexOf('>', close)
  return closed + 1 || closed
}
