import { expect, test } from 'vitest'
import { findCountries } from '../fields/countries.ts'
import { asCountry, asWeekdayDate, mailtoOf, writeMoneyFor } from './value-text.ts'

test.each([
  ['ada@example.com', 'mailto:ada@example.com'],
  ['a@b.example?bcc=evil%40x.y', 'mailto:a@b.example%3Fbcc%3Devil%2540x.y'],
  ['a+b&c=d@example.com', 'mailto:a%2Bb%26c%3Dd@example.com'],
])('a mailto link to %s has only that recipient', (email, href) => {
  expect(mailtoOf(email)).toBe(href)
  expect(new URL(href).search).toBe('')
})

test('a country has its English name in every language, as the rest of the app, and is found by its own name, too', () => {
  writeMoneyFor('de-DE')
  expect([asCountry('DE'), asCountry('Narnia'), asWeekdayDate('2026-12-04')]).toEqual([
    'Germany',
    'Narnia',
    expect.stringMatching(/^Fri,? 4 Dec 2026$/),
  ])
  expect(['deutsch', 'germ', 'de'].map((text) => findCountries(text)[0]?.code)).toEqual(['DE', 'DE', 'DE'])
})
