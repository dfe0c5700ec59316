import { fold } from './fold.ts'
import type { limits } from './limits.ts'
import { type Op, operators } from './tree.ts'

/** A part of the text. */
export type Span = { offset: number; length: number }

/** Where something is: a part of the text, or a path into the JSON. */
export type Spot = { at?: Span; path?: (string | number)[] }

/** An error in a filter, and what to do about it. */
export type Fault = Spot & {
  found: string
  message: string
  /** The message without the nearest names, where they are offered as buttons. Missing if there are none. */
  problem?: string
  /** Up to three names that are valid here, the most similar first. */
  nearest: string[]
  /** The operators the field supports. */
  operators?: Op[]
  /** Set if the filter is too large. */
  limit?: keyof typeof limits
}

export type Faults = { faults: Fault[] }
export const hasFaults = (result: object): result is Faults => 'faults' in result

/** More errors would not help anyone. */
export const mostFaults = 20
/** Finding similar names is the most expensive part of an error, so only the first few get suggestions. */
const mostSuggested = 5
const mostCompared = 200
const longestCompared = 40

type Named = { key: string; label?: string }

/** The nearest names, for the first errors of a filter. */
export const suggest = ({ faults = [] }: Partial<Faults>, found: string, names: Named[]) =>
  faults.length < mostSuggested ? nearestNames(found, names) : []

/** Up to three names similar to the one found, by key and by label. */
export function nearestNames(found: string, names: Named[]) {
  const wanted = comparedPart(found)
  return similarLengths(found.length, names)
    .map(({ key, label = key }) => {
      const compared = [...new Set([comparedPart(key), comparedPart(label)])].map((name) => likeness(wanted, name))
      return {
        key,
        distance: Math.min(...compared.map(({ distance }) => distance)),
        isNear: compared.some(({ isNear }) => isNear),
      }
    })
    .filter(({ isNear }) => isNear)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map((name) => name.key)
}

/** Near: a third of the letters may differ, of the whole name or of one word of it, or one begins with the other. */
function likeness(wanted: string, name: string) {
  const distance = editDistance(wanted, name)
  const isClose = (other: string, differing: number) =>
    differing <= Math.max(1, Math.max(wanted.length, other.length) / 3)
  const words = name.split(/[\s_]+/).filter((word) => word.length > 2 && word !== name)
  const isNear =
    isClose(name, distance) ||
    (wanted !== '' && name.startsWith(wanted)) ||
    wanted.startsWith(name) ||
    words.some((word) => isClose(word, editDistance(wanted, word)))
  return { distance, isNear }
}

const comparedPart = (name: string) => fold(name.slice(0, longestCompared)).slice(0, longestCompared)

function similarLengths(length: number, names: Named[]) {
  if (names.length <= mostCompared) return names
  const gap = ({ key, label = key }: Named) => Math.min(Math.abs(key.length - length), Math.abs(label.length - length))
  return names.toSorted((a, b) => gap(a) - gap(b)).slice(0, mostCompared)
}

export const didYouMean = (nearest: string[]) => (nearest.length ? ` Did you mean ${listed(nearest, 'or')}?` : '')

/** The texts of an error with similar names, with and without them. */
export const suggesting = (problem: string, nearest: string[], advice = '') => ({
  message: `${problem}${didYouMean(nearest)}${advice}`,
  ...(nearest.length && { problem: problem + advice }),
  nearest,
})

/** "a, b or c" */
export function listed(words: string[], last: 'and' | 'or') {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

export const written = (ops: Op[]) => ops.map((op) => operators[op].text).join('  ')

/** Errors quote what was found, but not all of a long text. */
export const shortened = (text: string) => (text.length > 60 ? `${[...text].slice(0, 60).join('')}…` : text)

/** How many letters to add, remove, change or swap with a neighbor. */
function editDistance(a: string, b: string) {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
