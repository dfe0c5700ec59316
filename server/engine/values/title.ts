import { own } from '../../../contract/own.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Values } from './from-row.ts'

const mostTitle = 200
export const textTypes = new Set(['text', 'long_text', 'email', 'phone', 'url'])

/** What a record is called: its name, a person's names, or the first thing that says anything. */
export function titleOf(object: ObjectSchema, values: Values) {
  const text = (key: string) => (typeof values[key] === 'string' ? (values[key] as string) : '')
  const title =
    text('title') ||
    text('name') ||
    nameOf(text('first_name'), text('last_name')) ||
    firstText(object, values) ||
    `Untitled ${object.label.toLowerCase()}`
  // By whole characters: half of one cannot be stored.
  return [...title.slice(0, mostTitle * 4).replace(/\s+/g, ' ')].slice(0, mostTitle).join('')
}

function firstText(object: ObjectSchema, values: Values) {
  for (const { key, type } of object.fields) {
    const [value] = textTypes.has(type) ? [own(values, key) ?? []].flat() : []
    const text = type === 'long_text' ? firstLine(String(value ?? '')) : String(value ?? '')
    if (text) return text
  }
  return ''
}

/** In East Asia the family comes first, and nothing between. */
const nameOf = (first: string, last: string) =>
  eastAsian.test(first) && eastAsian.test(last) ? `${last}${first}` : [first, last].filter(Boolean).join(' ')
const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u

/** Of a text with Markdown in it, its first line that says something, without the marks. Only its beginning is read. */
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
