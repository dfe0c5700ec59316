// Makes text comparable regardless of case, accents and variants of the same letter.
import { cutMarkRuns } from './limits.ts'

// Vowel signs of Indic and Southeast Asian scripts are marks too, but they distinguish words, so they are kept.
const accents =
  /[\p{M}&&[\p{Script=Inherited}\p{Script=Common}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]]/gv

// Letters with a stroke or hook, and ligatures, that Unicode does not decompose. People type the plain letters instead.
const letters = new Map(
  'æ ae,œ oe,ø o,ł l,đ d,ð d,þ th,ħ h,ŧ t,ŋ n,ƀ b,ɓ b,ƈ c,ȼ c,ɖ d,ɗ d,ƒ f,ǥ g,ɠ g,ɨ i,ƙ k,ƚ l,ɲ n,ƞ n,ɵ o,ƥ p,ɍ r,ʂ s,ȿ s,ʈ t,ƭ t,ʉ u,ʋ v,ƴ y,ɏ y,ƶ z,ȥ z,ɇ e,ɉ j,ⱥ a'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
)
const apart = new RegExp(`[${[...letters.keys()].join('')}]`, 'g')

/** NFKD, no accents, plain Latin letters, lower case. Folding twice changes nothing. */
export function fold(text: string) {
  if (isAscii(text)) return text.toLowerCase()
  const once = lower(plain(text))
  return isAscii(once) ? once : plain(once).replace(apart, (letter) => letters.get(letter)!)
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

// Normalizing takes quadratic time in the length of a run of marks, and decomposed letters add more marks.
function plain(text: string) {
  const bare = cutMarkRuns(text).normalize('NFKD').replace(accents, '')
  return isAscii(bare) ? bare : cutMarkRuns(bare)
}

// Via upper case, so that ß equals SS and the dotless ı equals I. A final sigma equals a sigma.
const lower = (text: string) => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
