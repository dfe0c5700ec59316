// Which field a column of a file is probably meant for: by its header or, failing that, by what is in it.

import { systems } from '../../../contract/moves.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { importParts, originFields } from '../../../contract/shared/import-targets.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { readClock } from '../cells/read-date.ts'
import { builtInInUse, type Field, type ObjectSchema } from '../schema/schema.ts'
import { systemFields } from '../schema/system-fields.ts'
import { type Header, isNameOf, plain, readHeader } from './headers.ts'
import {
  completedField,
  fieldCalled,
  fullName,
  hasFullName,
  isIgnored,
  isStatus,
  isTitleHeader,
  titleTarget,
  writableFields,
} from './mapping.ts'
import { synonyms } from './synonyms.ts'

/** `if_missing`: what to do if a record of this ID does not exist: none is created that has an ID for a name. */
export type Suggestion = {
  field: string | null
  suggested_by: 'header' | 'content' | null
  note: string | null
  if_missing: 'leave_empty' | null
}

const isClockOrEmpty = (cell: string) => !cell.trim() || readClock(cell) !== undefined

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

/** `unknownIds`: texts that look like our IDs and are not. */
export type Place = {
  object: ObjectSchema
  objects: ObjectSchema[]
  isAdmin: boolean
  unknownIds: ReadonlySet<string>
  /** The product that wrote the file, as far as its columns say so. */
  system: (typeof systems)[number] | undefined
}
type Wanted = { key: string; label: string; is_multi: boolean; built_in_key: string | null }

export function suggestFields(place: Place, columns: string[], samples: string[][]): Suggestion[] {
  const { object } = place
  const targets = targetsOf(place)
  const headers = columns.map((column) => readHeader(column, place.objects))
  const taken = new Set<string>()
  const isFree = ({ key, is_multi }: Pick<Wanted, 'key' | 'is_multi'>) => is_multi || !taken.has(key)
  const suggest = ({ key }: { key: string }, suggested_by: 'header' | 'content'): Suggestion => {
    taken.add(key)
    return { field: key, suggested_by, note: null, if_missing: null }
  }
  const found: (Suggestion | undefined)[] = columns.map((column) =>
    isIgnored(column)
      ? skipped('Columns whose names start with _ are not imported')
      : columns.includes(`${column} (Primary)`)
        ? skipped('The primary one is used instead')
        : undefined,
  )
  const byIds = new Set<string>()
  const take = (targetIn: (column: string, header: Header) => Wanted[]) => {
    for (const [i, column] of columns.entries()) {
      if (found[i]) continue
      const wanted = targetIn(column, headers[i]!)
      if (wanted.some(({ key }) => byIds.has(key))) {
        found[i] = skipped('The IDs of another column are used instead')
        continue
      }
      const usable = wanted.filter(isFree)
      const [target] = usable.filter(({ key }) => key !== 'id' || isIdColumn(place, samples[i] ?? []))
      if (target) found[i] = suggest(target, 'header')
      else if (usable.length) found[i] = skipped('These are IDs of another system')
    }
  }
  // A column that is called exactly like a field gets it, whatever the others could be meant for.
  take((column, header) => oldIds(place, header, samples[columns.indexOf(column)] ?? []))
  const ids = [...found]
  for (const one of ids) if (one?.field) byIds.add(one.field)
  take((column) => targetsNamed(place, targets, column))
  take((_, header) => targets.filter((target) => isOf(place, header, target) && isCalled(target, header)))
  take((_, header) => targets.filter((target) => isOf(place, header, target) && isKnownAs(place, target, header)))
  take((column, { words }) => {
    const cells = samples[columns.indexOf(column)] ?? []
    return parts(place).filter((part) => part.isCalled(words) && (!part.isTime || cells.every(isClockOrEmpty)))
  })
  return found.map((one, i) => {
    if (one) {
      const suggestion = withNote(place, one, taken, samples[i])
      return ids[i]?.field ? { ...suggestion, if_missing: 'leave_empty' } : suggestion
    }
    const column = columns[i]!
    if (isReadOnly(object, column)) return skipped('This field is read-only')
    const { of, words } = headers[i]!
    if (of && of.key !== object.key)
      return skipped(`Belongs to ${inSentence(of.label_plural)}, which need a separate file`)
    // An address here is one of your own people, and not of the record; and an ID only looks like a number.
    if (/(\bid|Id|ID)s?$/.test(column) || words.some((word) => /owner|assigned|createdby|besitzer/.test(word)))
      return nothing
    const type = looksLike(samples[i] ?? [])
    const fields = type ? writableFields(object).filter((field) => field.type === type && isFree(field)) : []
    return fields.length === 1 || (fields[0]?.is_multi && !taken.has(fields[0].key))
      ? suggest(fields[0]!, 'content')
      : nothing
  })
}

const nothing: Suggestion = { field: null, suggested_by: null, note: null, if_missing: null }
const skipped = (note: string): Suggestion => ({ ...nothing, note })

/** Whether the IDs are ours, mistakes aside. Without cells, only the header is known. */
const isIdColumn = ({ unknownIds }: Pick<Place, 'unknownIds'>, cells: string[]) => {
  const ids = cells.map((cell) => cell.trim().toLowerCase())
  const first = ids.find(isId)
  return first ? !unknownIds.has(first) : ids.every((id) => !id)
}

/** The field in which a company keeps the IDs of another system. */
const oldIdField = ({ fields }: ObjectSchema, { system }: Pick<Place, 'system'>) => {
  const unique = fields.filter(({ is_unique, is_built_in, type }) => is_unique && !is_built_in && type === 'text')
  const isOf = (name: string) => (field: Field) => field.label.startsWith(name)
  const own = system ? unique.filter(isOf(system)) : []
  // That of another product has its IDs.
  const [only, ...others] = own.length
    ? own
    : unique.filter((field) => !system || !systems.some((name) => isOf(name)(field)))
  return others.length ? undefined : only
}

/** What the column has the IDs of, as its header calls it. */
const idNames = ({ words }: Header) =>
  words
    .filter((word) => /ids?$/.test(word))
    .map((word) => word.replace(/ids?$/, '').replace(/^(associated|primary(?=.))/, ''))

/** Whether the column has the IDs that its records have in another system. */
const hasOwnOldIds = (place: Place, header: Header, cells: string[]) => {
  const { object } = place
  return (
    !isIdColumn(place, cells) &&
    (!header.of || header.of.key === object.key) &&
    idNames(header).some((name) => name === '' || name === 'record' || isNameOf(object, name))
  )
}

/** The column with the IDs that its records have in another system, and the field that keeps them. */
export function findOldIds(place: Place, columns: string[], samples: string[][]) {
  const headers = columns.map((column) => readHeader(column, place.objects))
  const index = columns.findIndex((_, i) => samples[i]!.some(Boolean) && hasOwnOldIds(place, headers[i]!, samples[i]!))
  return index < 0 ? null : { column: columns[index]!, field: oldIdField(place.object, place)?.key ?? null }
}

/** IDs of another system: of the record, or of one that it links to. */
function oldIds(place: Place, header: Header, cells: string[]): Wanted[] {
  const { object, objects } = place
  const names = idNames(header)
  if (!names.length || isIdColumn(place, cells)) return []
  if (hasOwnOldIds(place, header, cells)) return [oldIdField(object, place) ?? []].flat()
  const namesLinked = (linked: ObjectSchema | undefined) =>
    linked !== undefined &&
    linked !== object &&
    oldIdField(linked, place) &&
    names.some((name) => isNameOf(linked, name))
  const named: Header = { of: undefined, words: names }
  return [
    ...object.fields.filter((field) => {
      if (field.type !== 'relation' || field.to_objects?.length !== 1) return false
      const linked = objects.find(({ key }) => key === field.to_objects![0])
      // Another record of the same object, such as the parent.
      const isOwn =
        linked === object && oldIdField(object, place) && (isCalled(field, named) || isKnownAs(place, field, named))
      return isOwn || namesLinked(linked)
    }),
    ...parts(place).filter(({ linked }) => namesLinked(linked)),
  ]
}

const pseudo = (key: string, label: string): Wanted => ({ key, label, is_multi: false, built_in_key: key })

/** Everything but parts of fields that a column can go into. */
function targetsOf({ object, isAdmin }: Place): Wanted[] {
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
    ...(hasFullName(object) ? [pseudo(fullName, 'Full name')] : []),
  ]
}

/** By key, then by label; then by the name of the object, which is the title of a record in lists and exports. */
function targetsNamed({ object }: Place, targets: Wanted[], column: string): Wanted[] {
  const word = plain(column.replace(/ \(\d+\)$/, ''))
  const title = isTitleHeader(object, column) ? titleTarget(object) : undefined
  return [
    // A column called Title is a job title, unless it is written exactly like our own.
    ...targets.filter(({ key }) => key === column || (key !== fullName && plain(key) === word)),
    ...targets.filter(({ label }) => plain(label) === word),
    ...targets.filter(({ key }) => key === title),
  ]
}

const isCalled = ({ key, label }: Wanted, { words }: Header) =>
  words.some((word) => (key !== fullName && plain(key) === word) || plain(label) === word)

function isKnownAs({ object }: Place, { key, built_in_key }: Wanted, { words }: Header) {
  const name = built_in_key ?? key
  const known = [...(synonyms[name] ?? []), ...(synonyms[`${object.built_in_key}.${name}`] ?? [])]
  return words.some((word) => known.includes(word))
}

/** "Organization - Name" in a file of deals names the organization, and not the deal. */
function isOf({ object, objects }: Place, { of, words }: Header, { key }: Wanted) {
  if (!of || of.key === object.key) return true
  const to = object.byKey.get(key)?.to_objects
  const isLinked = to?.length === 1 && to[0] === of.key && objects.some((one) => one.key === of.key)
  return isLinked && words.some((word) => word === 'name' || word === 'title')
}

type Part = Wanted & { linked: ObjectSchema | undefined; isTime: boolean; isCalled: (words: string[]) => boolean }

/** Parts of fields: "Currency of Value", or "Deal" for the deals that a note is about. */
function parts({ object, objects }: Place): Part[] {
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

function withNote({ object }: Place, found: Suggestion, taken: Set<string>, cells: string[] = []): Suggestion {
  const { field: key } = found
  if (key === null) return found
  const isKnown = fieldCalled(object, key)
  // First and last name say more than the full name.
  if (key === fullName && !object.byKey.has(fullName) && (taken.has('first_name') || taken.has('last_name')))
    return skipped('The first and last name columns are used instead')
  // Someone who changes a stage in an exported file leaves the status as it was.
  if (taken.has('id') && isStatus(object, { key })) return skipped('It follows from the stage')
  const [amount, part] = key.split('.')
  if ((part === 'currency' || part === 'time') && !taken.has(amount!)) return nothing
  // Unlike other fields, which get their default.
  const hasEmpty = isKnown?.type === 'user' && cells.some((cell) => !cell.trim())
  return { ...found, note: hasEmpty ? `New records with an empty cell here get no ${inSentence(isKnown.label)}` : null }
}

/** Shown so that a file that was exported can be imported again without a word about its other columns. */
export function isReadOnly(object: ObjectSchema, header: string) {
  const word = plain(header)
  const unwritable = object.fields.filter(({ is_read_only }) => is_read_only)
  const system = [...systemFields.filter(({ key }) => key !== 'owner'), { key: 'version', label: 'Version' }]
  return [...unwritable, ...system].some(({ key, label }) => plain(key) === word || plain(label) === word)
}

const kinds: [type: Field['type'], pattern: RegExp][] = [
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['url', /^https?:\/\/\S+$/i],
  // Before phone numbers, which may look like dates with leading zeros.
  ['date', /^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})$/],
  ['phone', /^(\+|00|\(?0)[\d\s()/.-]{6,20}$/],
]

/** Longer cells are none of these. Some patterns take quadratic time. */
const longestValue = 2000

/** What nearly all filled cells look like. */
export function looksLike(samples: string[]): Field['type'] | undefined {
  const filled = samples.map((cell) => cell.trim()).filter(Boolean)
  if (!filled.length) return undefined
  const short = filled.filter((cell) => cell.length <= longestValue)
  return kinds.find(([, pattern]) => short.filter((cell) => pattern.test(cell)).length >= filled.length * 0.8)?.[0]
}
