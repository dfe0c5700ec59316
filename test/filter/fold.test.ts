import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold, hasLongMarkRun, mostMarks } from '../../contract/filter/index.ts'
import { cpuSeconds } from '../cpu-time.ts'
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
  ['Łukasz', 'lukasz'],
  ['ŁÓDŹ', 'lodz'],
  ['Øre', 'ore'],
  ['Ǿ', 'o'],
  ['Æsir', 'aesir'],
  ['ǽ', 'ae'],
  ['Œuvre', 'oeuvre'],
  ['Đorđe', 'dorde'],
  ['Guðrún', 'gudrun'],
  ['Þór', 'thor'],
  ['Ħamrun', 'hamrun'],
  ['Ŧ ŋ ɓ Ƙ', 't n b k'],
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

test('vowel signs are not accents: कि is not का', () => {
  expect(fold('कि')).not.toBe(fold('का'))
  expect(fold('นา')).not.toBe(fold('น'))
})

describe('a run of marks that no writing needs', () => {
  // Each of these takes ICU time by the square of its length if it is normalised as it is.
  const runs = ['\u0301\u0316', '\uff9e\u0301', '\u0f71\u0f72\u0f74']

  test.each(runs)('%j folds in time that grows with its length only', async (marks) => {
    const timeOf = async (length: number) => {
      const text = `a${marks.repeat(length / marks.length)}`
      const fiveTimes = () =>
        cpuSeconds(() => {
          for (let i = 0; i < 5; i++) fold(text)
        })
      return Math.min(await fiveTimes(), await fiveTimes())
    }
    await timeOf(1000)
    expect(await timeOf(99_999)).toBeLessThan(0.5)
    expect(await timeOf(999_999)).toBeLessThan(5)
  })

  test('is cut, and folding twice changes nothing', () => {
    for (const marks of ['\u0344', '\u0ccb', '\u0f71\u0f72', '\uff9e', '\u0301\u0c4d']) {
      const once = fold(`x${marks.repeat(100)}y`)
      expect(once.length).toBeLessThanOrEqual(2 + mostMarks)
      expect(fold(once)).toBe(once)
    }
  })

  test('starts with the 31st mark', () => {
    expect(hasLongMarkRun(`a${'\u0301'.repeat(30)}b${'\u0316'.repeat(30)}`)).toBe(false)
    expect(hasLongMarkRun(`a${'\u0301'.repeat(31)}`)).toBe(true)
  })

  test('can contain every letter that becomes a mark when normalized', () => {
    for (let code = 1; code < 0x20000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue
      const letter = String.fromCodePoint(code)
      const [first, second] = letter.normalize('NFKD')
      const isOnlyMarks = /^\p{M}/u.test(first!) && (second === undefined || /^\p{M}/u.test(second))
      if (isOnlyMarks && !hasLongMarkRun(letter.repeat(31))) throw new Error(`U+${code.toString(16)}`)
    }
  })
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
