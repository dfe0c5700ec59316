// Uses the parser to find where a text stops being a valid filter, and what may follow.
import type { Tree } from '@lezer/common'
import { parser } from './parser.ts'

const strict = parser.configure({ strict: true })

/** The syntax tree, or the offset at which the text stops being a valid filter. */
export function syntaxOf(text: string): { tree: Tree } | { error: number } {
  try {
    return { tree: strict.parse(text) }
  } catch (error) {
    // The parser's only hint is its message: "No parse at 12".
    return { error: Number(/\d+$/.exec((error as Error).message)?.[0] ?? 0) }
  }
}

// A word of each kind that cannot be any other kind. Any word can be a value, so an expected value hides the others.
const probes = {
  value: '1',
  text: '""',
  condition: '`x` = 1',
  field: '`x`',
  operator: '=',
  colon: ':',
  with: 'with',
  for: 'for',
  empty: 'empty',
  of: 'any',
  in: 'in',
  and: 'and',
  or: 'or',
  comma: ',',
  close: ')',
  open: '(',
} as const
export type Expected = keyof typeof probes

/** What may follow this start of a filter. Checked on demand, because each kind costs a parse. */
export function expectedAfter(beginning: string) {
  const known = new Map<Expected, boolean>()
  const has = (kind: Expected): boolean => {
    const isHidden = kind !== 'value' && kind !== 'text' && kind !== 'open' && has('value')
    const fits = known.get(kind) ?? (!isHidden && isBeginning(`${beginning} ${probes[kind]}`))
    known.set(kind, fits)
    return fits
  }
  return { has }
}
export type Expectation = ReturnType<typeof expectedAfter>

/** A length of time must follow, although the grammar accepts any word. */
export const isAfterQuietFor = (beginning: string) => /(?:^|[\s(:])quiet\s+for\s*$/i.test(beginning)

function isBeginning(text: string) {
  const syntax = syntaxOf(text)
  return 'tree' in syntax || syntax.error >= text.length
}
