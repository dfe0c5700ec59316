import * as terms from './parser.terms.ts'

// Case-insensitive. A field with one of these names is written in backticks.
const keywords = new Map([
  ['and', terms.AndWord],
  ['or', terms.OrWord],
  ['not', terms.NotWord],
  ['any', terms.AnyWord],
  ['none', terms.NoneWord],
  ['all', terms.AllWord],
  ['search', terms.SearchWord],
  ['starts', terms.StartsWord],
  ['ends', terms.EndsWord],
  ['with', terms.WithWord],
  ['in', terms.InWord],
  ['has', terms.HasWord],
  ['between', terms.BetweenWord],
  ['is', terms.IsWord],
  ['empty', terms.EmptyWord],
])

const quietKeywords = new Map([
  ['quiet', terms.QuietWord],
  ['for', terms.ForWord],
])

export const isKeyword = (word: string) => keywords.has(word.toLowerCase())

/** Called by the generated parser for every name. */
export const keyword = (word: string, _stack: unknown) => keywords.get(word.toLowerCase()) ?? -1
export const quietKeyword = (word: string, _stack: unknown) => quietKeywords.get(word.toLowerCase()) ?? -1
