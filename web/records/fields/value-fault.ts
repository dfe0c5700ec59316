import { isDay, isMomentText } from '../../../contract/filter/days.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { amountPattern, largestNumber, mostText } from '../../../contract/shared/limits.ts'
import { dayOf } from '../../ui/text/moments.ts'
import { asTypedDecimal } from '../../ui/text/numbers.ts'
import { idOf, type Related } from '../data/records-api.ts'
import type { FieldShape } from '../data/schema.ts'
import { asDate, isEmpty, type Money } from '../data/value-text.ts'

const emailPattern = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@<>(),;:"[\]\\.]+$/

/** What the server would say against a value, before it is asked. The server has the last word. */
export function faultOf(field: FieldShape, value: unknown): string | undefined {
  if (isEmpty(value)) return field.is_required ? 'This is required' : undefined
  if (Array.isArray(value)) return faultAmong(field, value)
  return faultOfOne(field, value)
}

/** Of several, it says which. */
function faultAmong(field: FieldShape, values: unknown[]) {
  const wrong = values.find((one) => faultOfOne(field, one))
  const fault = wrong === undefined ? undefined : faultOfOne(field, wrong)
  const isNamed = field.type === 'relation'
  return fault && values.length > 1 && typeof wrong === 'string' && !isNamed ? `“${wrong}”: ${fault}` : fault
}

function faultOfOne(field: FieldShape, value: unknown) {
  switch (field.type) {
    case 'text':
    case 'country':
      return tooLong(value, mostText.text)
    case 'long_text':
      return tooLong(value, mostText.long_text)
    case 'email':
      return emailPattern.test(String(value).trim()) ? undefined : 'Enter an email address such as ada@example.com'
    case 'number':
      if (typeof value === 'number' && Math.abs(value) > largestNumber) return 'Use a number with at most 15 digits'
      return typeof value === 'number' ? undefined : `Enter a number such as ${asTypedDecimal('12.5')} or 15k`
    case 'money': {
      const { amount, meant } = value as Money
      if (meant) return `Did you mean ${meant[0]} or ${meant[1]}?`
      if (/^-?\d{16}/.test(amount)) return 'Use an amount with at most 15 digits'
      return amountPattern.test(amount) ? undefined : `Enter an amount such as ${asTypedDecimal('12.50')} or 15k`
    }
    case 'date':
      return isDay(String(value)) ? undefined : `Enter a date such as ${asDate(inAWeek())} or tomorrow`
    case 'datetime':
      return isMomentText(String(value))
        ? undefined
        : `Enter a date and a time such as ${inAWeek()} 14:30 or tomorrow 3pm`
    case 'select':
    case 'multi_select':
      return field.options?.some(({ key }) => key === value) ? undefined : unmatchedText(String(value))
    case 'user':
    case 'relation': {
      const id = idOf(value as Related)
      return isId(id) ? undefined : unmatchedText(id)
    }
    default:
      return undefined
  }
}

const inAWeek = () => dayOf(Date.now() + 7 * 86_400_000)

export const unmatchedText = (text: string) => `No match for “${text}”. Choose an entry from the list`

const tooLong = (value: unknown, most: number) =>
  String(value).length > most ? `Use at most ${most} characters` : undefined
