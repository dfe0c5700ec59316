const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Every word typed is the beginning of some word of the text. */
export function matches(text: string, query: string) {
  const words = folded(text).split(/[^\p{L}\p{N}]+/u)
  return folded(query)
    .split(/\s+/)
    .filter(Boolean)
    .every((typed) => words.some((word) => word.startsWith(typed)))
}
