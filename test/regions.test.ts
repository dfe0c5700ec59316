import { expect, test } from 'vitest'
import { countryCodes } from '../contract/regions/countries.ts'
import { currencyOf, fullRegion, regionOfBrowser } from '../contract/regions/regions.ts'

test('every country but Antarctica has a currency that Intl knows', () => {
  const known = new Set(Intl.supportedValuesOf('currency'))
  expect(countryCodes.filter((code) => !known.has(currencyOf(code) ?? ''))).toEqual(['AQ'])
})

test.each([
  [['de-AT', 'de'], 'Europe/Vienna', { country: 'AT', currency: 'EUR', language: 'de-AT' }],
  [['en-US'], 'Europe/Berlin', { country: 'DE', currency: 'EUR', language: 'en-US' }],
  [['en-US'], 'America/Chicago', { country: 'US', currency: 'USD', language: 'en-US' }],
  [['en-GB', 'en'], 'Europe/London', { country: 'GB', currency: 'GBP', language: 'en-GB' }],
  [['nn-NO'], 'Europe/Oslo', { country: 'NO', currency: 'NOK', language: 'nb-NO' }],
  [['de'], 'Europe/Zurich', { country: 'CH', currency: 'CHF', language: 'de-CH' }],
  [['en'], 'UTC', { country: 'US', currency: 'USD', language: 'en-US' }],
])('a browser in %j at %s works in the region that people there expect', (wished, zone, expected) => {
  expect(regionOfBrowser(wished, zone)).toEqual({ ...expected, time_zone: zone })
})

test('the country alone is enough for the rest, and what is given stays', () => {
  expect(fullRegion({ country: 'PL' })).toEqual({
    country: 'PL',
    currency: 'PLN',
    language: 'pl-PL',
    time_zone: 'Europe/Warsaw',
  })
  expect(fullRegion({ country: 'US' })).toMatchObject({ currency: 'USD', time_zone: undefined })
  expect(fullRegion({ country: 'CH', currency: 'EUR', language: 'fr-FR' })).toMatchObject({
    currency: 'EUR',
    language: 'fr-FR',
  })
  expect(fullRegion({})).toEqual({ country: undefined, currency: 'USD', language: undefined, time_zone: undefined })
})
