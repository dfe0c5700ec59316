import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { Schema } from '../schema/schema.ts'

/** For example +4930123456. A number without a country code is assumed to be from the company's country. */
export function readPhone(text: string, { country }: Pick<Schema, 'country'>) {
  const number = parsePhoneNumberFromString(text, country as never)
  return number?.isPossible() ? number.number : undefined
}
