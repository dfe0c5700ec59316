import type { Fault } from './faults.ts'

/** How large a filter may be. Its characters are those of its text, whichever notation it came in. */
export const limits = { characters: 10_000, conditions: 200, levels: 20 } as const

const sentences: Record<keyof typeof limits, string> = {
  characters: 'A filter may have at most 10,000 characters. Shorten it, or ask for less at once.',
  conditions: 'A filter may have at most 200 conditions. Use in (...) for several values of one field.',
  levels: 'A filter may be nested at most 20 levels deep. Take out groups that change nothing.',
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
