// What a column of an imported file can go into besides a field: a part of one, such as the currency of an amount.

type FieldLike = { key: string; label: string; type: string; to_objects?: string[] | null | undefined }
type ObjectLike = { key: string; label: string }
export type ImportPart = { key: string; label: string }

/**
 * Written as `field.part`: the currency of an amount, the time of a date in another column, or a relation that a column
 * fills with records of one object.
 */
export function importParts({ key, label, type, to_objects }: FieldLike, objects: ObjectLike[]): ImportPart[] {
  if (type === 'money') return [{ key: `${key}.currency`, label: `${label}: currency` }]
  if (type === 'datetime') return [{ key: `${key}.time`, label: `${label}: time` }]
  if (type !== 'relation' || to_objects?.length === 1) return []
  return objects
    .filter((object) => !to_objects?.length || to_objects.includes(object.key))
    .map((object) => ({ key: `${key}.${object.key}`, label: `${label}: ${object.label}` }))
}

/** What every record has. Only an import by an Admin can set it. */
export const originFields: ImportPart[] = [
  { key: 'created_at', label: 'Created' },
  { key: 'created_by', label: 'Created by' },
]

/** What an object has of it. `completed`: of tasks, the field that says when they were completed. */
export const originFieldsOf = (completed: ImportPart | undefined): ImportPart[] =>
  completed ? [...originFields, { key: completed.key, label: completed.label }] : originFields

/** Whether to leave out the row: of records that were deleted in the old system, for example. */
export const skipRowField: ImportPart = { key: 'skip_row', label: 'Leave out the row (yes or no)' }
