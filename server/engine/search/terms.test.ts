import { expect, test } from 'vitest'
import { cpuSeconds } from '../../../test/cpu-time.ts'
import { termsOf } from './terms.ts'

const nowhere = { country: undefined }
const formsOf = (text: string) => termsOf(text, nowhere).flatMap(({ forms }) => forms)

test.each([
  ['commas', `a${','.repeat(9800)}b`],
  ['digits in parentheses', '1('.repeat(4900)],
  ['one-letter words', 'a '.repeat(4900)],
])('a search for %s takes almost no time', async (_, text) => {
  expect(await cpuSeconds(() => termsOf(text, nowhere))).toBeLessThan(0.02)
})

test('the first 20 words of a search count', () => {
  const words = Array.from({ length: 30 }, (_, i) => `w${i}`)
  expect(formsOf(words.join(' '))).toEqual(words.slice(0, 20))
})

test('punctuation around a word does not count, but a single sign does', () => {
  expect(formsOf('"Acme", (Berlin); <a@b.example>')).toEqual(['acme', 'berlin', 'a@b.example'])
  expect(formsOf(',,, "')).toEqual(['"'])
})
