// What someone types, as terms: email addresses, phone numbers, domains and words. Every term has to be found.
import { fold, longestSearch } from '../../../contract/filter/index.ts'
import type { Schema } from '../schema/schema.ts'
import { readPhone } from '../values/phone.ts'
import { digitsOf, hostOf, withDigraphs } from '../values/search-text.ts'

export type Term = {
  kind: 'email' | 'phone' | 'domain' | 'text'
  /** Folded. One of these is in the search text, */
  forms: string[]
  /** or all of these, if a number is none of a phone. */
  parts?: string[]
}

/** Digits with what people put between them. A word that only contains digits is no phone number. */
const phone = /(?<![^\s<(,;])(?:\+|\(\+?)?\d(?:[\d\s()/.-]*\d)?(?![^\s>),;])/g
const fewestDigits = 4
const mostTerms = 20

/** Of a longer text, the beginning: the expression for phone numbers takes quadratic time. */
export function termsOf(text: string, { country }: Pick<Schema, 'country'>): Term[] {
  const phones: Term[] = []
  const beginning = text.normalize('NFKC').slice(0, longestSearch)
  const rest = beginning.replace(phone, (run) => {
    const term = phoneTerm(run, country)
    if (term) phones.push(term)
    return term ? ' ' : run
  })
  const terms = [...rest.split(/\s+/).flatMap(wordTerm), ...phones]
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()].slice(0, mostTerms)
}

function phoneTerm(run: string, country: string | undefined): Term | undefined {
  const digits = digitsOf(run)
  if (digits.length < fewestDigits) return undefined
  // +49 (0)30 is written by people who mean +49 30 or 030. Without its first zeros a number is part of any writing.
  const plain = run.replace(/^([(+]|00).*?\(0\)/, (start) => start.replace('(0)', ''))
  const read = digits.length > 5 ? readPhone(plain, { country }) : undefined
  const forms = [...(read ? [digitsOf(read)] : []), digitsOf(plain).replace(/^0{1,2}/, ''), ...(read ? [] : [digits])]
  const parts = run.split(/\s+/)
  return { kind: 'phone', forms: distinct(forms.filter((form) => form.length >= 3)), ...(run !== digits && { parts }) }
}

function wordTerm(written: string): Term[] {
  const word = withoutPunctuation(written)
  const folded = fold(word).trim()
  if (!folded) return []
  if (/^[^@]+@[^@]+\.[^@]+$/.test(folded)) return [{ kind: 'email', forms: [folded] }]
  const host = hostOf(word)
  if (host) return [{ kind: 'domain', forms: [host] }]
  const spelled = withDigraphs(word)
  return [{ kind: 'text', forms: distinct([folded, ...(spelled ? [spelled] : [])]) }]
}

/** A single character is what someone looks for. */
function withoutPunctuation(written: string) {
  if (written.length < 2) return written
  let [start, end] = [0, written.length]
  while (start < end && punctuation.has(written[start]!)) start++
  while (end > start && punctuation.has(written[end - 1]!)) end--
  return written.slice(start, end)
}
const punctuation = new Set(',;:"“”<>()')

const distinct = (forms: string[]) => [...new Set(forms)]

/** One or two characters have no trigram, so they are looked for at the beginning of words only. */
export const isShort = ({ forms }: Term) => forms.every((form) => [...form].length < 3)

/**
 * A regular expression that a word with one typo still fits: its beginning and its end, without what may be wrong
 * between them. Of a long word more is left out at once, so that there are few alternatives. Undefined if none is left.
 */
export function typoPattern({ kind, forms }: Term) {
  const alternatives = kind === 'text' ? nearForms(forms).flatMap(typosOf) : []
  return alternatives.length ? alternatives.join('|') : undefined
}

/**
 * The same for exactly one letter that is wrong, missing or too many, or two that are swapped. Few words fit it by chance,
 * even where it is too short for its trigrams to tell, because it has to be a whole word. Undefined for words that are too short or very long.
 */
export function oneTypoPattern({ kind, forms }: Term) {
  const alternatives = kind === 'text' ? nearForms(forms).flatMap(oneTypoOf) : []
  return alternatives.length ? alternatives.join('|') : undefined
}

/** Scroeder is Schröder with a typo, and the title has the umlaut. */
export const nearForms = (forms: string[]) =>
  distinct([...forms, ...forms.map((form) => form.replace(/([aou])e/g, '$1'))])

const longestChecked = 20

function oneTypoOf(form: string) {
  const letters = [...form]
  const n = letters.length
  if (n < 4 || n > longestChecked) return n === 3 ? typosOf(form) : []
  return [...withGap(letters, 1, 1), ...swapsOf(letters)].map((pattern) => `${pattern.trimEnd()} `)
}

/** Two letters in the wrong order. A short word has to be a whole one. */
function swapsOf(letters: string[]) {
  const end = letters.length < 5 ? ' ' : ''
  return letters.slice(1).flatMap((letter, i) => {
    const swapped = [...letters.slice(0, i), letter, letters[i]!, ...letters.slice(i + 2)]
    return letter === letters[i] ? [] : [` ${swapped.map(escaped).join('')}${end}`]
  })
}

function typosOf(form: string) {
  const letters = [...form]
  const n = letters.length
  if (n < 3) return []
  if (n === 3) return [` ${letters.slice(0, 2).map(escaped).join('')}[^ ]${escaped(letters[2]!)}`, ...swapsOf(letters)]
  if (n < 6) return [...withGap(letters, 1, 1), ...swapsOf(letters)]
  return n < 8 ? withGap(letters, 2, 1) : withGap(letters, 3, 2)
}

function withGap(letters: string[], gap: number, stride: number) {
  const n = letters.length
  const part = (from: number, to?: number) => letters.slice(from, to).map(escaped).join('')
  const places = Array.from({ length: Math.ceil(n / stride) }, (_, i) => i * stride)
  // Without enough letters on either side, too many words would fit.
  const fewestAfter = [4, 3]
  return places
    .filter((at) => n - at - gap >= (fewestAfter[at] ?? 0))
    .map((at) => (at ? ` ${part(0, at)}[^ ]{0,${gap + 1}}${part(at + gap)}` : part(at + gap)))
}

const escaped = (letter: string) => letter.replace(/[^\p{L}\p{M}\p{N}]/u, '\\$&')
