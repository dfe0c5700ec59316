import { isDay } from '../../contract/filter/days.ts'
import type { FieldShape } from './schema.ts'
import { isEmpty, type Money } from './value-text.ts'

const emailPattern = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@<>(),;:"[\]\\.]+$/

/** What the server would say against a value, before it is asked. The server has the last word. */
export function faultOf(field: FieldShape, value: unknown): string | undefined {
  if (isEmpty(value)) return field.is_required ? 'This is required' : undefined
  if (Array.isArray(value)) return value.map((one) => faultOfOne(field, one)).find(Boolean)
  return faultOfOne(field, value)
}

function faultOfOne(field: FieldShape, value: unknown) {
  switch (field.type) {
    case 'text':
      return String(value).length > 1000 ? 'Use at most 1000 characters' : undefined
    case 'long_text':
      return String(value).length > 100_000 ? 'Use at most 100000 characters' : undefined
    case 'email':
      return emailPattern.test(String(value).trim()) ? undefined : 'Enter an e-mail address such as ada@example.com'
    case 'number':
      return typeof value === 'number' && Math.abs(value) <= 1e15 ? undefined : 'This must be a number'
    case 'money':
      return /^-?\d{1,15}(\.\d{1,6})?$/.test((value as Money).amount) ? undefined : 'Use an amount such as 12.50'
    case 'date':
      return isDay(String(value)) ? undefined : 'Use a day such as 2026-06-15'
    default:
      return undefined
  }
}
