// What the columns of a file can go into, and by which names.

import type { systems } from '../../../contract/moves.ts'
import { importParts, originFields, skipRowField } from '../../../contract/shared/import-targets.ts'
import { builtInInUse, type ObjectSchema } from '../schema/schema.ts'
import { type Header, isNameOf, plain, readHeader } from './headers.ts'
import type { KnownExport } from './known-exports.ts'
import {
  completedField,
  fullName,
  hasFullName,
  isStatus,
  isTitleHeader,
  titleTarget,
  writableFields,
} from './mapping.ts'
import { synonyms } from './synonyms.ts'

/** `unknownIds`: texts that look like our IDs and are not. */
export type Place = {
  object: ObjectSchema
  objects: ObjectSchema[]
  isAdmin: boolean
  unknownIds: ReadonlySet<string>
  /** The product that wrote the file, as far as its columns say so. */
  system: (typeof systems)[number] | undefined
  known: KnownExport | undefined
}
export type Wanted = { key: string; label: string; is_multi: boolean; built_in_key: string | null }

/** What a column with the currencies of amounts is called, besides "Currency of Value". */
const currencyWords = new Set([
  'currency',
  'currencycode',
  'currencyisocode',
  'dealcurrency',
  'dealcurrencycode',
  'wahrung',
  'devise',
])

/** Activities that become tasks are still called activities. */
export function headersOf({ known, objects }: Pick<Place, 'known' | 'objects'>, columns: string[]): Header[] {
  const own = known?.file.prefix === undefined ? undefined : known.file.into[0].object
  return columns.map((column) => {
    const header = readHeader(column, objects)
    return own && header.of?.built_in_key === own ? { ...header, of: undefined } : header
  })
}

const pseudo = (key: string, label: string): Wanted => ({ key, label, is_multi: false, built_in_key: key })

/** Everything but parts of fields that a column can go into. */
export function targetsOf({ object, isAdmin }: Place): Wanted[] {
  const status = object.byKey.get(builtInInUse(object, 'status')?.key ?? '')
  const completed = isAdmin ? completedField(object) : undefined
  return [
    pseudo('id', 'Id'),
    // A deal is won at one time or lost at another, and exports have a column for either.
    ...writableFields(object).map((field) =>
      field.built_in_key === 'closed_at' ? { ...field, is_multi: true } : field,
    ),
    ...(status && isStatus(object, status) ? [{ ...status, is_multi: false }] : []),
    ...(completed ? [{ ...completed, is_multi: false }] : []),
    ...(isAdmin
      ? originFields.map(({ key, label }) => pseudo(key, label)).filter(({ key }) => !object.byKey.has(key))
      : []),
    ...[skipRowField].map(({ key, label }) => pseudo(key, label)).filter(({ key }) => !object.byKey.has(key)),
    ...(hasFullName(object) ? [pseudo(fullName, 'Full name')] : []),
  ]
}

/** By key, then by label; then by the name of the object, which is the title of a record in lists and exports. */
export function targetsNamed({ object }: Place, targets: Wanted[], column: string): Wanted[] {
  const word = plain(column.replace(/ \(\d+\)$/, ''))
  const title = isTitleHeader(object, column) ? titleTarget(object) : undefined
  return [
    // A column called Title is a job title, unless it is written exactly like our own.
    ...targets.filter(({ key }) => key === column || (key !== fullName && plain(key) === word)),
    ...targets.filter(({ label }) => plain(label) === word),
    ...targets.filter(({ key }) => key === title),
  ]
}

export const isCalled = ({ key, label }: Wanted, { words }: Header) =>
  words.some((word) => (key !== fullName && plain(key) === word) || plain(label) === word)

export function isKnownAs({ object }: Place, { key, built_in_key }: Wanted, { words }: Header) {
  const name = built_in_key ?? key
  const known = [...(synonyms[name] ?? []), ...(synonyms[`${object.built_in_key}.${name}`] ?? [])]
  return words.some((word) => known.includes(word))
}

/** "Organization - Name" in a file of deals names the organization, and not the deal. */
export function isOf({ object, objects }: Place, { of, words }: Header, { key }: Wanted) {
  if (!of || of.key === object.key) return true
  const to = object.byKey.get(key)?.to_objects
  const isLinked = to?.length === 1 && to[0] === of.key && objects.some((one) => one.key === of.key)
  return isLinked && words.some((word) => word === 'name' || word === 'title')
}

export type Part = Wanted & {
  linked: ObjectSchema | undefined
  isTime: boolean
  isCalled: (words: string[]) => boolean
}

/** Parts of fields: "Currency of Value", or "Deal" for the deals that a note is about. */
export function parts({ object, objects }: Place): Part[] {
  const fields = writableFields(object)
  const money = fields.filter(({ type }) => type === 'money')
  return fields.flatMap((field) =>
    importParts(field, objects).map(({ key, label }): Part => {
      const wanted = { key, label, is_multi: field.is_multi, built_in_key: null }
      const names = [plain(field.key), plain(field.label), ...(synonyms[field.built_in_key ?? ''] ?? [])]
      const currencies = new Set(
        names.flatMap((name) => [`currencyof${name}`, `${name}currency`, `${name}currencycode`]),
      )
      const isTime = field.type === 'datetime'
      const times = new Set(names.map((name) => `${name.replace(/(date|day|at|on)$/, '')}time`))
      const linked = objects.find((one) => key === `${field.key}.${one.key}`)
      const isName = (word: string) =>
        linked
          ? isNameOf(linked, word.replace(/^associated/, '').replace(/(?<=.)(title|name)$/, ''))
          : (isTime ? times : currencies).has(word)
      return {
        ...wanted,
        linked,
        isTime,
        isCalled: (words) =>
          words.some(
            (word) =>
              word === plain(label) ||
              isName(word) ||
              (!linked && !isTime && money.length === 1 && currencyWords.has(word)),
          ),
      }
    }),
  )
}
