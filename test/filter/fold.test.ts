import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold } from '../../contract/filter/index.ts'
import { runs, seed } from '../random.ts'

test.each([
  ['Ärger', 'arger'],
  ['Straße', 'strasse'],
  ['STRASSE', 'strasse'],
  ['GROẞ', 'gross'],
  ['İstanbul', 'istanbul'],
  ['Isparta', 'isparta'],
  ['ısparta', 'isparta'],
  ['ﬁnance', 'finance'],
  ['Ｋｉｔｈ', 'kith'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδός', 'οδοσ'],
  ['Ёлка', 'елка'],
  ['مُحَمَّد', 'محمد'],
  ['שָׁלוֹם', 'שלום'],
  ['①½', '11⁄2'],
  ['❤️', '❤'],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['', ''],
])('%s folds to %s', (text, folded) => expect(fold(text)).toBe(folded))

test('Hangul written in syllables or in letters is the same', () =>
  expect(fold('한글')).toBe(fold('한글'.normalize('NFD'))))

test('vowel signs are no accents: कि is not का', () => {
  expect(fold('कि')).not.toBe(fold('का'))
  expect(fold('นา')).not.toBe(fold('น'))
})

// The Greek iota below a letter becomes a letter of its own in upper case: no fold can know.
const isPlain = (text: string) => !text.normalize('NFD').includes('\u0345')

test('composed and decomposed, upper and lower case fold alike', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }).filter(isPlain), (text) => {
      expect(fold(text.normalize('NFD'))).toBe(fold(text))
      expect(fold(text.toUpperCase())).toBe(fold(text))
    }),
    { seed, numRuns: runs(2000) },
  )
})

test('folding twice changes nothing, for every letter that has cases or marks', () => {
  for (let code = 1; code < 0x20000; code++) {
    if ((code >= 0x3400 && code < 0xa000) || (code >= 0xac00 && code < 0xe000)) continue
    const once = fold(String.fromCodePoint(code))
    if (fold(once) !== once) throw new Error(`U+${code.toString(16)}`)
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(fold(fold(text))).toBe(fold(text))
    }),
    { seed, numRuns: runs(2000) },
  )
})
