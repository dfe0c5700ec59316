import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { fieldTypes, multiTypes, uniqueTypes } from '../../../contract/field-types.ts'
import { fold } from '../../../contract/filter/index.ts'
import type { objects } from '../../../contract/objects.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { isInherited } from '../../../contract/own.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import { isVisible, rightsFor, targetsFor } from '../rights/rights.ts'
import { backwardsTo } from '../rights/scope.ts'
import {
  type Field,
  holdSchema,
  type ObjectSchema,
  type Option,
  readSchema,
  type Schema,
  schemaOf,
} from '../schema/schema.ts'
import { reservedKeys, systemFields } from '../schema/system-fields.ts'
import { readValues } from '../values/read-values.ts'
import { freeSlot } from './seed.ts'

const mostObjects = 100
const mostFields = 300

export const objectOperations: Handlers<typeof objects> = {
  async describeSchema(context, { objects: wanted, archived = false }) {
    const actor = actorOf(context)
    const schema = await schemaOf(context.db, actor)
    const list = [...schema.objects.values()].filter(
      (object) => (archived || !object.archived_at) && rightsFor(actor, object.key).read !== 'none',
    )
    for (const [i, key] of (wanted ?? []).entries()) {
      if (list.some((object) => object.key === key)) continue
      throw misfit(
        `objects.${i}`,
        `There is no object ${key}. There are: ${list.map((object) => object.key).join(', ')}`,
      )
    }
    const chosen = wanted ? list.filter((object) => wanted.includes(object.key)) : list
    return {
      objects: chosen.map((object) => shownObject(context, schema, object, archived)),
      system_fields: systemFields.map(({ key, label, type }) => ({ key, label, type })),
    }
  },

  async createObject(context, { key, label, label_plural }) {
    const { company_id } = actorOf(context)
    const schema = await hold(context)
    if (schema.objects.has(key)) throw misfit('key', 'There is an object with this key already', 'conflict')
    if (schema.objects.size >= mostObjects)
      throw new AppError('conflict', `There are ${mostObjects} objects, which is the most.`)
    const id = randomUUIDv7()
    await context.db
      .insertInto('objects')
      .values({ company_id, id, key, label, label_plural, position: schema.objects.size })
      .execute()
    await insertField(context, {
      id: randomUUIDv7(),
      object_id: id,
      key: 'name',
      label: 'Name',
      type: 'text',
      is_required: true,
      position: 0,
    })
    return changed(context, key, { object: key })
  },

  async updateObject(context, { object: key, is_archived, position, ...labels }) {
    const schema = await hold(context)
    const object = objectCalled(schema.objects.get(key), key)
    const values = { ...labels, ...(is_archived !== undefined && { archived_at: is_archived ? context.now : null }) }
    if (Object.keys(values).length) await update(context, 'objects', object.id, values)
    if (position !== undefined) await move(context, 'objects', [...schema.objects.values()], object.id, position)
    return changed(context, key, { object: key, ...labels, is_archived, position })
  },

  async createField(context, input) {
    const schema = await hold(context)
    const object = objectCalled(schema.objects.get(input.object), input.object)
    const all = [...object.fields, ...object.archivedFields]
    if (reservedKeys.has(input.key)) throw misfit('key', 'Every record has this already. Choose another key')
    if (all.some((field) => field.key === input.key))
      throw misfit('key', 'There is a field with this key already', 'conflict')
    if (all.length >= mostFields) throw new AppError('conflict', `There are ${mostFields} fields, which is the most.`)
    refuseOddities(input)
    for (const [i, to] of (input.to_objects ?? []).entries())
      if (!schema.objects.has(to)) throw misfit(`to_objects.${i}`, `There is no object ${to}`)
    const slot = freeSlot(input.type, input.is_multi, new Set(all.flatMap((field) => field.slot ?? [])))
    const { object: _, options, default_value = null, ...field } = input
    const made = {
      ...field,
      id: randomUUIDv7(),
      object_id: object.id,
      default_value,
      options: options ? withKeys(options, []) : isChoice(input.type) ? [] : null,
      slot,
      position: all.length,
    }
    refuseDefault(schema, object, made, default_value)
    await insertField(context, made)
    await changed(context, object.key, { object: object.key, field: input.key })
    return shownField(
      (await readSchema(context.db, actorOf(context).company_id)).objects.get(object.key)!.byKey.get(input.key)!,
    )
  },

  async updateField(context, { object: key, field: name, options, is_archived, position, ...plain }) {
    const schema = await hold(context)
    const object = objectCalled(schema.objects.get(key), key)
    const all = [...object.fields, ...object.archivedFields]
    const field = all.find((one) => one.key === name)
    if (!field)
      throw new AppError(
        'not_found',
        `There is no field ${name} of ${key}. There are: ${all.map((one) => one.key).join(', ')}`,
      )
    if (plain.is_unique && !field.is_unique) throw misfit('is_unique', 'A field is made unique when it is created')
    if (is_archived && field.is_built_in && field.is_required)
      throw misfit('is_archived', 'This field is needed', 'conflict')
    const { default_value, ...rest } = plain
    const chosen = options && (await changeOptions(context, object, field, options))
    const wanted = default_value === undefined ? field.default_value : default_value
    refuseDefault(schema, object, chosen ? { ...field, options: chosen } : field, wanted)
    const values = {
      ...rest,
      ...(default_value !== undefined && { default_value: JSON.stringify(default_value) }),
      ...(is_archived !== undefined && { archived_at: is_archived ? context.now : null }),
      ...(chosen && { options: JSON.stringify(chosen) }),
    }
    if (Object.keys(values).length) await update(context, 'fields', field.id, values)
    if (plain.is_unique === false) await freeValues(context, field)
    if (is_archived !== undefined && is_archived !== (field.archived_at !== null))
      context.emit('object.reindexed', { object: key })
    if (position !== undefined) await move(context, 'fields', object.fields, field.id, position)
    await changed(context, key, { object: key, field: name, ...rest, is_archived, position })
    const now = (await readSchema(context.db, actorOf(context).company_id)).objects.get(key)!
    return shownField([...now.fields, ...now.archivedFields].find((one) => one.key === name)!)
  },
}

const misfit = (path: string, message: string, code: 'invalid_input' | 'conflict' = 'invalid_input') =>
  new AppError(code, `${message}.`, { errors: [{ path, message }] })

/** One change of the schema after the other; what it is now, not what was read for the actor. */
async function hold(context: Context) {
  const { company_id } = actorOf(context)
  await holdSchema(context.db, company_id)
  return readSchema(context.db, company_id)
}

function objectCalled(object: ObjectSchema | undefined, key: string) {
  if (!object) throw new AppError('not_found', `There is no object ${key}. Call describe_schema to see them.`)
  return object
}

/** Everybody works with the new schema from their next call on. */
async function changed(context: Context, key: string, data: Record<string, unknown>) {
  const { company_id } = actorOf(context)
  await sql`update companies set schema_version = schema_version + 1 where id = ${company_id}`.execute(context.db)
  context.emit('schema.updated', {})
  context.audit('schema.updated', { data })
  const schema = await readSchema(context.db, company_id)
  return shownObject(context, schema, schema.objects.get(key)!, false)
}

const isChoice = (type: string) => type === 'select' || type === 'multi_select'

function refuseOddities({ type, is_multi, is_unique, options, to_objects }: Parsed<typeof objects.createField>) {
  if (!fieldTypes.includes(type)) throw misfit('type', 'Use one of the types')
  if (is_multi && !multiTypes.includes(type))
    throw misfit('is_multi', `Only ${multiTypes.join(', ')} hold several values`)
  if (is_unique && !uniqueTypes.includes(type))
    throw misfit('is_unique', `Only ${uniqueTypes.join(', ')} can be unique`)
  if (options && !isChoice(type)) throw misfit('options', 'Only select and multi_select have options')
  if (to_objects && type !== 'relation') throw misfit('to_objects', 'Only a relation leads to objects')
}

/** Every new record would be refused for a default that does not fit. */
function refuseDefault(schema: Schema, object: ObjectSchema, field: NewField, value: unknown) {
  if (value === null || value === undefined) return
  const alone = { ...object, byKey: new Map([[field.key, field as Field]]) }
  const [fault] = readValues(schema, alone, { [field.key]: value }, '').faults
  if (fault) throw misfit('default_value', `The default does not fit. ${fault.message}`)
}

type GivenOption = NonNullable<Parsed<typeof objects.createField>['options']>[number]

function withKeys(given: GivenOption[], known: Option[]): Option[] {
  const taken = new Set<string>()
  return given.map(({ key, label, color, kind }, i) => {
    const made = key ?? known.find((one) => one.label === label)?.key ?? keyFrom(label, i)
    if (isInherited(made) && !known.some((one) => one.key === made))
      throw misfit(`options.${i}.key`, `The key ${made} is reserved. Choose another key`)
    if (taken.has(made)) throw misfit(`options.${i}.key`, `The key ${made} is there twice`)
    taken.add(made)
    return { key: made, label, ...(color && { color }), ...(kind && { kind }) }
  })
}

function keyFrom(label: string, i: number) {
  const made = fold(label)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^(\d)/, 'o$1')
    .slice(0, 60)
  if (isInherited(made)) return `${made}_option`
  return made || `option_${i + 1}`
}

/** An option that records have cannot go: it would leave values that mean nothing. */
async function changeOptions(context: Context, object: ObjectSchema, field: Field, given: GivenOption[]) {
  if (!isChoice(field.type)) throw misfit('options', 'Only select and multi_select have options')
  const options = withKeys(given, field.options ?? [])
  const gone = (field.options ?? []).filter(({ key }) => !options.some((one) => one.key === key))
  for (const { key, label } of gone) {
    const shape = JSON.stringify({ [field.key]: field.type === 'multi_select' ? [key] : key })
    const has = field.slot ? sql`${sql.ref(field.slot)} = ${key}` : sql`match @> ${shape}::jsonb`
    const { rows } =
      await sql`select 1 from records where company_id = ${actorOf(context).company_id} and object_id = ${object.id} and ${has} limit 1`.execute(
        context.db,
      )
    if (rows.length)
      throw misfit('options', `There are records with the option ${label}. Change them first`, 'conflict')
  }
  return options
}

type NewField = Partial<Omit<Field, 'type'>> & Pick<Field, 'id' | 'object_id' | 'key' | 'label' | 'type' | 'position'>

async function insertField(context: Context, field: NewField) {
  const row = {
    description: '',
    is_multi: false,
    is_required: false,
    is_unique: false,
    is_read_only: false,
    is_built_in: false,
    options: null,
    to_objects: field.type === 'relation' ? [] : null,
    ...field,
    company_id: actorOf(context).company_id,
  }
  await sql`insert into fields select * from jsonb_populate_record(null::fields, ${JSON.stringify(row)}::jsonb)`.execute(
    context.db,
  )
}

async function freeValues(context: Context, field: Field) {
  await sql`delete from unique_values where company_id = ${actorOf(context).company_id} and field_id = ${field.id}`.execute(
    context.db,
  )
}

async function update(context: Context, table: 'objects' | 'fields', id: string, values: object) {
  await context.db
    .updateTable(table)
    .set(values)
    .where('company_id', '=', actorOf(context).company_id)
    .where('id', '=', id)
    .execute()
}

async function move(
  context: Context,
  table: 'objects' | 'fields',
  all: { id: string }[],
  id: string,
  position: number,
) {
  const order = all.map((one) => one.id).filter((one) => one !== id)
  order.splice(position, 0, id)
  await sql`update ${sql.raw(table)} t set position = x.place - 1 from unnest(${order}::uuid[]) with ordinality x(id, place)
    where t.company_id = ${actorOf(context).company_id} and t.id = x.id`.execute(context.db)
}

function shownObject(
  context: Context,
  schema: Schema,
  object: ObjectSchema,
  archived: boolean,
): Output<typeof objects.createObject> {
  const { key, label, label_plural, is_built_in } = object
  const actor = actorOf(context)
  const all = archived ? [...object.fields, ...object.archivedFields] : object.fields
  const fields = all.filter((field) => isVisible(actor, field))
  const rights = rightsFor(actor, key)
  return {
    key,
    label,
    label_plural,
    is_built_in,
    is_archived: object.archived_at !== null,
    rights,
    fields: fields.map((field) => ({ ...shownField(field), to_objects: targetsFor(actor, field) })),
    related: backwardsTo(schema, actor, key),
  }
}

const shownField = (field: Field): Output<typeof objects.createField> => ({
  key: field.key,
  label: field.label,
  description: field.description,
  type: field.type,
  is_multi: field.is_multi,
  is_required: field.is_required,
  is_unique: field.is_unique,
  is_read_only: field.is_read_only,
  is_built_in: field.is_built_in,
  is_archived: field.archived_at !== null,
  options: field.options as never,
  to_objects: field.to_objects,
  default_value: field.default_value ?? null,
})
