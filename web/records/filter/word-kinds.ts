// What the parser takes each word of a filter for, so that it can be coloured.
import type { Tree } from '@lezer/common'
import { meaningOf } from '../../../contract/filter/words.ts'

export type WordKind = 'keyword' | 'field' | 'operator' | 'text' | 'number' | 'moment'

const byNode: Record<string, WordKind> = {
  Keyword: 'keyword',
  Name: 'field',
  QuotedName: 'field',
  Symbol: 'operator',
  String: 'text',
}

export function wordsOf(tree: Tree, text: string) {
  const words: { from: number; to: number; kind: WordKind }[] = []
  tree.iterate({
    enter: (node) => {
      const { name, from, to } = node
      const isDuration = name === 'Bare' && node.matchContext(['Quiet'])
      const kind = isDuration ? 'moment' : name === 'Bare' ? kindOfBare(text.slice(from, to)) : byNode[name]
      if (kind && to > from) words.push({ from, to, kind })
    },
  })
  return words
}

function kindOfBare(word: string): WordKind {
  const value = meaningOf(word)
  if (typeof value === 'number') return 'number'
  return typeof value === 'object' || /^\d{4}-\d\d-\d\d/.test(word) ? 'moment' : 'text'
}
