import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { own } from '../../../contract/shared/own.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { builtInValue } from './built-in-values.ts'
import type { Values } from './from-row.ts'

const mostTitle = 200
export const textTypes = new Set(['text', 'long_text', 'email', 'phone', 'url'])

/** The title of a record: its title or name, a person's names, or its first text. */
export function titleOf(object: ObjectSchema, values: Values) {
  const text = (name: string) => {
    const value = values[object.builtIn.get(name)?.key ?? name]
    return typeof value === 'string' ? value : ''
  }
  const title =
    text('title') ||
    text('name') ||
    nameOf(text('first_name'), text('last_name')) ||
    firstText(object, values) ||
    (object.built_in_key === 'deal_lines' && lineTitle(object, values)) ||
    `Untitled ${inSentence(object.label)}`
  // Cut at whole characters, because half a surrogate pair cannot be stored.
  return [...title.slice(0, mostTitle * 4).replace(/\s+/g, ' ')].slice(0, mostTitle).join('')
}

/** "3 × 40 EUR": a product can be renamed without its lines, so they do not have its name. */
function lineTitle(object: ObjectSchema, values: Values) {
  const price = builtInValue(object, values, 'unit_price') as { amount: string; currency: string } | undefined
  const quantity = builtInValue(object, values, 'quantity') ?? 1
  return price ? `${quantity} × ${price.amount} ${price.currency}` : ''
}

function firstText(object: ObjectSchema, values: Values) {
  for (const { key, type } of object.fields) {
    const [value] = textTypes.has(type) ? [own(values, key) ?? []].flat() : []
    const text = type === 'long_text' ? firstLine(String(value ?? '')) : String(value ?? '')
    if (text) return text
  }
  return ''
}

/** East Asian names start with the family name and have no space. */
const nameOf = (first: string, last: string) =>
  eastAsian.test(first) && eastAsian.test(last) ? `${last}${first}` : [first, last].filter(Boolean).join(' ')
const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u

/** The first line of a Markdown text that has content, without markup. Reads only the beginning of the text. */
function firstLine(text: string) {
  const lines = text.slice(0, 4000).split('\n', 100)
  return lines.map((line) => withoutMarks(line.slice(0, 500))).find(Boolean) ?? ''
}

const withoutMarks = (line: string) =>
  line
    .replace(/^\s*(#{1,6}|[-*+>]|\d+\.)\s+(\[[ xX]\]\s+)?/, '')
    .replace(/!?\[([^\][\n]{0,200})\]\([^()\n]{0,300}\)/g, '$1')
    .replace(/(\*\*|__|~~|`)/g, '')
    .trim()
