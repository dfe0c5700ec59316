// What Kith says about a company's objects and fields, and what n8n shows of it.

export type FieldOption = { key: string; label: string; pipeline?: string; is_archived?: boolean }
export type Field = {
  key: string
  label: string
  type: string
  is_multi: boolean
  is_required: boolean
  is_unique: boolean
  is_read_only: boolean
  options: FieldOption[] | null
  default_value?: unknown
}
export type RecordObject = { key: string; label: string; label_plural: string; fields: Field[] }
export type Schema = { objects: RecordObject[]; system_fields: { key: string; label: string; type: string }[] }

/** Every record has an owner, who can be set like any other field. */
export const ownerField: Field = {
  key: 'owner',
  label: 'Owner',
  type: 'user',
  is_multi: false,
  is_required: false,
  is_unique: false,
  is_read_only: false,
  options: null,
}

export const writableFields = ({ fields }: RecordObject) => [
  ...fields.filter((field) => !field.is_read_only),
  ownerField,
]

/** Fields of the object and of every record, by which records can be sorted, grouped and shown. */
export const readableFields = (schema: Schema, object: RecordObject) => [
  ...object.fields.map(({ key, label, type }) => ({ key, label, type })),
  ...schema.system_fields.filter(({ key }) => !object.fields.some((field) => field.key === key)),
]

export type MapperPurpose = 'create' | 'update' | 'upsert'
export type MapperField = {
  id: string
  displayName: string
  type: 'string' | 'number' | 'boolean' | 'dateTime' | 'options'
  required: boolean
  display: true
  defaultMatch: boolean
  canBeUsedToMatch: boolean
  options?: { name: string; value: string }[]
}

/** The fields of an object as n8n's form for mapping columns wants them. */
export function mapperFields(object: RecordObject, purpose: MapperPurpose): MapperField[] {
  const fields = writableFields(object)
  const match = fields.find(({ is_unique }) => is_unique)
  return fields.map((field) => ({
    id: field.key,
    displayName: field.label,
    type: mapperType(field),
    required: purpose === 'create' && field.is_required && (field.default_value ?? null) === null,
    display: true,
    defaultMatch: purpose === 'upsert' && field === match,
    canBeUsedToMatch: field.is_unique,
    ...(mapperType(field) === 'options' && { options: optionsOf(field) }),
  }))
}

/** Lists, money, users and relations stay text: n8n has no input for them, and Kith reads them in several forms. */
function mapperType({ type, is_multi }: Field): MapperField['type'] {
  if (is_multi) return 'string'
  if (type === 'number' || type === 'boolean') return type
  if (type === 'date' || type === 'datetime') return 'dateTime'
  return type === 'select' ? 'options' : 'string'
}

/** Stages are named with their pipeline if there are several. */
function optionsOf({ options }: Field) {
  const open = (options ?? []).filter(({ is_archived }) => !is_archived)
  const hasSeveral = new Set(open.map(({ pipeline }) => pipeline)).size > 1
  return open.map(({ key, label, pipeline }) => ({ name: hasSeveral ? `${label} (${pipeline})` : label, value: key }))
}
