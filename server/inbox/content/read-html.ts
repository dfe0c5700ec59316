// Safe HTML as lines of text, as a tree and with its false links, read in one pass.
import { Parser } from 'htmlparser2'
import { falseLinkReader } from './false-links.ts'
import { lineReader } from './html-lines.ts'
import { treeReader } from './html-tree.ts'

export type ReadHtml = ReturnType<typeof readHtml>

export function readHtml(html: string) {
  const lines = lineReader(() => parser.startIndex)
  const tree = treeReader(() => parser)
  const links = falseLinkReader()
  const parser = new Parser({
    onopentag(name, attributes) {
      lines.onopentag(name, attributes)
      tree.onopentag(name, attributes)
      links.onopentag(name, attributes)
    },
    onclosetag(name) {
      lines.onclosetag(name)
      tree.onclosetag()
      links.onclosetag(name)
    },
    ontext(text) {
      lines.ontext(text)
      tree.ontext(text)
      links.ontext(text)
    },
  })
  parser.end(html)
  return { html, lines: lines.lines(), root: tree.root(html.length), falseLinks: links.found() }
}
