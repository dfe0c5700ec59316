// The columns of an export: which fields, what they are called, and their cells.

import { escapeFormula } from '../../../contract/shared/formula.ts'
import { actorOf } from '../../kernel/context.ts'
import { type CellField, cellOf, type Decimal, type NameOf } from '../cells/write-cell.ts'
import { titleHeader } from '../csv/mapping.ts'
import { type FieldSelection, readFields } from '../read/fields.ts'
import { seenBy } from '../rights/rights.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import { systemByKey, systemFields } from '../schema/system-fields.ts'
import type { Target } from '../schema/target.ts'
import type { Shown } from '../values/from-row.ts'

export type Column = {
  header: string
  path: string
  field: CellField & { key: string }
  inner: (CellField & { key: string }) | undefined
}
export type Columns = { all: Column[]; wanted: FieldSelection; seen: ObjectSchema }

/** Without `fields`: everything, with the id first, so that the file can be imported again to update the records. */
export function columnsOf(target: Target, fields: string[] | undefined, headers: 'labels' | 'keys'): Columns {
  const { context, schema, object } = target
  const actor = actorOf(context)
  const seen = seenBy(actor, object)
  const keys = [...new Set((fields ?? ['*']).flatMap((key) => (key === '*' ? defaultKeys(seen) : key)))]
  const wanted = readFields(schema, actor, seen, withTitles(keys))
  const all = keys.map((path): Column => {
    const [key, innerKey] = path.split('.') as [string, string?]
    const field = fieldIn(seen, key)
    const related = wanted.related.find((one) => one.field.key === key)
    const inner = innerKey !== undefined && related ? fieldIn(related.target, innerKey) : undefined
    const ownLabel = key === 'title' && !seen.byKey.has(key) ? titleHeader(seen) : field.label
    const label = inner ? `${field.label}: ${inner.label}` : ownLabel
    return { header: headers === 'keys' ? path : label, path, field, inner }
  })
  return { all, wanted, seen }
}

const defaultKeys = (object: ObjectSchema) => [
  'id',
  ...object.fields.map(({ key }) => key),
  ...systemFields.map(({ key }) => key).filter((key) => key !== 'id' && key !== 'title' && !object.byKey.has(key)),
]

/** A relation that is asked for itself and for a field of the other record needs the title of that record too. */
const withTitles = (keys: string[]) => [
  ...keys,
  ...keys.flatMap((key) => (keys.some((path) => path.startsWith(`${key}.`)) ? [`${key}.title`] : [])),
]

function fieldIn(object: ObjectSchema, key: string): CellField & { key: string; label: string } {
  const field = object.byKey.get(key)
  if (field) return field
  const { label, type } = systemByKey.get(key) ?? { label: 'Version', type: 'number' as const }
  return { key, label, type, options: null, to_objects: null }
}

export const plainHeaders = ({ all }: Columns) => all.map(({ header }) => header)
export const headerRow = (columns: Columns) => plainHeaders(columns).map(escapeFormula)

export const rowsOf = ({ all }: Columns, records: Shown[], nameOf: NameOf, decimal: Decimal) =>
  records.map((record) =>
    all.map(({ field, inner }) => {
      const value = record[field.key]
      if (!inner) return cellOf(field, value, nameOf, decimal)
      return cellOf(inner, (value as Shown | null)?.[inner.key], nameOf, decimal)
    }),
  )

/** The users and relations whose names are needed. */
export const namedFields = ({ all, seen }: Columns): Pick<Field, 'key' | 'type' | 'to_objects'>[] =>
  all.flatMap(({ field, inner }) =>
    !inner && (field.type === 'user' || field.type === 'relation') ? [seen.byKey.get(field.key) ?? field] : [],
  )
