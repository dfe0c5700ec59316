import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { alwaysMulti, fieldTypes, multiTypes, uniqueTypes } from '../../../contract/built-in/field-types.ts'
import type { objects } from '../../../contract/objects.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { refuseMore } from '../../kernel/limits.ts'
import { type Field, type ObjectSchema, readSchema, type Schema } from '../schema/schema.ts'
import { reservedKeys } from '../schema/system-fields.ts'
import { readValues } from '../values/read-values.ts'
import { describeField } from './describe-object.ts'
import { changeOptions, isChoice, withKeys } from './options.ts'
import {
  announce,
  fieldCalled,
  insertField,
  lockSchema,
  move,
  type NewField,
  requireObject,
  update,
} from './schema-changes.ts'
import { freeSlot } from './slots.ts'

const mostFields = 300

export async function createField(
  context: Context,
  input: Parsed<typeof objects.createField>,
): Promise<Output<typeof objects.createField>> {
  const schema = await lockSchema(context)
  const object = requireObject(schema.objects.get(input.object), input.object)
  const all = [...object.fields, ...object.archivedFields]
  if (reservedKeys.has(input.key)) throw refused('key', 'Every record already has this field. Choose another key')
  if (all.some((field) => field.key === input.key))
    throw refused('key', 'A field with this key already exists', 'conflict')
  refuseMore(all.length, mostFields, 'fields per object', null)
  refuseInvalidField(input)
  for (const [i, to] of (input.to_objects ?? []).entries())
    if (!schema.objects.has(to)) throw refused(`to_objects.${i}`, `There is no object ${to}`)
  const is_multi = input.is_multi || alwaysMulti.includes(input.type)
  const slot = freeSlot(input.type, is_multi, new Set(all.flatMap((field) => field.slot ?? [])))
  const { object: _, options, default_value = null, group, ...field } = input
  const created = {
    ...field,
    is_multi,
    id: randomUUIDv7(),
    object_id: object.id,
    default_value,
    options: options ? withKeys(options, []) : isChoice(input.type) ? [] : null,
    slot,
    position: all.length,
    ...(group && { group_label: group }),
  }
  refuseDefault(schema, object, created, default_value)
  await insertField(context, created)
  await announce(context, object.key, { object: object.key, field: input.key })
  return describeField(
    (await readSchema(context.db, actorOf(context).company_id)).objects.get(object.key)!.byKey.get(input.key)!,
  )
}

export async function updateField(
  context: Context,
  {
    object: key,
    field: name,
    options,
    add_options,
    is_archived,
    position,
    ...plain
  }: Parsed<typeof objects.updateField>,
): Promise<Output<typeof objects.updateField>> {
  const schema = await lockSchema(context)
  const object = requireObject(schema.objects.get(key), key)
  const field = fieldCalled(object, name)
  if (plain.is_unique && !field.is_unique)
    throw refused('is_unique', 'A field can only be made unique when it is created')
  if (is_archived && field.is_built_in && field.is_required)
    throw refused('is_archived', 'This field is required and cannot be archived', 'conflict')
  const { default_value, group, ...rest } = plain
  const given = add_options ? [...(options ?? field.options ?? []), ...add_options] : options
  const chosen = given && (await changeOptions(context, object, field, given))
  const wanted = default_value === undefined ? field.default_value : default_value
  refuseDefault(schema, object, chosen ? { ...field, options: chosen } : field, wanted)
  const values = {
    ...rest,
    ...(default_value !== undefined && { default_value: JSON.stringify(default_value) }),
    ...(is_archived !== undefined && { archived_at: is_archived ? context.now : null }),
    ...(group !== undefined && { group_label: group }),
    ...(chosen && { options: JSON.stringify(chosen) }),
  }
  if (Object.keys(values).length) await update(context, 'fields', field.id, values)
  if (plain.is_unique === false) await freeValues(context, field)
  if (is_archived !== undefined && is_archived !== (field.archived_at !== null))
    context.emit('object.reindexed', { object: key })
  if (position !== undefined) await move(context, 'fields', object.fields, field.id, position)
  await announce(context, key, { object: key, field: name, ...rest, group, is_archived, position })
  const now = (await readSchema(context.db, actorOf(context).company_id)).objects.get(key)!
  return describeField([...now.fields, ...now.archivedFields].find((field) => field.key === name)!)
}

function refuseInvalidField({ type, is_multi, is_unique, options, to_objects }: Parsed<typeof objects.createField>) {
  if (!fieldTypes.includes(type)) throw refused('type', `Use one of: ${fieldTypes.join(', ')}`)
  if (is_multi && !multiTypes.includes(type))
    throw refused('is_multi', `Only fields of type ${multiTypes.join(', ')} can hold several values`)
  if (is_unique && !uniqueTypes.includes(type))
    throw refused('is_unique', `Only fields of type ${uniqueTypes.join(', ')} can be unique`)
  if (options && !isChoice(type)) throw refused('options', 'Only fields of type select and multi_select have options')
  if (to_objects && type !== 'relation') throw refused('to_objects', 'Only fields of type relation link to objects')
}

/** With an invalid default, every new record would be refused. */
function refuseDefault(schema: Schema, object: ObjectSchema, field: NewField, value: unknown) {
  if (value === null || value === undefined) return
  if (field.type === 'file') throw refused('default_value', 'Fields of type file have no default')
  const onlyField = { ...object, byKey: new Map([[field.key, field as Field]]) }
  const [error] = readValues(schema, onlyField, { [field.key]: value }, '').faults
  if (error) throw refused('default_value', `The default value is invalid. ${error.message}`)
}

async function freeValues(context: Context, field: Field) {
  const { company_id } = actorOf(context)
  for (const table of ['unique_values', 'duplicate_values'])
    await sql`delete from ${sql.table(table)} where company_id = ${company_id} and field_id = ${field.id}`.execute(
      context.db,
    )
}
