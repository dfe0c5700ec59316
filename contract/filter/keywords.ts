import * as terms from './parser.terms.ts'

// The words of the language. They are known in any case, and a field of such a name is written in backticks.
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

/** Called by the generated parser for each name it reads. */
export const keyword = (word: string, _stack: unknown) => keywords.get(word.toLowerCase()) ?? -1
export const quietKeyword = (word: string, _stack: unknown) => quietKeywords.get(word.toLowerCase()) ?? -1
