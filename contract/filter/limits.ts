import type { Fault } from './faults.ts'

/** How large a filter may be. Its characters are those of its text, whichever notation it came in. */
export const limits = { characters: 10_000, conditions: 200, levels: 20 } as const

const written = (limit: keyof typeof limits) => limits[limit].toLocaleString('en')
const sentences: Record<keyof typeof limits, string> = {
  characters: `A filter may have at most ${written('characters')} characters. Shorten it, or ask for less at once.`,
  conditions: `A filter may have at most ${written('conditions')} conditions. Use in (...) for several values of one field.`,
  levels: `A filter may be nested at most ${written('levels')} levels deep. Take out groups that change nothing.`,
}

export const overLimit = (limit: keyof typeof limits, found: string, spot: Pick<Fault, 'at' | 'path'>): Fault => ({
  ...spot,
  limit,
  found,
  message: sentences[limit],
  nearest: [],
})

/** What a database can keep: NUL and halves of a character are refused everywhere. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** So many marks may follow a letter, as in Unicode's stream-safe text. No language needs more. */
export const mostMarks = 30

// Two signs of Japanese are letters to Unicode, but become marks when they are normalised.
const mark = '[\\p{M}\\uff9e\\uff9f]'
const longRun = new RegExp(`${mark}{${mostMarks + 1}}`, 'u')
const longRuns = new RegExp(`(${mark}{${mostMarks}})${mark}+`, 'gu')

/** Where more marks follow each other than any writing needs; -1 if nowhere. */
export const findMarkRun = (text: string) => text.search(longRun)
export const hasLongMarkRun = (text: string) => longRun.test(text)
/** The same text with such runs cut, so that it can be normalised in time that grows with its length only. */
export const cutMarkRuns = (text: string) => (hasLongMarkRun(text) ? text.replace(longRuns, '$1') : text)
