import { fold } from '../../contract/filter/fold.ts'

// Someone who types "an" is looking for Anna, not for "Objects and fields".
const joining = new Set(['and', 'of', 'the', 'to', 'this'])

/** Every word typed is the beginning of some word of the text, but for joining words among others. */
export function matches(text: string, query: string) {
  const words = fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => !joining.has(word))
  const typed = fold(query)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  const telling = typed.filter((word) => !joining.has(word))
  return (
    typed.length > 0 && (telling.length ? telling : typed).every((one) => words.some((word) => word.startsWith(one)))
  )
}

export const beginsWith = (text: string, query: string) => fold(text).startsWith(fold(query.trim()))
