// Parsers of HTML take time that grows with the square of the depth of its elements, so ours only get what is sane.
const longest = 2_000_000
const mostTags = 50_000
const deepest = 200

/** Elements that have no content, or that end where the next of their kind begins. */
const flat = new Set(
  'area base br col embed hr img input link meta source track wbr p li dd dt td th tr tbody thead tfoot option'.split(
    ' ',
  ),
)

/** The HTML up to where it becomes too long, too deep or too crowded. */
export function boundedHtml(html: string): { html: string; isCut: boolean } {
  const end = endOf(html)
  return { html: html.slice(0, end), isCut: end < html.length }
}

function endOf(html: string) {
  const open = new Map<string, number>()
  let depth = 0
  let tags = 0
  let at = html.indexOf('<')
  while (at >= 0) {
    if (at >= longest) return longest
    if (++tags > mostTags) return at
    const isEnd = html[at + 1] === '/'
    const name = nameAt(html, isEnd ? at + 2 : at + 1)
    const count = open.get(name) ?? 0
    if (name && !flat.has(name) && (!isEnd || count)) {
      open.set(name, count + (isEnd ? -1 : 1))
      depth += isEnd ? -1 : 1
    }
    if (depth > deepest) return at
    at = html.indexOf('<', at + 1)
  }
  return Math.min(html.length, longest)
}

const nameAt = (html: string, at: number) => /^[a-z][^\s/>]*/i.exec(html.slice(at, at + 20))?.[0].toLowerCase() ?? ''
