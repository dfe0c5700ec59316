// Who may see and change which records: one rule for every path, through relations too.
import { everything, type ObjectRights, type Reach, rightsOn } from '../../../contract/access.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Params } from '../../kernel/statement.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'

export const rightsFor = (actor: Actor, object: string): ObjectRights =>
  actor.is_admin ? everything : rightsOn(actor.records, object)

/** Own means: owner is me, or assignee for tasks, or creator for notes and activities. */
export function isOwn(
  actor: Actor,
  object: ObjectSchema,
  record: { owner_id: string | null; created_by: string | null; values: Record<string, unknown> },
) {
  if (record.owner_id === actor.user_id) return true
  if (object.key === 'tasks') return object.byKey.has('assignee') && record.values.assignee === actor.user_id
  return createdIsOwn.has(object.key) && record.created_by === actor.user_id
}
const createdIsOwn = new Set(['notes', 'activities'])

/** The same as SQL, about the row called `alias`. */
function ownSql(actor: Actor, object: ObjectSchema, alias: string, params: Params) {
  const me = params.add(actor.user_id, 'uuid')
  const assignee = object.key === 'tasks' ? object.byKey.get('assignee')?.slot : undefined
  if (assignee) return `(${alias}.owner_id = ${me} or ${alias}.${assignee} = ${me}::text)`
  if (createdIsOwn.has(object.key)) return `(${alias}.owner_id = ${me} or ${alias}.created_by = ${me})`
  return `${alias}.owner_id = ${me}`
}

/** What limits the rows of this object to those the actor may read; empty where nothing does. */
export function readable(actor: Actor, object: ObjectSchema, alias: string, params: Params) {
  const { read } = rightsFor(actor, object.key)
  if (read === 'all') return ''
  return read === 'own' ? ownSql(actor, object, alias, params) : 'false'
}

/** What a relation leads to, as far as it exists for this actor; an empty list means any object. */
export const targetsFor = (actor: Actor, { to_objects }: Pick<Field, 'to_objects'>) =>
  to_objects?.filter((key) => rightsFor(actor, key).read !== 'none') ?? null

/** A relation that leads only to objects that do not exist for this actor does not exist either. */
export const isVisible = (actor: Actor, field: Field) =>
  field.type !== 'relation' || !field.to_objects?.length || targetsFor(actor, field)!.length > 0

/** The object without the fields that do not exist for this actor. For answers: what is written needs all of them. */
export function seenBy(actor: Actor, object: ObjectSchema): ObjectSchema {
  // What happens by itself has no rights, and nobody to answer.
  if (actor.is_admin || !actor.records) return object
  const fields = object.fields.filter((field) => isVisible(actor, field))
  if (fields.length === object.fields.length) return object
  return { ...object, fields, byKey: new Map(fields.map((field) => [field.key, field])) }
}

/** The object of this name, if it exists for this actor. */
export function findObject(schema: Schema, actor: Actor, key: string): ObjectSchema {
  const object = schema.objects.get(key)
  if (object && !object.archived_at && mayTouch(actor, key)) return object
  if (object?.archived_at && mayTouch(actor, key))
    throw new AppError('not_found', `The object ${key} is archived. An Admin can bring it back.`)
  const keys = readableObjects(schema, actor).map((one) => one.key)
  throw new AppError('not_found', `There is no object ${key.slice(0, 63)}. There are: ${keys.join(', ')}`)
}

const mayTouch = (actor: Actor, key: string) => {
  const { read, create } = rightsFor(actor, key)
  return read !== 'none' || create
}

export const readableObjects = (schema: Schema, actor: Actor) =>
  [...schema.objects.values()].filter((object) => !object.archived_at && mayTouch(actor, object.key))

export const allows = (reach: Reach, own: boolean) => reach === 'all' || (reach === 'own' && own)

export function refuse(actor: Actor, verb: string, object: ObjectSchema) {
  return new AppError(
    'forbidden',
    `Your role (${actor.role}) does not let you ${verb} ${object.label_plural.toLowerCase()}. Ask an Admin of your company.`,
  )
}
