import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { Schema } from '../schema/schema.ts'

/** As +4930123456. A number without a country is taken to be of the company's. */
export function readPhone(text: string, { country }: Pick<Schema, 'country'>) {
  const number = parsePhoneNumberFromString(text, country as never)
  return number?.isPossible() ? number.number : undefined
}
