import { fold } from '../../contract/filter/fold.ts'

// Someone who types "an" is looking for Anna, not for "Objects and fields".
const joining = new Set(['and', 'of', 'the', 'to', 'this'])

/** Every word typed is the beginning of some word of the text. */
export function matches(text: string, query: string) {
  const words = fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => !joining.has(word))
  const typed = fold(query)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  return typed.length > 0 && typed.every((one) => words.some((word) => word.startsWith(one)))
}

export const beginsWith = (text: string, query: string) => fold(text).startsWith(fold(query.trim()))
