import { expect, test } from 'vitest'
import { countryColumns, countryReader } from './row-country.ts'

const country = { type: 'country', built_in_key: 'country' } as const
const address = { type: 'long_text', built_in_key: 'address' } as const

test('the country of a row is that of its phone number, of a mapped column, of any country column, or of its address', () => {
  const columns = ['Phone Country Code', 'Land', 'Address', 'Country']
  const into = [
    { index: 3, field: country },
    { index: 2, field: address },
  ]
  const read = countryReader(countryColumns(columns, into))
  expect(read(['AT', 'Schweiz', 'Main Street 1, Paris, France', 'Germany'])).toBe('AT')
  expect(read(['', 'Schweiz', 'Main Street 1, Paris, France', 'Deutschland'])).toBe('DE')
  expect(read(['', 'Schweiz', 'Main Street 1, Paris, France', ''])).toBe('CH')
  expect(read(['', '', 'Main Street 1\n75001 Paris\nFrance', 'Atlantis'])).toBe('FR')
  expect(read(['', '', '1 Main Street, Los Angeles, CA', ''])).toBeUndefined()
})
