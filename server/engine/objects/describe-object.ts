// Objects and fields in the form that the API returns.
import type { objects } from '../../../contract/objects.ts'
import type { Output } from '../../../contract/operation.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { isVisible, rightsFor, targetsFor } from '../rights/rights.ts'
import { backwardsTo } from '../rights/scope.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'

export function describeObject(
  context: Context,
  schema: Schema,
  object: ObjectSchema,
  archived: boolean,
): Output<typeof objects.createObject> {
  const { key, label, label_plural, icon, color, is_built_in } = object
  const actor = actorOf(context)
  const all = archived ? [...object.fields, ...object.archivedFields] : object.fields
  const fields = all.filter((field) => isVisible(actor, field))
  const rights = rightsFor(actor, key)
  return {
    key,
    label,
    label_plural,
    icon,
    color,
    is_built_in,
    ...builtInKeyOf(object),
    is_archived: object.archived_at !== null,
    rights,
    fields: fields.map((field) => ({ ...describeField(field), to_objects: targetsFor(actor, field) })),
    related: backwardsTo(schema, actor, key),
  }
}

export const describeField = (field: Field): Output<typeof objects.createField> => ({
  key: field.key,
  label: field.label,
  description: field.description,
  type: field.type,
  is_multi: field.is_multi,
  is_required: field.is_required,
  is_unique: field.is_unique,
  is_read_only: field.is_read_only,
  is_built_in: field.is_built_in,
  ...builtInKeyOf(field),
  is_archived: field.archived_at !== null,
  options: field.options as never,
  to_objects: field.to_objects,
  default_value: field.default_value ?? null,
  group: field.group,
})

const builtInKeyOf = ({ key, built_in_key }: Pick<Field, 'key' | 'built_in_key'>) =>
  built_in_key === null || built_in_key === key ? {} : { built_in_key }
