// The words of messages and of what people search for. Both are split in the same way. Scripts that put no spaces between
// words are indexed by every three letters in a row with their place, so that any part of a sentence is found.
import { fold } from '../../../contract/filter/index.ts'

/** Increase this when words are split in another way, or others are indexed. Messages of companies with an older version are indexed again. */
export const wordsVersion = 3

const mostCharacters = 100_000
const mostWords = 10_000
const longest = 60
/** Of letters without spaces. */
const gram = 3
/** PostgreSQL knows no later place. */
const lastPlace = 16_000

const unspaced = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}'
const letters = '[\\p{L}\\p{M}\\p{N}]'
const run = new RegExp(`(?<unspaced>[${letters}&&[${unspaced}]]+)|[${letters}--[${unspaced}]]+`, 'gv')

type Run = { text: string; isUnspaced: boolean }

/** Without accents, in lower case. */
const runsIn = (text: string): Run[] =>
  [...fold(text.slice(0, mostCharacters)).matchAll(run)].map(({ 0: text, groups }) => ({
    text,
    isUnspaced: groups!.unspaced !== undefined,
  }))

/** As PostgreSQL reads a `tsvector`. */
export function searchOf(...texts: string[]) {
  const words = new Map<string, number[]>()
  let place = 0
  for (const { text, isUnspaced } of texts.flatMap(runsIn)) {
    if (words.size >= mostWords) break
    if (!isUnspaced) words.set(text.slice(0, longest), [])
    else
      for (const part of gramsOf(text)) {
        if (++place > lastPlace) break
        const places = words.get(part)
        if (places) places.push(place)
        else words.set(part, [place])
      }
  }
  return [...words]
    .map(([word, places]) => (places.length ? `${quoted(word)}:${places.join()}` : quoted(word)))
    .join(' ')
}

/** From each letter on. At the end they are shorter, so that the last letters are found, too. */
function gramsOf(text: string) {
  const letters = [...text]
  return letters.map((_, i) => letters.slice(i, i + gram).join(''))
}

/** As PostgreSQL reads a `tsquery`: every word, the last one also as a beginning. Null: nothing to look for. */
export function queryOf(text: string) {
  const runs = runsIn(text)
  if (!runs.length) return null
  const isOpen = /[\p{L}\p{M}\p{N}]$/u.test(text.trimEnd())
  const parts = runs.map(({ text, isUnspaced }, i) => {
    if (isUnspaced) return inARow(text)
    return `${quoted(text.slice(0, longest))}${isOpen && i === runs.length - 1 ? ':*' : ''}`
  })
  return [...new Set(parts)].join(' & ')
}

function inARow(text: string) {
  const grams = gramsOf(text).filter((part, i) => i === 0 || [...part].length === gram)
  if ([...grams[0]!].length < gram) return `${quoted(grams[0]!)}:*`
  return grams.length > 1 ? `(${grams.map(quoted).join(' <-> ')})` : quoted(grams[0]!)
}

const quoted = (word: string) => `'${word}'`
