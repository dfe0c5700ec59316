// Where a term stands in a text as people see it, although both are compared in a folded form.
import { fold } from '../../../contract/filter/index.ts'
import { withDigraphs } from '../values/search-text.ts'
import { isShort, type Term } from './terms.ts'

/** Start and end in UTF-16 code units, as in every string of JavaScript. */
export type Range = [start: number, end: number]

/** The folded text, and for each of its characters where the one that it comes from begins. */
type Folded = { text: string; at: number[]; end: number }

const ways: ((character: string) => string)[] = [fold, (character) => withDigraphs(character) ?? fold(character)]
const digits = (character: string) => character.normalize('NFKC').replace(/\D/g, '')

export function rangesOf({ kind, forms, parts }: Term, text: string, isLoose: boolean): Range[] {
  const inDigits = kind === 'phone' ? placesOf(forms, foldedBy(digits, text), false) : []
  if (inDigits.length) return inDigits
  for (const way of ways) {
    const found = placesOf([...forms, ...(parts ?? [])], foldedBy(way, text), isShort({ kind, forms }))
    if (found.length) return found
  }
  return isLoose && kind === 'text' ? similarWord(forms, text) : []
}

function foldedBy(way: (character: string) => string, text: string): Folded {
  const [at, folded]: [number[], string[]] = [[], []]
  let start = 0
  for (const character of text) {
    const form = way(character)
    for (let i = 0; i < form.length; i++) at.push(start)
    folded.push(form)
    start += character.length
  }
  return { text: folded.join(''), at, end: text.length }
}

/** For each form one place: at the beginning of a word if there is one, otherwise the first. */
function placesOf(forms: string[], { text, at, end }: Folded, isAtStart: boolean): Range[] {
  return forms.flatMap((form): Range[] => {
    const starts = [...placesIn(text, form)]
    const first =
      starts.find((start) => !start || !/[\p{L}\p{N}]/u.test(text[start - 1]!)) ?? (isAtStart ? undefined : starts[0])
    if (first === undefined) return []
    return [[at[first]!, at[first + form.length] ?? end]]
  })
}

function* placesIn(text: string, form: string) {
  for (let start = text.indexOf(form); start >= 0; start = text.indexOf(form, start + 1)) yield start
}

const similar = 0.3

/** The word that someone who mistyped it probably meant. */
function similarWord(forms: string[], text: string): Range[] {
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: word, index }) => {
    const share = Math.max(...forms.map((form) => sharedTrigrams(form, fold(word))))
    return { range: [index, index + word.length] as Range, share }
  })
  const best = words.sort((a, b) => b.share - a.share)[0]
  return best && best.share >= similar ? [best.range] : []
}

/** As PostgreSQL compares a word with words. */
function sharedTrigrams(one: string, other: string) {
  const [a, b] = [trigramsOf(one), trigramsOf(other)]
  return [...a].filter((trigram) => b.has(trigram)).length / a.size
}

function trigramsOf(word: string) {
  const padded = [...`  ${word} `]
  return new Set(padded.slice(2).map((_, i) => padded.slice(i, i + 3).join('')))
}
