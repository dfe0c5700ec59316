// Which column of a file becomes which field.
import type { ifMissing } from '../../../contract/csv.ts'
import { didYouMean, fold, nearestNames } from '../../../contract/filter/index.ts'
import { own } from '../../../contract/shared/own.ts'
import { AppError } from '../../kernel/app-error.ts'
import { isOpenChoice } from '../objects/options.ts'
import { builtInInUse, type Field, type ObjectSchema } from '../schema/schema.ts'
import { unknownField } from '../schema/unknown-field.ts'
import { ownerField } from '../values/read-values.ts'

export type IfMissing = (typeof ifMissing)[number]
/** A column that is imported. `key`: of the field; or `id`, or `title` for the full name of a person. */
export type Mapped = { index: number; key: string; if_missing: IfMissing }
export type GivenMapping = Record<string, string | null | { field: string; if_missing?: IfMissing | undefined }>

/** The full name of a person, which becomes a first and a last name. */
export const fullName = 'title'
export const hasFullName = (object: ObjectSchema) =>
  Boolean(builtInInUse(object, 'first_name') && builtInInUse(object, 'last_name'))

/** The field that a column of titles fills: the one that is the title by itself, or the full name. */
export const titleTarget = (object: ObjectSchema) =>
  ['title', 'name'].map((name) => builtInInUse(object, name) ?? object.byKey.get(name)).find(Boolean)?.key ??
  (hasFullName(object) ? fullName : undefined)

const sameName = (a: string, b: string) => fold(a.trim()) === fold(b.trim())

/** What an export calls the column of titles: like the object, as lists do. */
export const titleHeader = ({ label, fields }: ObjectSchema) =>
  fields.some((field) => sameName(field.label, label)) ? 'Record title' : label

/** Whether a column has the titles of the records, as an export writes them. */
export const isTitleHeader = (object: ObjectSchema, header: string) =>
  header === 'title' || sameName(header, titleHeader(object))

/** Those that say why a row failed, in a file of failed rows. */
export const isIgnored = (column: string) => column.startsWith('_')

export const writableFields = (object: ObjectSchema): Field[] => [
  ...object.fields.filter(({ is_read_only }) => !is_read_only),
  { ...ownerField, label: 'Owner', built_in_key: 'owner', options: null, to_objects: null },
]

/** Files of other programs have lost reasons and sources of their own. */
function usual(object: ObjectSchema, key: string, byDefault: IfMissing): IfMissing {
  const field = object.byKey.get(key)
  return byDefault === 'fail' && field && isOpenChoice(object, field) ? 'create' : byDefault
}

export function readMapping(
  object: ObjectSchema,
  columns: string[],
  given: GivenMapping,
  byDefault: IfMissing,
): Mapped[] {
  const errors = Object.keys(given).flatMap((column) =>
    columns.includes(column)
      ? []
      : [
          {
            path: `mapping.${column}`,
            message: `The file has no column ${column.slice(0, 60)}.${near(columns, column)}`,
          },
        ],
  )
  const mapped = columns.flatMap((column, index): Mapped[] => {
    const target = own(given, column)
    if (target === undefined || target === null || isIgnored(column)) return []
    const { field, if_missing } = typeof target === 'string' ? { field: target } : target
    return [{ index, key: field, if_missing: if_missing ?? usual(object, field, byDefault) }]
  })
  for (const { index, key } of mapped) {
    const message = errorOf(object, mapped, key)
    if (message) errors.push({ path: `mapping.${columns[index]}`, message })
  }
  if (!mapped.length) errors.push({ path: 'mapping', message: 'Map at least one column to a field' })
  if (errors.length)
    throw new AppError('invalid_input', `Correct the mapping. ${errors.map(({ message }) => message).join(' ')}`, {
      errors: errors.slice(0, 100),
    })
  return mapped
}

const near = (columns: string[], column: string) =>
  didYouMean(
    nearestNames(
      column,
      columns.map((key) => ({ key })),
    ),
  )

function errorOf(object: ObjectSchema, mapped: Mapped[], key: string): string | undefined {
  const isTwice = mapped.filter((one) => one.key === key).length > 1
  const field = fieldCalled(object, key)
  if (!field && key !== 'id' && !(key === fullName && hasFullName(object)))
    return object.byKey.get(key)?.is_read_only
      ? `The field ${key} is read-only. Map this column to null.`
      : unknownField(object, key, writableFields(object))
  if (isTwice && !field?.is_multi) return `Several columns are mapped to ${key}, which holds one value.`
  return undefined
}

/** A field that an import can write. */
export const fieldCalled = (object: ObjectSchema, key: string) =>
  writableFields(object).find((field) => field.key === key)
