// The elements of safe HTML with their places in the source.
import { Parser } from 'htmlparser2'
import type { QuoteMark } from './quote-marks.ts'

export type Element = {
  /** Empty for text and for the root. */
  name: string
  mark: QuoteMark | null
  isText: boolean
  /** Whether a reader would see something of it. */
  isBlank: boolean
  from: number
  to: number
  parent: Element | null
  /** Its place among the children of its parent. */
  index: number
  children: Element[]
}

export function treeOf(html: string): Element {
  const root = element(null, '', 0)
  let open = root
  const add = (name: string, from: number) => {
    const child = element(open, name, from)
    open.children.push(child)
    return child
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      open = add(name, parser.startIndex)
      open.mark = (attributes['data-quote'] as QuoteMark) ?? null
      if (name === 'img') show(open)
    },
    onclosetag() {
      open.to = parser.endIndex + 1
      open = open.parent ?? root
    },
    ontext(text) {
      const node = add('', parser.startIndex)
      node.isText = true
      node.to = parser.endIndex + 1
      if (/\S/.test(text)) show(node)
    },
  })
  parser.end(html)
  root.to = html.length
  return root
}

const element = (parent: Element | null, name: string, from: number): Element => ({
  name,
  mark: null,
  isText: false,
  isBlank: true,
  from,
  to: from,
  parent,
  index: parent?.children.length ?? 0,
  children: [],
})

function show(node: Element) {
  for (let shown: Element | null = node; shown?.isBlank; shown = shown.parent) shown.isBlank = false
}
