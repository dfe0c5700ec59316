import type { Fault } from './faults.ts'

/** The maximum size of a filter. Characters are counted in its text form, for both notations. */
export const limits = { characters: 10_000, conditions: 200, levels: 20 } as const

/** The longest text to search for, in a filter and elsewhere. */
export const longestSearch = 200

const written = (limit: keyof typeof limits) => limits[limit].toLocaleString('en')
const sentences: Record<keyof typeof limits, string> = {
  characters: `A filter can have at most ${written('characters')} characters. Shorten it.`,
  conditions: `A filter can have at most ${written('conditions')} conditions. Use in (...) for several values of one field.`,
  levels: `A filter can be nested at most ${written('levels')} levels deep. Remove unnecessary groups.`,
}

export const overLimit = (limit: keyof typeof limits, found: string, spot: Pick<Fault, 'at' | 'path'>): Fault => ({
  ...spot,
  limit,
  found,
  message: sentences[limit],
  nearest: [],
})

/** PostgreSQL cannot store NUL and unpaired surrogates. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** How many marks can follow a letter, as in Unicode's stream-safe text format. No language needs more. */
export const mostMarks = 30

// Two Japanese characters are letters in Unicode but become marks when normalized.
const mark = '[\\p{M}\\uff9e\\uff9f]'
const longRun = new RegExp(`${mark}{${mostMarks + 1}}`, 'u')
const longRuns = new RegExp(`(${mark}{${mostMarks}})${mark}+`, 'gu')

/** Where a run of marks is longer than that; -1 if nowhere. */
export const findMarkRun = (text: string) => text.search(longRun)
export const hasLongMarkRun = (text: string) => longRun.test(text)
/** Cuts such runs, so that normalizing the text takes linear time. */
export const cutMarkRuns = (text: string) => (hasLongMarkRun(text) ? text.replace(longRuns, '$1') : text)
