// What is shown compares with what the editor reads.
import type { JSONContent } from '@tiptap/core'
import { MarkdownManager } from '@tiptap/markdown'
import { expect, test } from 'vitest'
import { createExtensions } from './extensions.ts'
import { type Block, type Inline, readMarkdown } from './read-markdown.ts'

const id = '0198c7a0-0000-7000-8000-000000000001'

const written = [
  'One line',
  'Two\nlines',
  'A paragraph\n\nand another',
  'Lines  \nbroken\\\nby hand',
  'Some **bold**, *italic*, ***both***, ~~struck~~, `code` and **bold *and* italic**',
  '__bold__ _italic_ snake_case_word 2 * 3 * 4',
  '# One\n\n## Two\n### Three\n\n###### Six\n\nSetext\n===',
  '- first\n- second\n  - nested\n    - deeper\n- third',
  '* star\n* star\n\n+ plus',
  '- loose\n\n- items\n\n  with a paragraph',
  '1. first\n2. second\n3. third',
  '4. begins\n5. at four',
  '1. one\n   - bullet\n   - another\n2. two',
  '1. one\n   1. nested\n   2. nested\n2. two',
  '- [ ] to do\n- [x] done',
  '- [ ] to do\n  - [x] part\n- plain\n- [X] done',
  'Before the list\n- a\n- b\n\nAfter it',
  '> quoted\n> on\n>\n> and on',
  '> - a list\n> - in a quote\n>\n> > deeper',
  '```js\nconst a = `b`\n<b>\n```',
  '~~~\ntilde\n~~~',
  '    indented code',
  'Above\n\n---\n\nBelow',
  '[Kith](https://example.com "Title") and <https://example.com/a?b=c> and https://example.com, a@example.com',
  '[**bold** link](https://example.com/a_b) [mail](mailto:a@example.com) [call](tel:+123)',
  '[bad](javascript:alert(1)) [worse](JaVaScRiPt:alert(1)) [data](data:text/html,x) [near](/settings) [other](//x.org)',
  '![picture](https://example.com/a.png) and ![one][ref]\n\n[ref]: https://example.com',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '<script>alert(1)</script>\n\n<b>bold</b> <img src=x onerror=alert(1)> a<br>b',
  '<div>\n**bold** in a block\n</div>\n\n<!-- comment -->',
  `Ask [@Anna Berg](mention:${id}) and [@Bob](mention:${id}), not [@Eve](mention:nobody)`,
  `**[@Anna Berg](mention:${id})**`,
  'Tom &amp; Ada &lt;b&gt; &quot;x&quot; &#33; &#x1F600; &amp;lt; AT&T',
  'Escaped \\* \\_ \\[x\\] \\# \\`',
  '**not closed, *nor this',
  'a\n\n\n\nb\n\n\n\n\n\nc',
  '# Heading\n\n\n\nfar below',
  'Ends with space  \n\n',
  'مرحبا **بالعالم** – 你好 *世界* 🎉',
  '',
]

test.each(written)('a text is shown as the editor shows it: %j', (text) => {
  expect(shown(readMarkdown(text))).toEqual(edited(text))
})

test('a name with an initial does not become a list, unlike in the editor', () => {
  expect(readMarkdown('A. Smith called')).toEqual([
    { type: 'paragraph', content: [{ type: 'text', text: 'A. Smith called' }] },
  ])
})

/** A block with the blocks in it, or its runs of text, each with its marks. */
type Shape = [block: string, ...inside: (Shape | string)[]]
type Run = { text: string; marks: string[] }

const shown = (blocks: Block[]) => withoutEnd(blocks.map(shownShape))

function shownShape(block: Block): Shape {
  if (block.type === 'line') return ['line']
  if (block.type === 'code') return ['code', block.text]
  if (block.type === 'quote') return ['quote', ...shown(block.content)]
  if (block.type === 'heading') return [`heading ${block.level}`, ...joined(block.content.flatMap(shownRuns([])))]
  if (block.type === 'paragraph') return ['paragraph', ...joined(block.content.flatMap(shownRuns([])))]
  const name = block.type === 'numbers' ? `numbers ${block.start}` : block.type
  return [name, ...block.items.map(({ isDone, content }): Shape => [itemName(isDone), ...shown(content)])]
}

const shownRuns =
  (marks: string[]) =>
  (piece: Inline): Run[] => {
    if (piece.type === 'text') return [{ text: piece.text, marks }]
    if (piece.type === 'code') return [{ text: piece.text, marks: [...marks, 'code'] }]
    if (piece.type === 'break') return [{ text: '<br>', marks: [] }]
    if (piece.type === 'mention') return [{ text: `<@${piece.name} ${piece.id}>`, marks: [] }]
    return piece.content.flatMap(shownRuns([...marks, piece.type === 'link' ? `link ${piece.href}` : piece.type]))
  }

const extensions = createExtensions()
const manager = new MarkdownManager({ extensions, marked: extensions.at(-1)!.options.marked })
const blockNames: Record<string, string> = {
  bulletList: 'bullets',
  taskList: 'checks',
  blockquote: 'quote',
  horizontalRule: 'line',
}
const markNames: Record<string, string> = { bold: 'strong', italic: 'em', strike: 'del' }

const edited = (text: string) => withoutEnd((manager.parse(text).content ?? []).map(editedShape))

function editedShape({ type = '', attrs, content = [] }: JSONContent): Shape {
  if (type === 'codeBlock') return ['code', ...content.map(({ text }) => String(text))]
  if (type === 'heading') return [`heading ${attrs!.level}`, ...joined(content.map(editedRun))]
  if (type === 'paragraph') return ['paragraph', ...joined(content.map(editedRun))]
  const inside = withoutEnd(content.map(editedShape))
  if (type === 'orderedList') return [`numbers ${attrs?.start ?? 1}`, ...inside]
  if (type === 'listItem' || type === 'taskItem') return [itemName(attrs?.checked), ...inside]
  return [blockNames[type] ?? type, ...inside]
}

function editedRun({ type, text, attrs, marks = [] }: JSONContent): Run {
  if (type === 'hardBreak') return { text: '<br>', marks: [] }
  if (type === 'mention') return { text: `<@${attrs!.name} ${attrs!.id}>`, marks: [] }
  const names = marks.map((mark) => (mark.type === 'link' ? `link ${mark.attrs!.href}` : mark.type))
  return { text: text ?? '', marks: names.map((name) => markNames[name] ?? name) }
}

const itemName = (isDone: boolean | undefined) => (isDone === undefined ? 'item' : isDone ? 'done' : 'to do')

/** Neighbors with the same marks are one run. */
function joined(runs: Run[]) {
  const all: { text: string; marks: string }[] = []
  for (const { text, marks } of runs) {
    const names = marks.toSorted().join(', ')
    const last = all.at(-1)
    if (last?.marks === names) last.text += text
    else all.push({ text, marks: names })
  }
  return all.filter(({ text }) => text !== '').map(({ text, marks }) => `${text}|${marks}`)
}

/** The editor keeps empty lines at the end, which show nothing. */
function withoutEnd(shapes: Shape[]): Shape[] {
  const isEmpty = (shape: Shape | undefined) => shape?.[0] === 'paragraph' && shape.length === 1
  return isEmpty(shapes.at(-1)) ? withoutEnd(shapes.slice(0, -1)) : shapes
}
