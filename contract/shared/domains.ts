// Domains, however they are written: as a web address, with www., a port or a final dot, in capitals or in Punycode.
import { cutMarkRuns } from '../filter/limits.ts'

const label = '[\\p{L}\\p{M}\\p{N}_-]+'
const address = new RegExp(
  `^(?:(?:[a-z][a-z0-9+.-]*:)?//(?:[^@/?#\\s]*@)?)?(?:www\\.)?((?:${label}\\.)+\\p{L}[\\p{L}\\p{M}\\p{N}-]+)\\.?(?::\\d{1,5})?(?:[/?#]\\S*)?$`,
  'iu',
)

const longestAddress = 2000

/** The domain in plain form, or undefined if the text is none: https://www.Acme.com/about is acme.com. */
export function domainIn(text: string) {
  const written = text.trim()
  if (written.length > longestAddress || /\s/.test(written)) return undefined
  const [, host] = address.exec(cutMarkRuns(written).normalize('NFKC')) ?? []
  return host?.toLowerCase().split('.').map(withLetters).join('.')
}

/** Other text is kept, because domains used to be plain text. */
export const readDomain = (text: string) => domainIn(text) ?? text

/** A label in letters instead of Punycode (RFC 3492). One that cannot be decoded is kept. */
function withLetters(label: string) {
  if (!label.startsWith('xn--') || label.length > longestLabel) return label
  const encoded = label.slice(4)
  const end = encoded.lastIndexOf('-')
  const letters = [...encoded.slice(0, Math.max(end, 0))].map((letter) => letter.codePointAt(0)!)
  let [code, at, bias, position] = [128, 0, 72, end + 1]
  while (position < encoded.length) {
    const start = at
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = digits.indexOf(encoded[position++] ?? '')
      if (digit < 0 || at > mostCode) return label
      at += digit * weight
      const threshold = Math.min(26, Math.max(1, k - bias))
      if (digit < threshold) break
      weight *= 36 - threshold
    }
    const count = letters.length + 1
    bias = adapted(at - start, count, start === 0)
    code += Math.floor(at / count)
    at %= count
    if (code > mostCode || (code >= 0xd800 && code <= 0xdfff)) return label
    letters.splice(at++, 0, code)
  }
  const decoded = String.fromCodePoint(...letters)
  return wholeLabel.test(decoded) ? decoded : label
}

const wholeLabel = new RegExp(`^${label}$`, 'u')
const longestLabel = 63

const digits = 'abcdefghijklmnopqrstuvwxyz0123456789'
const mostCode = 0x10ffff

function adapted(delta: number, count: number, isFirst: boolean) {
  let rest = isFirst ? Math.floor(delta / 700) : delta >> 1
  rest += Math.floor(rest / count)
  let k = 0
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35)
  return k + Math.floor((36 * rest) / (rest + 38))
}
