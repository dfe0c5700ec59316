// Decides who may see and change which records. The same rules apply to direct access and to access through relations.

import { everything, type ObjectRights, type Reach, rightsOn } from '../../../contract/shared/access.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Params } from '../../kernel/statement.ts'
import { builtInInUse, type Field, type ObjectSchema, type Schema } from '../schema/schema.ts'

export const rightsFor = (actor: Actor, object: string): ObjectRights =>
  actor.is_admin ? everything : rightsOn(actor.records, object)

/** "Own" means owned by the actor, assigned to them (tasks) or created by them (notes and activities). */
export function isOwn(
  actor: Actor,
  object: ObjectSchema,
  record: { owner_id: string | null; created_by: string | null; values: Record<string, unknown> },
) {
  if (record.owner_id === actor.user_id) return true
  if (object.built_in_key === 'tasks') {
    const assignee = assigneeOf(object)
    return assignee !== undefined && record.values[assignee.key] === actor.user_id
  }
  return isOwnIfCreated(object) && record.created_by === actor.user_id
}
const isOwnIfCreated = ({ built_in_key }: ObjectSchema) => built_in_key === 'notes' || built_in_key === 'activities'

/** The assignee of a task; undefined for other objects. */
export const assigneeOf = (object: ObjectSchema) =>
  object.built_in_key === 'tasks' ? builtInInUse(object, 'assignee') : undefined

/** The same as SQL, for the row in `alias`. */
function ownSql(actor: Actor, object: ObjectSchema, alias: string, params: Params) {
  const me = params.add(actor.user_id, 'uuid')
  const assignee = assigneeOf(object)?.slot
  if (assignee) return `(${alias}.owner_id = ${me} or ${alias}.${assignee} = ${me}::text)`
  if (isOwnIfCreated(object)) return `(${alias}.owner_id = ${me} or ${alias}.created_by = ${me})`
  return `${alias}.owner_id = ${me}`
}

/** A condition that limits the rows of this object to those the actor may read; empty if they may read all. */
export function readable(actor: Actor, object: ObjectSchema, alias: string, params: Params) {
  const { read } = rightsFor(actor, object.key)
  if (read === 'all') return ''
  return read === 'own' ? ownSql(actor, object, alias, params) : 'false'
}

/** The same for rows that the actor may read and change. */
export function editable(actor: Actor, object: ObjectSchema, alias: string, params: Params) {
  const { read, edit } = rightsFor(actor, object.key)
  if (read === 'all' && edit === 'all') return ''
  return read === 'none' || edit === 'none' ? 'false' : ownSql(actor, object, alias, params)
}

/** The objects that a relation can link to and this actor may read. An empty list means any object. */
export const targetsFor = (actor: Actor, { to_objects }: Pick<Field, 'to_objects'>) =>
  to_objects?.filter((key) => rightsFor(actor, key).read !== 'none') ?? null

/** A relation is hidden if the actor may not read any object it can link to. */
export const isVisible = (actor: Actor, field: Field) =>
  field.type !== 'relation' || !field.to_objects?.length || targetsFor(actor, field)!.length > 0

/** The object without the fields hidden from this actor. Only for responses; writing needs all fields. */
export function seenBy(actor: Actor, object: ObjectSchema): ObjectSchema {
  // Background jobs have no rights and no one who reads a response.
  if (actor.is_admin || actor.kind === 'system') return object
  const fields = object.fields.filter((field) => isVisible(actor, field))
  if (fields.length === object.fields.length) return object
  return { ...object, fields, byKey: new Map(fields.map((field) => [field.key, field])) }
}

/** The object with this key, if the actor may use it. */
export function findObject(schema: Schema, actor: Actor, key: string): ObjectSchema {
  const object = schema.objects.get(key)
  if (object && !object.archived_at && mayTouch(actor, key)) return object
  if (object?.archived_at && mayTouch(actor, key))
    throw new AppError('not_found', `The object ${key} is archived. An Admin can restore it.`)
  const keys = readableObjects(schema, actor).map((object) => object.key)
  throw new AppError('not_found', `There is no object ${key.slice(0, 63)}. Use one of: ${keys.join(', ')}`)
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
    `Your role (${actor.role}) does not let you ${verb} ${inSentence(object.label_plural)}. Ask an Admin of your company.`,
  )
}

/** For a record that is not their own, if they may do this only with those. */
export const refuseForeign = (actor: Actor, verb: string, object: ObjectSchema) =>
  new AppError(
    'forbidden',
    `Your role (${actor.role}) lets you ${verb} only your own ${inSentence(object.label_plural)}. Ask an Admin of your company.`,
  )
