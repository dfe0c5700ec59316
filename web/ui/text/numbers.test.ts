import { expect, test } from 'vitest'
import {
  asNumber,
  asNumberField,
  asTyped,
  asTypedDecimal,
  readDecimal,
  readNumberField,
  stepped,
  writeNumbersFor,
} from './numbers.ts'

const all = (language: string, cases: Record<string, string | undefined>) => {
  writeNumbersFor(language)
  for (const [typed, read] of Object.entries(cases)) expect(readDecimal(typed), `${language} ${typed}`).toBe(read)
}

test('a number is read in the format of the language, and never off by a factor of a thousand', () => {
  all('en-US', { '1,250': '1250', '-1,250': '-1250', '1.250': '1.250', '1,5': '1.5', '0,125': '0.125' })
  all('de-DE', { '1.250': '1250', '1,250': '1.250', '1,5': '1.5', '1.250,00': '1250.00', '1.250.000,5': '1250000.5' })
  all('de-AT', { '15.000': '15000', '1 250': '1250', '1,250': '1.250', '15.000,50': '15000.50' })
  all('fr-FR', { '1 250': '1250', '1,250': '1.250', '1\u202f250,5': '1250.5' })
  all('en-GB', { '1,250,000': '1250000', '1,250.00': '1250.00', '1,25,0': undefined, abc: undefined, '.5': '0.5' })
  all('hi-IN', { '12,34,567': '1234567', '1,25,000.50': '125000.50', '१,२५०': '1250' })
  all('ar-EG', { '١٬٢٥٠': '1250', '١٬٢٥٠٫٥': '1250.5', '\u061c-١٢': '-12', '1,250': '1250' })
  all('ja-JP', { '１，２５０': '1250', '１２．５': '12.5' })
  all('en-US', { '': undefined, '-': undefined, '1,250.000,5': undefined, '1.2.3': undefined, '12,': undefined })
})

test('thousands and millions are read by their letter or word, exactly', () => {
  all('en-US', { '15k': '15000', '1.5m': '1500000', '-2.5K': '-2500', '1.2345k': '1234.5', '2 million': '2000000' })
  all('en-US', {
    '1,250k': '1250000',
    '0.5k': '500',
    '3bn': '3000000000',
    k: undefined,
    '15kg': undefined,
    '15 k k': undefined,
  })
  all('en-GB', { '15k': '15000', '1.5m': '1500000' })
  all('de-DE', {
    '15k': '15000',
    '2,5 Mio': '2500000',
    '2,5 Mio.': '2500000',
    '3 Tausend': '3000',
    '1 Mrd.': '1000000000',
  })
  all('fr-FR', { '15k': '15000', '1,5 M': '1500000', '2 millions': '2000000', '1 Md': '1000000000' })
  all('ar-EG', { '١٥ ألف': '15000', '15k': '15000' })
  all('hi-IN', { '2 लाख': '200000', '1.5 करोड़': '15000000', '15k': '15000' })
  all('ja-JP', { '15万': '150000', '1.5億': '150000000', '15k': '15000' })
})

test('a number is read back as it is shown and as it is filled into a field, in every language', () => {
  for (const language of ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'ar', 'ar-EG', 'hi-IN', 'ja-JP', 'fa-IR', 'he-IL']) {
    writeNumbersFor(language)
    for (const number of [0, 7, -12.5, 1250, 1.125, -1250, 1_234_567.25, 0.001]) {
      expect([language, asNumber(number), Number(readDecimal(asNumber(number)))]).toEqual([
        language,
        asNumber(number),
        number,
      ])
      expect(Number(readDecimal(asTyped(number))), `${language} ${asTyped(number)}`).toBe(number)
    }
    // As text: a number would lose digits of large amounts.
    for (const amount of ['12.500', '12.50', '1250', '-3.125', '123456789012345.123456', '0.001'])
      expect(readDecimal(asTypedDecimal(amount)), `${language} ${amount}`).toBe(amount)
  }
})

test('a price or a budget typed into a field is the number that its language means', () => {
  writeNumbersFor('de-DE')
  expect(readNumberField('1.250')).toBe(1250)
  expect(readNumberField('1.250,50')).toBe(1250.5)
  expect(asNumberField(1250.5)).toBe('1250,5')
  writeNumbersFor('en-GB')
  expect(readNumberField('1,250')).toBe(1250)
  expect(readNumberField('1.25')).toBe(1.25)
  expect(readNumberField(' ')).toBe('')
  expect(readNumberField('1, x')).toBeNaN()
  expect([asNumberField(''), asNumberField(Number.NaN)]).toEqual(['', ''])
  expect([stepped('', 1, 1), stepped(100, 1, 0, 100), stepped(0, -1, 0), stepped(1.5, 1)]).toEqual([1, 100, 0, 2.5])
})
