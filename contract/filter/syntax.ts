// Asks the parser whether a text is a filter, where it stops being one, and what may follow a beginning.
import type { Tree } from '@lezer/common'
import { parser } from './parser.ts'

const strict = parser.configure({ strict: true })

/** The syntax tree, or where the text first stops being a filter. */
export function syntaxOf(text: string): { tree: Tree } | { error: number } {
  try {
    return { tree: strict.parse(text) }
  } catch (error) {
    // "No parse at 12" is all that the parser says.
    return { error: Number(/\d+$/.exec((error as Error).message)?.[0] ?? 0) }
  }
}

// One word of each kind that no other kind could be. In place of a value any word fits, so that hides the others.
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

/** What may follow this beginning of a filter. Each kind is tried when it is asked for, as each costs a parse. */
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

/** What follows is a length of time, though any word would parse. */
export const isAfterQuietFor = (beginning: string) => /(?:^|[\s(:])quiet\s+for\s*$/i.test(beginning)

function isBeginning(text: string) {
  const syntax = syntaxOf(text)
  return 'tree' in syntax || syntax.error >= text.length
}
