// Reads the little Markdown that docs/filter-syntax.md is written in: the page and the document are one text.
import text from '../../../docs/filter-syntax.md?raw'

const [lead, ...others] = sectionsOf(text)

/** The table of operators is left out: this page makes it from the language itself. */
export const sections = others.filter(({ title }) => title !== 'Operators by type')

export const exampleLines = lead!.blocks.flatMap((block) => (block.kind === 'code' ? block.text.split('\n') : []))

export type Block =
  | { kind: 'code'; text: string }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'list'; items: string[] }
  | { kind: 'text'; text: string }
export type Section = { title: string; blocks: Block[] }

/** The sections below the title of the document; the first, without a name, is its lead. */
export function sectionsOf(markdown: string): Section[] {
  const [lead = '', ...rest] = markdown.split(/^## /m)
  const sections = rest.map((part) => {
    const end = part.indexOf('\n')
    return { title: part.slice(0, end), blocks: blocksOf(part.slice(end)) }
  })
  return [{ title: '', blocks: blocksOf(lead.replace(/^# .*$/m, '')) }, ...sections]
}

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  const lines = markdown.split('\n')
  while (lines.length) {
    const line = lines[0]!
    if (line.startsWith('```')) {
      const end = lines.indexOf('```', 1)
      blocks.push({
        kind: 'code',
        text: lines
          .splice(0, end + 1)
          .slice(1, -1)
          .join('\n'),
      })
    } else if (line.startsWith('|')) blocks.push(tableOf(take(lines, (one) => one.startsWith('|'))))
    else if (line.startsWith('- ')) {
      blocks.push({ kind: 'list', items: take(lines, (one) => one.startsWith('- ')).map((one) => one.slice(2)) })
    } else if (line.trim() === '') lines.shift()
    else blocks.push({ kind: 'text', text: take(lines, (one) => /^[^|`\s-]|^`[^`]|^``[^`]/.test(one)).join(' ') })
  }
  return blocks
}

/** The first lines as long as they fit, and at least one. */
function take(lines: string[], fits: (line: string) => boolean) {
  const end = lines.findIndex((line, i) => i > 0 && !fits(line))
  return lines.splice(0, end < 0 ? lines.length : end)
}

function tableOf(lines: string[]): Block {
  const cells = (line: string) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
  const [head = '', , ...rows] = lines
  return { kind: 'table', head: cells(head), rows: rows.map(cells) }
}

export type Inline = { kind: 'plain' | 'code' | 'strong' | 'em'; text: string }

export function inlinesOf(text: string): Inline[] {
  const inlines: Inline[] = []
  let done = 0
  for (const match of text.matchAll(/``\s?(.+?)\s?``|`([^`]+)`|\*\*(.+?)\*\*|\*([^*]+)\*/g)) {
    if (match.index > done) inlines.push({ kind: 'plain', text: text.slice(done, match.index) })
    const [, twice, code, strong, em] = match
    if (twice ?? code) inlines.push({ kind: 'code', text: (twice ?? code)! })
    else inlines.push(strong ? { kind: 'strong', text: strong } : { kind: 'em', text: em! })
    done = match.index + match[0].length
  }
  if (done < text.length) inlines.push({ kind: 'plain', text: text.slice(done) })
  return inlines
}
