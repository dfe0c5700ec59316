// Turns what people map in n8n into values that Kith accepts.
import type { Field } from './schema.ts'

type Values = Record<string, unknown>

/** Keeps what is filled in. Empty values are left alone, because n8n cannot tell "not mapped" from "empty". */
export function valuesOf(fields: Field[], mapped: Values): Values {
  const filled = Object.entries(mapped).filter(([, value]) => !isEmpty(value))
  return Object.fromEntries(
    filled.map(([key, value]) => {
      const field = fields.find((one) => one.key === key)
      return [key, field ? kithValue(field, plain(value)) : value]
    }),
  )
}

/** Of an item from another node, only the parts that are fields: the rest of it was never meant for Kith. */
export const mappedByName = (fields: Field[], item: Values): Values =>
  Object.fromEntries(fields.filter(({ key }) => key in item).map(({ key }) => [key, item[key]]))

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** Dates of n8n's expressions (luxon) and of JavaScript become text. */
const plain = (value: unknown): unknown => (typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value)

function kithValue(field: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (field.is_multi || field.type === 'multi_select') return listOf(field, text)
  if (field.type === 'number') return text === '' || Number.isNaN(Number(text)) ? text : Number(text)
  if (field.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (field.type === 'date') return /^\d{4}-\d\d-\d\dT/.test(text) ? text.slice(0, 10) : text
  return field.type === 'money' ? jsonIn(text) : value
}

/** Addresses, numbers and options never contain commas, but names such as "Acme, Inc." do. */
function listOf({ type }: Field, text: string): unknown {
  if (/^[[{]/.test(text)) return jsonIn(text)
  const isSeparable = ['email', 'phone', 'multi_select'].includes(type)
  return isSeparable ? text.split(/\s*[,;\n]\s*/).filter(Boolean) : [text]
}

function jsonIn(text: string): unknown {
  if (!/^[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
