// What someone means who types words instead of a filter: a search for them. Only for people; the API reports an error.
import type { Scope } from './fields.ts'
import { namesOf } from './names.ts'
import { quote, strayBackslash, unquote } from './strings.ts'
import { syntaxOf } from './syntax.ts'

/** The filter that searches for these words. Undefined if the text is a filter, or looks like one with an error. */
export function asSearch(typed: string, { objects, root }: Scope): string | undefined {
  const text = typed.trim()
  if (/^"[^"]+"$/.test(text) && strayBackslash(text) < 0) return `search(${quote(unquote(text))})`
  const [first = ''] = text.split(/\s+/)
  const isFilter = /[=<>!~()"`:{}]/.test(text) || /^(?:not|any|none|search)$/i.test(first)
  const [name = ''] = first.split('.')
  const fields = objects[root]?.fields ?? []
  const isField = fields.some(({ key }) => key === name) || namesOf(fields)(name).length > 0
  if (!/[\p{L}\p{N}]/u.test(text) || isFilter || isField || 'tree' in syntaxOf(text)) return undefined
  return `search(${quote(text)})`
}
