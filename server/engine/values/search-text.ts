// The text that search looks at: the title, then the other texts, each on its own line between spaces, so that a pattern
// can ask for the beginning of a word. The last line holds other ways to write them. Whatever identifies a record (an
// email address, a phone number, a domain) is marked with = there, so that it can be told from a word in a text.

import { fold } from '../../../contract/filter/index.ts'
import { domainIn } from '../../../contract/shared/domains.ts'

export type SearchValue = { type: string; text: string }

export function searchText(title: string, values: SearchValue[]) {
  const first = spaced(fold(title))
  const others = values.map(({ text }) => spaced(fold(text))).filter((line) => !first.includes(line))
  const keys = new Set([{ type: 'text', text: title }, ...values].flatMap(otherWritings))
  return [first, ...new Set(others), ...(keys.size ? [spaced([...keys].join(' '))] : [])].join('\n').concat('\n')
}

const spaced = (line: string) => ` ${line} `
export const keyMark = '='

export function otherWritings({ type, text }: SearchValue) {
  if (type === 'email') return emailKeys(text)
  if (type === 'phone') return marked(digitsOf(text))
  const host = hostOf(text)
  if (host) return [...marked(host), ...marked(withoutEnding(host))]
  const spelled = withDigraphs(text)
  const inner = type === 'long_text' ? [] : [...text.matchAll(innerWord)].map(([word]) => fold(word))
  const pairs = type === 'long_text' ? [] : [...text.matchAll(innerPair)].map(([, pair]) => fold(pair!))
  return [...(spelled === undefined ? [] : changedWords(text)), ...inner, ...pairs]
}

const marked = (key: string) => (key ? [`${keyMark}${key}`] : [])
/** A word after a hyphen or the like. */
const innerWord = /(?<=[\p{L}\p{N}][-'’./&])\p{L}[\p{L}\p{M}\p{N}]+/gu
/** Two characters within a word of a script that does not separate words, where two are often a whole word. */
const unspaced = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー]'
const innerPair = new RegExp(`(?<=${unspaced})(?=(${unspaced}{2}))`, 'gu')

function emailKeys(email: string) {
  const [local = '', domain = ''] = fold(email).split('@')
  return [...marked(fold(email)), local, domain, withoutEnding(domain)].filter(Boolean)
}

/** The domain of an address on the web, or undefined if this is something else. */
export function hostOf(text: string) {
  const domain = domainIn(text)
  return domain && fold(domain)
}

/** acme.de and acme.co.uk are both acme. */
export const withoutEnding = (host: string) => host.replace(/(?:(?<=.)\.(?:co|com|net|org|ac|gov))?\.[^.]+$/, '')

export const digitsOf = (text: string) => text.normalize('NFKC').replace(/\D/g, '')

const digraphs: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

/** Müller as Mueller, where an alphabet allows it. Undefined if there is nothing to write in another way. */
export function withDigraphs(text: string) {
  const plain = text.normalize('NFC').toLowerCase()
  const spelled = plain.replace(/[äöüåø]/g, (letter) => digraphs[letter]!)
  return spelled === plain ? undefined : fold(spelled)
}

const changedWords = (text: string) => text.split(/\s+/).flatMap((word) => withDigraphs(word) ?? [])
