const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

// Whoever types "an" looks for Anna, not for "Objects and fields".
const joining = new Set(['and', 'of', 'the', 'to', 'this'])

/** Every word typed is the beginning of some word of the text. */
export function matches(text: string, query: string) {
  const words = folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => !joining.has(word))
  return folded(query)
    .split(/\s+/)
    .filter(Boolean)
    .every((typed) => words.some((word) => word.startsWith(typed)))
}

export const beginsWith = (text: string, query: string) => folded(text).startsWith(folded(query.trim()))
