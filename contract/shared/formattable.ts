// The reader of Markdown takes time by the square of what it must pair up, and a stack by how deep quotes and lists go.
// Texts may come from outside, so what would keep a browser or the server busy is shown as it is written.

const mostCharacters = 20_000
const mostLines = 1000
const mostDepth = 20
const widestIndent = 80
/** Sum over paragraphs of the square of their marks: 500 in one, or 100 in each of 25. */
const mostWork = 250_000

/** Whether a text can be formatted in no time. Reads each character once. */
export function isFormattable(text: string) {
  if (text.length > mostCharacters) return false
  const lines = text.split('\n')
  if (lines.length > mostLines || lines.some(isDeep)) return false
  let [work, marks] = [0, 0]
  for (const line of [...lines, '']) {
    marks += line.match(/[*_~`[\]<>!\\|]/g)?.length ?? 0
    if (line.trim() !== '') continue
    work += marks ** 2
    marks = 0
  }
  return work <= mostWork
}

function isDeep(line: string) {
  if (/^\s*/.exec(line)![0].length > widestIndent) return true
  const marker = /\s*(?:>|[-+*]\s|\d{1,9}[.)]\s)/y
  let depth = 0
  while (depth <= mostDepth && marker.test(line)) depth++
  return depth > mostDepth
}
