// The IDs that records have in the system that they come from.

import { systems } from '../../../contract/moves.ts'
import { isId } from '../../../contract/shared/ids.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import { type Header, isNameOf } from './headers.ts'
import { type KnownColumn, oldId } from './known-exports/known-file.ts'
import { knownColumns, knownTarget } from './suggest-known.ts'
import { headersOf, isCalled, isKnownAs, type Place, parts, type Wanted } from './targets.ts'

/** Whether the IDs are ours, mistakes aside. Without cells, only the header is known. */
export const isIdColumn = ({ unknownIds }: Pick<Place, 'unknownIds'>, cells: string[]) => {
  const ids = cells.map((cell) => cell.trim().toLowerCase())
  const first = ids.find(isId)
  return first ? !unknownIds.has(first) : ids.every((id) => !id)
}

export const hasOurIds = (place: Pick<Place, 'unknownIds'>, cells: string[]) =>
  cells.some((cell) => isId(cell.trim())) && isIdColumn(place, cells)

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
  const headers = headersOf(place, columns)
  const known = knownColumns(place, columns, samples)
  const index = columns.findIndex(
    (_, i) =>
      samples[i]!.some(Boolean) &&
      (known.has(i)
        ? known.get(i) === oldId && !hasOurIds(place, samples[i]!)
        : hasOwnOldIds(place, headers[i]!, samples[i]!)),
  )
  return index < 0 ? null : { column: columns[index]!, field: oldIdField(place.object, place)?.key ?? null }
}

/** IDs of another system: of the record, or of one that it links to. */
export function oldIds(place: Place, header: Header, cells: string[]): Wanted[] {
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

/** If the records that they are of have kept theirs. */
export function knownIds(place: Place, targets: Wanted[], to: KnownColumn, cells: string[]): Wanted[] {
  const { object, objects } = place
  if (hasOurIds(place, cells)) return []
  if (to === oldId) return [oldIdField(object, place) ?? []].flat()
  if (typeof to !== 'object' || !('ids' in to)) return []
  const target = knownTarget(place, targets, to.ids)
  const [key, part] = target?.key.split('.') ?? []
  const linked = part === undefined ? (object.byKey.get(key ?? '')?.to_objects ?? []) : [part]
  const isKept = objects.some((one) => (!linked.length || linked.includes(one.key)) && oldIdField(one, place))
  return target && isKept ? [target] : []
}
