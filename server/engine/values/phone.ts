import { getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import type { Schema } from '../schema/schema.ts'

const withPlus = (text: string) => text.replace(/^00(?=[1-9])/, '+')

/** For example +4930123456. A number without a country code is from this country, if it exists there. */
export function readPhone(text: string, { country }: Partial<Pick<Schema, 'country'>>): string | undefined {
  const whole = withPlus(text)
  const number = parsePhoneNumberFromString(whole, country as never)
  const hasCode = whole.startsWith('+')
  if (!number?.isPossible() || !(hasCode || number.isValid())) return undefined
  // Some prefixes are only dropped when the number is read again. What is stored must be read as itself.
  return number.number === whole ? whole : readPhone(number.number, { country })
}

/** Such as 5 in +49 30 123456 ext. 5. */
export const extensionIn = (text: string, { country }: Partial<Pick<Schema, 'country'>>) =>
  parsePhoneNumberFromString(withPlus(text), country as never)?.ext

/** Whether something is missing in it that only the writer knows. */
export const lacksCountryCode = (text: string) => /^\(?\d[\d\s()/.-]{4,25}$/.test(text.trim()) && !/^00[1-9]/.test(text)

/** A number as people of this country know it, with its country code. */
export const phoneExample = ({ country }: Partial<Pick<Schema, 'country'>>) =>
  getExampleNumber((country ?? 'US') as never, examples)?.formatInternational() ?? '+1 201 555 0123'
