// Writes changes to objects and fields, one at a time per company.

import { sql } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { insertingJson, Params, run } from '../../kernel/statement.ts'
import { type Field, holdSchema, type ObjectSchema, readSchema } from '../schema/schema.ts'
import { describeObject } from './describe-object.ts'

/** Waits for other changes to the schema, then reads it from the database instead of the actor's cached version. */
export async function lockSchema(context: Context) {
  const { company_id } = actorOf(context)
  await holdSchema(context.db, company_id)
  return readSchema(context.db, company_id)
}

export function requireObject(object: ObjectSchema | undefined, key: string) {
  if (!object) throw new AppError('not_found', `There is no object ${key}. Call describe_schema to see them.`)
  return object
}

export function fieldCalled(object: ObjectSchema, name: string) {
  const all = [...object.fields, ...object.archivedFields]
  const field = all.find((one) => one.key === name)
  if (field) return field
  const keys = all.map((one) => one.key).join(', ')
  throw new AppError('not_found', `There is no field ${name} on ${object.key}. Use one of: ${keys}`)
}

/** Everyone works with the new schema from their next call on. Returns it. */
export async function announceSchema(context: Context, data: Record<string, unknown>) {
  const { company_id } = actorOf(context)
  await sql`update companies set schema_version = schema_version + 1 where id = ${company_id}`.execute(context.db)
  context.emit('schema.updated', {})
  context.audit('schema.updated', { data })
  return readSchema(context.db, company_id)
}

export async function announce(context: Context, key: string, data: Record<string, unknown>) {
  const schema = await announceSchema(context, data)
  return describeObject(context, schema, schema.objects.get(key)!, false)
}

export type NewField = Partial<Omit<Field, 'type' | 'group'>> &
  Pick<Field, 'id' | 'object_id' | 'key' | 'label' | 'type' | 'position'> & { group_label?: string }

export async function insertField(context: Context, field: NewField) {
  const row = {
    description: '',
    is_multi: false,
    is_required: false,
    is_unique: false,
    is_read_only: false,
    is_built_in: false,
    built_in_key: null,
    options: null,
    to_objects: field.type === 'relation' ? [] : null,
    ...field,
    company_id: actorOf(context).company_id,
  }
  const params = new Params()
  await run(context.db, insertingJson('fields', [row])(params), params)
}

type Table = 'objects' | 'fields' | 'pipelines' | 'stages'

export async function update(context: Context, table: Table, id: string, values: object) {
  await context.db
    .updateTable(table)
    .set(values)
    .where('company_id', '=', actorOf(context).company_id)
    .where('id', '=', id)
    .execute()
}

export async function move(context: Context, table: Table, all: { id: string }[], id: string, position: number) {
  const order = all.map((item) => item.id).filter((itemId) => itemId !== id)
  order.splice(position, 0, id)
  await sql`update ${sql.raw(table)} t set position = x.place - 1 from unnest(${order}::uuid[]) with ordinality x(id, place)
    where t.company_id = ${actorOf(context).company_id} and t.id = x.id`.execute(context.db)
}
