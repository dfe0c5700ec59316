// Which field a column of a file is probably meant for: by its header or, failing that, by what is in it.

import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { readClock } from '../cells/read-date.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import { systemFields } from '../schema/system-fields.ts'
import { type Header, plain } from './headers.ts'
import { type KnownColumn, noField, oldId } from './known-exports/known-file.ts'
import { knownInto } from './known-exports.ts'
import { fieldCalled, fullName, isIgnored, isStatus, writableFields } from './mapping.ts'
import { hasOurIds, isIdColumn, knownIds, oldIds } from './old-ids.ts'
import { isNamedElsewhere, knownColumns, knownTarget } from './suggest-known.ts'
import {
  headersOf,
  isCalled,
  isKnownAs,
  isOf,
  type Place,
  parts,
  targetsNamed,
  targetsOf,
  type Wanted,
} from './targets.ts'

/**
 * `if_missing`: what to do if a record of this ID does not exist: none is created that has an ID for a name. `is_lost`: it
 * is left out, and nothing else has its content.
 */
export type Suggestion = {
  field: string | null
  suggested_by: 'header' | 'content' | null
  note: string | null
  if_missing: 'leave_empty' | null
  is_lost: boolean
}

export function suggestFields(place: Place, columns: string[], samples: string[][]): Suggestion[] {
  const { object } = place
  const targets = targetsOf(place)
  const headers = headersOf(place, columns)
  const known = knownColumns(place, columns, samples)
  const taken = new Set<string>()
  const isFree = ({ key, is_multi }: Pick<Wanted, 'key' | 'is_multi'>) => is_multi || !taken.has(key)
  const suggest = ({ key }: { key: string }, suggested_by: 'header' | 'content'): Suggestion => {
    taken.add(key)
    return { field: key, suggested_by, note: null, if_missing: null, is_lost: false }
  }
  const found: (Suggestion | undefined)[] = columns.map((column) =>
    isIgnored(column)
      ? skipped('Columns whose names start with _ are not imported')
      : columns.includes(`${column} (Primary)`)
        ? skipped('The primary one is used instead')
        : undefined,
  )
  const byIds = new Set<string>()
  const order = [...known.keys(), ...columns.keys().filter((i) => !known.has(i))]
  const take = (targetIn: (column: string, header: Header, index: number) => Wanted[]) => {
    for (const i of order) {
      const column = columns[i]!
      if (found[i]) continue
      const wanted = targetIn(column, headers[i]!, i)
      if (wanted.some(({ key }) => byIds.has(key))) {
        found[i] = skipped('The IDs of another column are used instead')
        continue
      }
      const usable = wanted.filter(isFree)
      const [target] = usable.filter(({ key }) => key !== 'id' || isIdColumn(place, samples[i] ?? []))
      if (target) found[i] = suggest(target, 'header')
      else if (usable.length) found[i] = skipped(idsOfAnother)
    }
  }
  take((_, header, i) => {
    const [to, cells] = [known.get(i), samples[i] ?? []]
    return to === undefined ? oldIds(place, header, cells) : knownIds(place, targets, to, cells)
  })
  const ids = [...found]
  for (const one of ids) if (one?.field) byIds.add(one.field)
  // A field that a company made for a column has it.
  take((_, header, i) => (known.has(i) ? targets.filter((target) => isOwn(target) && isCalled(target, header)) : []))
  for (const [i, to] of known) found[i] ??= suggestKnown(i, to)
  // A column that is called exactly like a field gets it, whatever the others could be meant for.
  take((column) => targetsNamed(place, targets, column))
  take((_, header) => targets.filter((target) => isOf(place, header, target) && isCalled(target, header)))
  take((_, header) => targets.filter((target) => isOf(place, header, target) && isKnownAs(place, target, header)))
  take((_, { words }, i) => {
    const cells = samples[i] ?? []
    return parts(place).filter((part) => part.isCalled(words) && (!part.isTime || cells.every(isClockOrEmpty)))
  })
  function suggestKnown(i: number, to: KnownColumn): Suggestion | undefined {
    const cells = samples[i] ?? []
    if (to === oldId) return hasOurIds(place, cells) ? undefined : skipped(idsOfAnother)
    if (to === noField) {
      const target = targets.find((one) => isFree(one) && isMeant(place, one, headers[i]!, cells))
      return target ? suggest(target, 'header') : lost(`${object.label_plural} have no field for this`)
    }
    if (typeof to === 'object' && 'out' in to) return skipped(to.out)
    const isIds = typeof to === 'object'
    const target = knownTarget(place, targets, isIds ? to.ids : to)
    if (!target || (isIds && hasOurIds(place, cells))) return undefined
    const hasIds = byIds.has(target.key)
    if (hasIds && !isIds) return skipped('The IDs of another column are used instead')
    if (isIds && !hasIds)
      return isNamedElsewhere(known, to.ids)
        ? skipped('The names are used. Keep the IDs to link by them')
        : lost('Keep the IDs to link the records by them')
    const others = [...columns.keys()].filter((other) => found[other]?.field === target.key)
    const [other] = others
    if (other === undefined || isJoined(object, target)) return suggest(target, 'header')
    // A date is in its time.
    const isSame = (cell: string, row: number) => !cell || others.some((one) => samples[one]?.[row]?.startsWith(cell))
    if (target.is_multi && (target.built_in_key !== 'closed_at' || !cells.some(Boolean) || !cells.every(isSame)))
      return suggest(target, 'header')
    return { ...skipped(`“${columns[other]}” is used instead`), is_lost: !cells.every(isSame) }
  }
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
    // The others are fields that someone added there.
    if (place.known && knownInto(place.known, object.built_in_key)) return nothing
    const cells = samples[i] ?? []
    const type = looksLike(cells)
    const fields = type
      ? writableFields(object).filter((field) => field.type === type && isFree(field) && mayHold(field, cells))
      : []
    return fields.length === 1 || (fields[0]?.is_multi && !taken.has(fields[0].key))
      ? suggest(fields[0]!, 'content')
      : nothing
  })
}

const isClockOrEmpty = (cell: string) => !cell.trim() || readClock(cell) !== undefined

const nothing: Suggestion = { field: null, suggested_by: null, note: null, if_missing: null, is_lost: true }
const skipped = (note: string): Suggestion => ({ ...nothing, note, is_lost: false })
const lost = (note: string): Suggestion => ({ ...nothing, note })
const idsOfAnother = 'These are IDs of another system'

/** A field that the company added. */
const isOwn = ({ key, built_in_key }: Wanted) => built_in_key === null && !key.includes('.')

/** For a column that no built-in field is meant for, except what it has happens to be one. */
const isMeant = (place: Place, target: Wanted, header: Header, cells: string[]) =>
  (isOwn(target) && isKnownAs(place, target, header)) ||
  (target.built_in_key === 'linkedin' && cells.some(Boolean) && mayHold(target, cells))

/** Several columns can be parts of a text, such as a street and a postal code. */
const isJoined = ({ byKey }: ObjectSchema, { key, built_in_key }: Wanted) =>
  byKey.get(key)?.type === 'long_text' || built_in_key === 'first_name'

/** Most dates of a person are no birthdays, and most addresses are no profiles. */
const mayHold = ({ built_in_key }: Pick<Wanted, 'built_in_key'>, cells: string[]) =>
  built_in_key === 'linkedin'
    ? cells.every((cell) => !cell.trim() || /^(https?:\/\/)?([a-z]+\.)?linkedin\.com\//i.test(cell.trim()))
    : built_in_key !== 'birthday'

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
  const unwritable = object.fields.filter(({ is_read_only, type }) => is_read_only || type === 'file')
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
