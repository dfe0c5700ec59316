import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { Schema } from '../schema/schema.ts'

/** For example +4930123456. A number without a country code is assumed to be from the company's country. */
export function readPhone(text: string, schema: Partial<Pick<Schema, 'country'>>): string | undefined {
  const number = parsePhoneNumberFromString(text, schema.country as never)
  if (!number?.isPossible()) return undefined
  // Some zeros are only dropped when the number is read again. What is stored must be read as itself.
  const hasPrefix = number.nationalNumber.startsWith('0') && number.number !== text
  return hasPrefix ? readPhone(number.number, schema) : number.number
}
