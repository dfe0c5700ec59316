// What the header of a column says, as exports of other products write it: "Deal - Title", "Phone 1 - Value".
import { fold } from '../../../contract/filter/index.ts'
import type { ObjectSchema } from '../schema/schema.ts'

export const plain = (text: string) => fold(text).replace(/[^\p{L}\p{N}]/gu, '')

/** What other products call the objects, besides their own labels. */
const otherNames: Record<string, string[]> = {
  people: ['person', 'people', 'contact', 'contacts', 'kontakt', 'contactperson', 'pointofcontact', 'ansprechpartner'],
  organizations: ['organization', 'organizations', 'organisation', 'company', 'companies', 'account', 'firma'],
  deals: ['deal', 'deals', 'opportunity', 'opportunities'],
  leads: ['lead', 'leads'],
  tasks: ['task', 'tasks', 'todo'],
  notes: ['note', 'notes'],
  activities: ['activity', 'activities', 'event'],
  products: ['product', 'products'],
}

export type Named = Pick<ObjectSchema, 'key' | 'label' | 'label_plural' | 'built_in_key'>

/** Whether a word is a name of the object. */
export const isNameOf = ({ key, label, label_plural, built_in_key }: Named, word: string) =>
  [key, label, label_plural].some((name) => plain(name) === word) ||
  (otherNames[built_in_key ?? '']?.includes(word) ?? false)

export type Header = {
  /** Without punctuation and what does not matter, the most literal first. */
  words: string[]
  /** The object that it begins with, such as in "Deal - Title". */
  of: Named | undefined
}

/** "Emails / Primary Email": the part says what is in it, unless it says nothing. */
const slash = /\s+\/\s+/
const saysNothing = /^(name|link url|address 1)$/i

/** "Phone 1 - Type": what kind of phone number the next column has. */
const kinds = /^(type|label)$/i
const places = /^(value|name|work|home|mobile|main|other|arbeit|privat|mobil)$/i

/** The object that something is called after, such as a file: "deals-2026-11.csv". */
export const objectIn = <Object extends Named>(text: string, objects: Iterable<Object>): Object | undefined => {
  const words = text.split(/[^\p{L}]+/u).map(plain)
  return [...objects].find((object) => words.some((word) => isNameOf(object, word)))
}

export function readHeader(header: string, objects: Iterable<Named>): Header {
  const text = header.replace(/ \(\d+\)$/, '').trim()
  const [whole = '', part, ...deeper] = text.split(slash)
  if (part && !deeper.length) return { words: [text, saysNothing.test(part) ? whole : part].map(plain), of: undefined }
  const parts = text.split(/\s+-\s+/)
  const of = parts.length > 1 ? [...objects].find((object) => isNameOf(object, plain(parts[0]!))) : undefined
  const left = of ? parts.slice(1) : parts
  const [first = '', ...more] = left
  const last = more.at(-1)
  const isNumbered = /\s\d+$/.test(first)
  const name = first.replace(/\s+\d+$/, '')
  const words =
    last === undefined || (!isNumbered && !places.test(last))
      ? [left.join(' - '), ...(last === undefined ? [name] : [])]
      : kinds.test(last)
        ? []
        : places.test(last)
          ? [name]
          : [last, name]
  // "Associated Company (Primary)"
  const bare = [...words].flatMap((word) => word.replace(/\s*\([^)]*\)$/, '') || [])
  return { words: [...new Set([text, ...words, ...bare].map(plain))], of }
}
