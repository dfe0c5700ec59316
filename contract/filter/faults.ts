import { fold } from './fold.ts'
import type { limits } from './limits.ts'
import { type Op, operators } from './tree.ts'

/** A stretch of the text. */
export type Span = { offset: number; length: number }

/** Where something stands: a stretch of the text, or a path into the JSON. */
export type Spot = { at?: Span; path?: (string | number)[] }

/** One thing that is wrong with a filter, and what to do about it. */
export type Fault = Spot & {
  found: string
  message: string
  /** Up to three names that are valid here, the most alike first. */
  nearest: string[]
  /** What the field takes, where the operator does not fit it. */
  operators?: Op[]
  /** Set where the filter is too large. */
  limit?: keyof typeof limits
}

export type Faults = { faults: Fault[] }
export const hasFaults = (result: object): result is Faults => 'faults' in result

/** More would not help anyone. */
export const mostFaults = 20
/** To find similar names costs more than all the rest of a fault, so only the first few have them. */
const mostSuggested = 5
const mostCompared = 200
const longestCompared = 40

type Named = { key: string; label?: string }

/** The nearest names, as long as few faults of this filter have them. */
export const suggest = ({ faults = [] }: Partial<Faults>, found: string, names: Named[]) =>
  faults.filter(({ nearest }) => nearest.length).length < mostSuggested ? nearestNames(found, names) : []

/** The three names most like the one found, by key and by label. */
export function nearestNames(found: string, names: Named[]) {
  const wanted = comparedPart(found)
  const distanceTo = (name: string) => editDistance(wanted, comparedPart(name))
  return similarLengths(found.length, names)
    .map(({ key, label = key }) => ({ key, distance: Math.min(distanceTo(key), distanceTo(label)) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map((name) => name.key)
}

const comparedPart = (name: string) => fold(name.slice(0, longestCompared)).slice(0, longestCompared)

function similarLengths(length: number, names: Named[]) {
  if (names.length <= mostCompared) return names
  const gap = ({ key, label = key }: Named) => Math.min(Math.abs(key.length - length), Math.abs(label.length - length))
  return names.toSorted((a, b) => gap(a) - gap(b)).slice(0, mostCompared)
}

export const didYouMean = (nearest: string[]) => (nearest.length ? ` Did you mean ${listed(nearest, 'or')}?` : '')

/** "a, b or c" */
export function listed(words: string[], last: 'and' | 'or') {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

export const written = (ops: Op[]) => ops.map((op) => operators[op].text).join('  ')

/** Faults repeat what was found; nobody wants to read all of a long text again. */
export const shortened = (text: string) => (text.length > 60 ? `${[...text].slice(0, 60).join('')}…` : text)

/** How many letters to add, drop, change or swap with a neighbour. */
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
