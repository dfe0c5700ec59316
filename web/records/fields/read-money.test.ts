import { expect, test } from 'vitest'
import { writeNumbersFor } from '../../ui/text/numbers.ts'
import { asMoney, writeMoneyFor } from '../data/value-text.ts'
import { readMoney } from './read-money.ts'

const all = (language: string, usual: string, cases: Record<string, [string, string] | undefined>) => {
  writeNumbersFor(language)
  writeMoneyFor(language)
  for (const [typed, [amount, currency] = []] of Object.entries(cases))
    expect([language, typed, readMoney(typed, usual)]).toEqual([
      language,
      typed,
      amount === undefined ? undefined : { amount, currency },
    ])
}

test('an amount is read with a sign or a code of its currency, thousands and millions, in the format of the language', () => {
  all('en-US', 'USD', {
    '15k': ['15000', 'USD'],
    '€15k': ['15000', 'EUR'],
    '15k EUR': ['15000', 'EUR'],
    '15kEUR': ['15000', 'EUR'],
    'eur 15k': ['15000', 'EUR'],
    '-€1.5m': ['-1500000', 'EUR'],
    '12,500.50': ['12500.50', 'USD'],
    '$ 12,500.50': ['12500.50', 'USD'],
    '15 kroner': undefined,
    '€15 USD': undefined,
    abc: undefined,
    '': undefined,
  })
  all('en-GB', 'GBP', { '£15k': ['15000', 'GBP'], $15k: ['15000', 'USD'], US$15: ['15', 'USD'] })
  all('en-CA', 'CAD', { $15k: ['15000', 'CAD'], US$15k: ['15000', 'USD'] })
  all('de-DE', 'EUR', {
    '2,5 Mio': ['2500000', 'EUR'],
    '2,5 Mio. €': ['2500000', 'EUR'],
    '1.250,50 €': ['1250.50', 'EUR'],
    '15k CHF': ['15000', 'CHF'],
  })
  all('fr-FR', 'EUR', { '1,5 M€': ['1500000', 'EUR'], '15 k€': ['15000', 'EUR'], '15 000,50 €': ['15000.50', 'EUR'] })
  all('hi-IN', 'INR', { '₹2 लाख': ['200000', 'INR'], '₹15k': ['15000', 'INR'] })
  all('ja-JP', 'JPY', { '15万': ['150000', 'JPY'], '￥15万': ['150000', 'JPY'] })
  all('ar-EG', 'EGP', { '15k': ['15000', 'EGP'], '15k EUR': ['15000', 'EUR'] })
})

test('an amount is read back as it is shown, in every language', () => {
  for (const language of ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'ar-EG', 'hi-IN', 'ja-JP', 'de-CH', 'sv-SE', 'he-IL']) {
    writeNumbersFor(language)
    writeMoneyFor(language)
    for (const currency of ['EUR', 'USD', 'GBP', 'JPY', 'INR'])
      for (const amount of ['1250.50', '-12', '2500000'])
        expect([language, Number(readMoney(asMoney({ amount, currency }), 'CHF')?.amount)]).toEqual([
          language,
          Number(currency === 'JPY' && amount.includes('.') ? '1250.5' : amount),
        ])
  }
})

test('an amount that could be thousands or three decimals stays as typed, with both ways to write it', () => {
  const meantBy = (language: string, typed: string) => {
    writeNumbersFor(language)
    writeMoneyFor(language)
    return readMoney(typed, 'EUR')?.meant
  }
  expect(meantBy('en-GB', '1.250')).toEqual(['1,250', '1.25'])
  expect(meantBy('en-GB', '-€1.000')).toEqual(['-1,000', '-1'])
  expect(meantBy('en-GB', '1.125')).toEqual(['1,125', '1.1250'])
  expect(meantBy('de-DE', '1,250 €')).toEqual(['1.250', '1,25'])
  expect(meantBy('fr-FR', '12.500')).toEqual(['12\u202f500', '12,5'])
  expect(readMoney('1,250 €', 'EUR')).toMatchObject({ amount: '1,250 €', currency: 'EUR' })
  for (const clear of ['1,250', '0.125', '1.1250', '1.25', '1.250 KWD', '1.250k', '1.250.000'])
    expect([clear, meantBy('en-GB', clear)]).toEqual([clear, undefined])
})
