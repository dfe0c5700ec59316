// Rows that name records of their own object, such as the parent of an organization, which other rows may create.
import { namingKeys } from '../names/named-records.ts'
import { keysOf } from '../read/by-unique.ts'
import type { Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { type Reading, readValues } from '../values/read-values.ts'
import { titleOf } from '../values/title.ts'
import type { ImportInput } from './import-input.ts'
import type { Line } from './import-line.ts'

export const linksToOwn = (
  { object }: Pick<Target, 'object'>,
  { type, to_objects }: Pick<Field, 'type' | 'to_objects'>,
) => type === 'relation' && (!to_objects?.length || to_objects.includes(object.key))

/** As a dry run remembers a name: records of other objects may have the same. */
export const nameKey = ({ key }: Target['object'], name: string) => `${key} ${name}`

/** The mapped fields in which a row can name another one. */
export const ownRelations = (target: Target, { mapping }: ImportInput) =>
  target.object.fields.filter(
    (field) =>
      linksToOwn(target, field) &&
      mapping.some(({ key, part = target.object.key }) => key === field.key && part === target.object.key),
  )

/** The keys of everything that a line names. */
export const namedBy = ({ schema, object }: Target, relations: Field[], { values }: Line) =>
  relations.flatMap(({ key }) => [values[key] ?? []].flat().flatMap((name) => namingKeys(schema, object, String(name))))

/** The keys under which other lines may name the record of a line: its title and its unique values. */
export function namesOf(target: Target, { values, path }: Line, reading: Reading): string[] {
  const { schema, object } = target
  const uniques = object.fields.filter(
    ({ key, is_unique }) => is_unique && values[key] !== undefined && values[key] !== null,
  )
  const ofUniques = uniques.flatMap((field) => {
    const read = readValues(schema, object, { [field.key]: values[field.key] }, path, reading)
    return read.faults.length ? [] : keysOf(target, field, read.values[field.key]).map((key) => `${field.id} ${key}`)
  })
  return [namingKeys(schema, object, titleOf(object, values))[0]!, ...ofUniques]
}
