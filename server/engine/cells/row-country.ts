// The country that a row names: its phone numbers without a country code are from there.
import { fold } from '../../../contract/filter/index.ts'
import { readCountry } from '../../../contract/regions/countries.ts'
import type { Field } from '../schema/schema.ts'

/** `isAddress`: its last line or part may be a country. */
type CountryColumn = { index: number; isAddress: boolean }
type Into = { index: number; field: Pick<Field, 'type' | 'built_in_key'> | undefined }

const isCountryCode = /countrycode$/
const isCountryName = /(?:country|countryregion)$|^(?:land|pays|pais)$/

/** The columns that may name it, what says it best first: that of the number itself, mapped ones, others, addresses. */
export function countryColumns(columns: string[], mapping: Into[]): CountryColumn[] {
  const words = columns.map((column) => fold(column).replace(/[^\p{L}]/gu, ''))
  const called = (isIt: (word: string) => boolean) => words.flatMap((word, index) => (isIt(word) ? [index] : []))
  const into = (isIt: (field: NonNullable<Into['field']>) => boolean) =>
    mapping.flatMap(({ index, field }) => (field && isIt(field) ? [index] : []))
  const countries = [
    ...called((word) => /phone|telefon/.test(word) && isCountryCode.test(word)),
    ...into(({ type }) => type === 'country'),
    ...called((word) => isCountryCode.test(word) || isCountryName.test(word)),
  ]
  const addresses = into(({ built_in_key }) => built_in_key === 'address')
  return [
    ...[...new Set(countries)].map((index) => ({ index, isAddress: false })),
    ...addresses.map((index) => ({ index, isAddress: true })),
  ]
}

/** Reads the country of rows. Most rows of a file have one of a few. */
export function countryReader(columns: CountryColumn[], language?: string) {
  const known = new Map<string, string | undefined>()
  const countryIn = (text: string) => {
    if (!known.has(text)) known.set(text, readCountry(text, language ? [language] : []))
    return known.get(text)
  }
  return (cells: string[]): string | undefined => {
    for (const { index, isAddress } of columns) {
      const cell = (cells[index] ?? '').trim()
      const text = isAddress ? lastPart(cell) : cell
      const country = text && countryIn(text)
      if (country) return country
    }
    return undefined
  }
}

/** Short parts are states as well: CA is California. */
const lastPart = (address: string) => {
  const part = address.slice(Math.max(address.lastIndexOf(','), address.lastIndexOf('\n')) + 1).trim()
  return part.length > 3 ? part : ''
}
