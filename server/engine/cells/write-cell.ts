// Values as cells of a table. Import reads every one of them back as the same value: see read-cell.ts.
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import { escapeFormula } from '../../../contract/shared/formula.ts'
import type { Field } from '../schema/schema.ts'
import { readPhone } from '../values/phone.ts'
import { findOption } from '../values/read-values.ts'

/** What a user or record is called in a cell: its name, or its id where the name means no one or several. */
export type NameOf = (field: Pick<Field, 'type' | 'to_objects'>, id: string) => string
export type Decimal = '.' | ','
export type CellField = Pick<Field, 'type' | 'options' | 'to_objects'>

/** Numbers, amounts and phone numbers begin with a sign that is theirs; everything else is text that may look like a formula. */
const harmless = new Set(['number', 'money', 'phone', 'boolean', 'date', 'datetime'])

export function cellOf(field: CellField, value: unknown, nameOf: NameOf, decimal: Decimal): string {
  const text = textIn(field, value, nameOf, decimal)
  return harmless.has(field.type) ? text : escapeFormula(text)
}

/** Where no text can be taken for a formula. */
export function textIn(field: CellField, value: unknown, nameOf: NameOf, decimal: Decimal): string {
  if (value === null || value === undefined) return ''
  const textOf = (one: unknown) => single(field, one, nameOf, decimal)
  return Array.isArray(value) ? inOneCell(field, value.map(textOf)) : textOf(value)
}

/** Separated by semicolons or, if a value contains one, as a list in JSON. A company without the option would read commas. */
function inOneCell({ type }: CellField, texts: string[]) {
  const isSplit = type === 'multi_select' && texts.length === 1 && texts[0]!.includes(',')
  return isSplit || texts.some((text) => /[;\r\n"]|^\s|\s$/.test(text)) || texts[0]?.startsWith('[')
    ? JSON.stringify(texts)
    : texts.join('; ')
}

function single(field: CellField, value: unknown, nameOf: NameOf, decimal: Decimal): string {
  switch (field.type) {
    case 'number':
      return String(value).replace('.', decimal)
    case 'money': {
      const { amount, currency } = value as { amount: string; currency: string }
      return `${amount.replace('.', decimal)} ${currency}`
    }
    // Spreadsheets translate true and false, and store the translation.
    case 'boolean':
      return value ? 'yes' : 'no'
    case 'phone':
      return phoneText(String(value))
    case 'select':
    case 'multi_select':
      return optionText(field, String(value))
    case 'user':
    case 'relation':
      return nameOf(field, String((value as { id?: string }).id ?? value))
    case 'file':
      return (value as { name: string }).name
    default:
      return String(value)
  }
}

const callingCodes = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)))

/** With a space, because spreadsheets take +4930123456 for a number and drop the sign. */
function phoneText(phone: string) {
  const digits = [1, 2, 3].find((count) => callingCodes.has(phone.slice(1, 1 + count)))
  const spaced = digits && `${phone.slice(0, 1 + digits)} ${phone.slice(1 + digits)}`
  // In some countries, what follows the space may be read as a prefix.
  return spaced && readPhone(spaced, {}) === phone ? spaced : escapeFormula(phone)
}

/** The label, unless another option has it too. */
function optionText(field: CellField, key: string) {
  const label = field.options?.find((option) => option.key === key)?.label
  return label !== undefined && findOption(field, label)?.key === key ? label : key
}
