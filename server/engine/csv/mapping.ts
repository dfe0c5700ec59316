// Which column of a file becomes which field.
import type { ifMissing } from '../../../contract/csv.ts'
import { didYouMean, fold, nearestNames } from '../../../contract/filter/index.ts'
import { importParts, originFields, skipRowField } from '../../../contract/shared/import-targets.ts'
import { own } from '../../../contract/shared/own.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import { isOpenChoice } from '../objects/options.ts'
import { builtInInUse, type Field, type ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { unknownField } from '../schema/unknown-field.ts'
import { ownerField } from '../values/read-values.ts'

export type IfMissing = (typeof ifMissing)[number]
/**
 * A column that is imported. `key`: of the field; or `id`, `title` for the full name of a person, or one of originFieldsOf.
 * `part`: what it is of the field (see importParts).
 */
export type Mapped = { index: number; key: string; part?: string; if_missing: IfMissing }

/** As a mapping names it. */
export const targetOf = ({ key, part }: Pick<Mapped, 'key' | 'part'>) => (part === undefined ? key : `${key}.${part}`)
export type GivenMapping = Record<string, string | null | { field: string; if_missing?: IfMissing | undefined }>

/** The full name of a person, which becomes a first and a last name. */
export const fullName = 'title'
export const hasFullName = (object: ObjectSchema) =>
  Boolean(builtInInUse(object, 'first_name') && builtInInUse(object, 'last_name'))

/** The field that a column of titles fills: the one that is the title by itself, or the full name. */
export const titleTarget = (object: ObjectSchema) =>
  ['title', 'name'].map((name) => builtInInUse(object, name) ?? object.byKey.get(name)).find(Boolean)?.key ??
  (hasFullName(object) ? fullName : undefined)

/** The fields that make the title of a record. */
export const titleKeys = (object: ObjectSchema) =>
  ['title', 'name', 'first_name', 'last_name'].flatMap(
    (name) => builtInInUse(object, name)?.key ?? object.byKey.get(name)?.key ?? [],
  )

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
  ...object.fields.filter(({ is_read_only, type }) => !is_read_only && type !== 'file'),
  { ...ownerField, label: 'Owner', built_in_key: 'owner', options: null, to_objects: null },
]

/** Files of other programs have lost reasons and sources of their own. */
function usual(object: ObjectSchema, key: string, byDefault: IfMissing): IfMissing {
  const field = object.byKey.get(key)
  // A row does not fail because someone has left who once created its record.
  if (key === createdBy.key) return 'leave_empty'
  return byDefault === 'fail' && field && isOpenChoice(object, field) ? 'create' : byDefault
}

function fieldAndPart(target: string): Pick<Mapped, 'key' | 'part'> {
  const [key, part] = target.split('.', 2) as [string, string?]
  return part === undefined ? { key } : { key, part }
}

export function readMapping(target: Target, columns: string[], given: GivenMapping, byDefault: IfMissing): Mapped[] {
  const { object } = target
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
    const wanted = own(given, column)
    if (wanted === undefined || wanted === null || isIgnored(column)) return []
    const { field, if_missing } = typeof wanted === 'string' ? { field: wanted } : wanted
    const named = fieldAndPart(field)
    return [{ index, ...named, if_missing: if_missing ?? usual(object, named.key, byDefault) }]
  })
  for (const one of mapped) {
    const message = faultOf(target, targetOf(one)) ?? togetherFault(target, mapped, one)
    if (message) errors.push({ path: `mapping.${columns[one.index]}`, message })
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

/** Why a column cannot go there, whatever the others do. */
export function faultOf({ context, schema, object }: Target, target: string): string | undefined {
  const one = fieldAndPart(target)
  const { key, part } = one
  const field = fieldCalled(object, key)
  if (part !== undefined) {
    const parts = field ? importParts(field, [...schema.objects.values()]) : []
    if (parts.some((known) => known.key === target)) return undefined
    return `There is no ${target.slice(0, 127)}.${didYouMean(nearestNames(target, parts))}`
  }
  if (field || key === 'id' || isStatus(object, one) || (key === fullName && hasFullName(object))) return undefined
  if (key === skipRowField.key) return undefined
  if (isOrigin(one) || isCompletion(object, one))
    return actorOf(context).is_admin ? undefined : `Only an Admin can import ${key}.`
  return object.byKey.get(key)?.is_read_only
    ? `The field ${key} is read-only. Map this column to null.`
    : unknownField(object, key, writableFields(object))
}

function togetherFault({ object }: Target, mapped: Mapped[], { index, key, part }: Mapped): string | undefined {
  const others = mapped.filter((other) => other.key === key && other.index !== index)
  if (key === 'id' && others.length) return 'Several columns are mapped to id.'
  const type = part === undefined ? undefined : fieldCalled(object, key)?.type
  if ((type !== 'money' && type !== 'datetime') || others.some((other) => other.part === undefined)) return undefined
  return `Map the ${type === 'money' ? 'amounts' : 'dates'} to ${key} as well.`
}

/** Whether the row is left out. */
export const isSkipRow = ({ key }: Pick<Mapped, 'key'>, object: ObjectSchema) =>
  key === skipRowField.key && !object.byKey.has(key)

export const createdBy = { ...ownerField, key: 'created_by', label: 'Created by' } as Field

/** When and by whom a record was created in the system that it comes from. */
export const isOrigin = ({ key }: Pick<Mapped, 'key'>) => originFields.some((origin) => origin.key === key)

/** Whether a deal is won or lost follows from its stage: a column that says so chooses the stage. */
export const isStatus = (object: ObjectSchema, { key, part }: Pick<Mapped, 'key' | 'part'>) =>
  part === undefined && object.built_in_key === 'deals' && builtInInUse(object, 'status')?.key === key

/** When a task was completed. Otherwise the time of a task follows from its status. */
export const completedField = (object: ObjectSchema) =>
  object.built_in_key === 'tasks' ? builtInInUse(object, 'completed_at') : undefined

export const isCompletion = (object: ObjectSchema, { key, part }: Pick<Mapped, 'key' | 'part'>) =>
  part === undefined && completedField(object)?.key === key

/** A field that an import can write. */
export const fieldCalled = (object: ObjectSchema, key: string) =>
  writableFields(object).find((field) => field.key === key)
