// The elements of safe HTML with their places in the source.
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
  /** What is above it among those children, if a reader sees it. */
  above: Element | null
  children: Element[]
}

type SourceRange = { startIndex: number; endIndex: number }

/** `place`: where the parser is. */
export function treeReader(place: () => SourceRange) {
  const root = element(null, '', 0)
  let open = root
  const add = (name: string) => {
    const child = element(open, name, place().startIndex)
    open.children.push(child)
    return child
  }
  return {
    onopentag(name: string, attributes: Record<string, string>) {
      open = add(name)
      open.mark = (attributes['data-quote'] as QuoteMark) ?? null
      if (name === 'img') show(open)
    },
    onclosetag() {
      open.to = place().endIndex + 1
      open = open.parent ?? root
    },
    ontext(text: string) {
      const node = add('')
      node.isText = true
      node.to = place().endIndex + 1
      if (/\S/.test(text)) show(node)
    },
    root(length: number) {
      root.to = length
      return root
    },
  }
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
  above: shownFrom(parent?.children.at(-1) ?? null),
  children: [],
})

/** The element itself or what is above it. What is blank is passed over in one step, however much of it there is. */
const shownFrom = (last: Element | null) => (last?.isBlank && last.name !== 'hr' ? last.above : last)

function show(node: Element) {
  for (let shown: Element | null = node; shown?.isBlank; shown = shown.parent) shown.isBlank = false
}
