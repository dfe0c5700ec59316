// Safe HTML as lines of text and as a tree, read in one pass.
import { Parser } from 'htmlparser2'
import { lineReader } from './html-lines.ts'
import { treeReader } from './html-tree.ts'

export type ReadHtml = ReturnType<typeof readHtml>

export function readHtml(html: string) {
  const lines = lineReader(() => parser.startIndex)
  const tree = treeReader(() => parser)
  const parser = new Parser({
    onopentag(name, attributes) {
      lines.onopentag(name, attributes)
      tree.onopentag(name, attributes)
    },
    onclosetag(name) {
      lines.onclosetag(name)
      tree.onclosetag()
    },
    ontext(text) {
      lines.ontext(text)
      tree.ontext(text)
    },
  })
  parser.end(html)
  return { html, lines: lines.lines(), root: tree.root(html.length) }
}
