// What a file does not decide, and how a caller settles it.
import { type CsvFormat, dateOrders, decimalSigns, delimiters, encodings, type Unsure } from '../../../contract/csv.ts'
import { countryColumns, countryReader } from '../cells/row-country.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { lacksCountryCode } from '../values/phone.ts'
import type { Inspected } from './inspect.ts'
import { fieldCalled, type Mapped } from './mapping.ts'

/** With these fields, phone numbers may need a country that was not given. */
export function unsureIn(
  object: ObjectSchema,
  { unsure, isCountrySure, columns, sample }: Inspected,
  fields: Pick<Mapped, 'index' | 'key'>[],
): Unsure[] {
  const into = fields.map(({ index, key }) => ({ index, field: fieldCalled(object, key) }))
  const phones = into.filter(({ field }) => field?.type === 'phone')
  const countryOf = countryReader(countryColumns(columns, into))
  const isNational = sample.some(
    ({ cells }) => phones.some(({ index }) => lacksCountryCode(cells[index] ?? '')) && !countryOf(cells),
  )
  return !isCountrySure && isNational ? [...unsure, 'country'] : unsure
}

const choices = {
  encoding: encodings.join(', '),
  delimiter: delimiters.join(' '),
  decimal: decimalSigns.join(' or '),
  date_order: dateOrders.join(', '),
  country: 'a code such as DE',
  sheet: 'its name',
} satisfies Record<Unsure, string>

export function adviceOn(unsure: Unsure[], format: CsvFormat) {
  if (!unsure.length) return null
  const settle = unsure.map((key) => `format.${key} (${choices[key]}; read as ${format[key] ?? 'unknown'})`)
  return `The file is ambiguous. Ask the user if you do not know, and send ${settle.join(' and ')}.`
}
