import { expect, test } from 'vitest'
import { writeTimesFor } from '../../ui/text/moments.ts'
import { textWidth } from '../../ui/text/text-width.ts'
import type { FieldShape } from '../data/schema.ts'
import { asMoney, writeMoneyFor } from '../data/value-text.ts'
import { calculated } from './calculations.ts'
import { calculatedIn, moneyIn, widthOf } from './column-widths.ts'

const field = (type: FieldShape['type'], more: Partial<FieldShape> = {}) =>
  ({ key: 'x', label: 'X', type, ...more }) as FieldShape

test.each(['de-DE', 'en-US', 'de-CH', 'fr-FR'])(
  'a usual amount fits its column in %s, with its currency',
  (language) => {
    writeMoneyFor(language, ['EUR', 'CHF'])
    const width = widthOf(field('money'))
    for (const currency of ['EUR', 'CHF']) {
      const money = { amount: '96000', currency }
      expect(moneyIn(width, money)).toBe(asMoney(money))
    }
  },
)

test('an amount that is too long for its column is shortened, and never loses its currency', () => {
  writeMoneyFor('de-DE', ['EUR'])
  const money = { amount: '1234567.89', currency: 'CHF' }
  const plain = (width: number) => moneyIn(width, money).replace(/\s/g, ' ')
  expect([200, 140, 120, 80].map(plain)).toEqual(['1.234.567,89 CHF', '1.234.568 CHF', '1,2 Mio. CHF', '1 Mio. CHF'])
  for (let width = 80; width < 200; width += 10) expect(plain(width)).toMatch(/ CHF$/)
})

test('dates, times and stages have the width that they need', () => {
  writeMoneyFor('de-DE', ['EUR'])
  writeTimesFor({ language: 'de-DE', timeZone: 'UTC' })
  const german = widthOf(field('datetime'))
  writeTimesFor({ language: 'en-US', timeZone: 'UTC' })
  expect(german).toBeLessThan(widthOf(field('datetime')))
  const options = ['New', 'Negotiations started'].map((label) => ({ key: label, label }))
  expect(widthOf(field('select', { options } as never))).toBeGreaterThan(textWidth('Negotiations started', 12))
})

test('a sum that is too long for its column is written in short, and never loses its currency', () => {
  writeMoneyFor('de-DE', ['EUR'])
  const amount = { key: 'amount', label: 'Amount', type: 'money' } as FieldShape
  const unconverted = [{ field: 'amount', currency: 'CHF', sum: 40_000 }]
  const sum = calculated(amount, 'sum', { values: { 'sum(amount)': 1_234_567.89 }, unconverted } as never, 'EUR')
  const plain = (width: number) => calculatedIn(width, sum).replace(/\s/g, ' ')
  expect([plain(260), plain(120)]).toEqual(['1.234.567,89 € + 40.000 CHF', '1,2 Mio. € + …'])
  const count = calculated(amount, 'filled', { values: { 'filled(amount)': 123_456 }, unconverted: [] }, 'EUR')
  expect(calculatedIn(40, count)).toMatch(/^123.456$/)
})
