// Who a name or an address of another system probably is here.
import { fold } from '../../../contract/filter/fold.ts'
import type { User } from '../../users/users.ts'

type Known = Pick<User, 'name' | 'state'> & { email?: string | null | undefined }

const wordsOf = (text: string) =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
const localOf = (text: string) => text.trim().replace(/@[^@]*$/, '')

/** The only user whose name or address is alike: "ada", "A. Lovelace" and "ada.lovelace@old.example" are Ada Lovelace. */
export function likelyUser<Of extends Known>(text: string, users: Of[]): Of | undefined {
  const words = wordsOf(localOf(text))
  const joined = words.join('')
  if (joined.length < 2) return undefined
  const [only, ...others] = users.filter(({ name, email, state }) => {
    if (state === 'deactivated') return false
    const own = wordsOf(name)
    return (
      (email && wordsOf(localOf(email)).join('') === joined) ||
      isPartOf(words, own) ||
      isPartOf(own, words) ||
      [own.join(''), `${own[0]?.[0]}${own.at(-1)}`].includes(joined)
    )
  })
  return others.length ? undefined : only
}

/** Each of the few words is one of the others or its initial, and not all are initials. */
function isPartOf(few: string[], many: string[]) {
  const left = [...many]
  let whole = 0
  for (const word of few) {
    const same = left.indexOf(word)
    const at = same < 0 && word.length === 1 ? left.findIndex((other) => other.startsWith(word)) : same
    if (at < 0) return false
    left.splice(at, 1)
    if (word.length > 1) whole++
  }
  return whole > 0
}
