import { expect, test } from 'vitest'
import { countryCodes, countryName, readCountry } from '../../contract/regions/countries.ts'
import { languages } from '../../contract/shared/shapes.ts'

test('every country is known by its code and by its name in every language of the product', () => {
  expect(new Set(countryCodes).size).toBe(250)
  for (const code of countryCodes) {
    expect(readCountry(code.toLowerCase())).toBe(code)
    for (const language of languages)
      expect(readCountry(countryName(code, language), [language]), `${code} in ${language}`).toBe(code)
  }
})

test.each([
  ['USA', 'US'],
  ['U.S.', 'US'],
  ['united states of america', 'US'],
  ['UK', 'GB'],
  ['Great Britain', 'GB'],
  ['the Netherlands', 'NL'],
  ['Holland', 'NL'],
  ["Cote d'Ivoire", 'CI'],
  ['Bosnia and Herzegovina', 'BA'],
  ['Turkey', 'TR'],
  ['Österreich', 'AT'],
  ['Россия', 'RU'],
  ['Magyarország', 'HU'],
  ['日本', 'JP'],
  ['Kosovo', 'XK'],
])('%s is %s', (text, code) => expect(readCountry(text)).toBe(code))

test.each(['', ' ', 'Narnia', 'Germ', 'England', 'X', 'EU', 'x'.repeat(100_000)])('%.20s is not a country', (text) =>
  expect(readCountry(text)).toBeUndefined(),
)
