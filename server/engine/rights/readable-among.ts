// The rules of rights.ts for statements across several objects.
import type { Actor } from '../../kernel/context.ts'
import type { Params } from '../../kernel/statement.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { editable, readable, rightsFor } from './rights.ts'

/** Limits the rows in `alias` to records of these objects that the actor may read. */
export function readableAmong(actor: Actor, objects: ObjectSchema[], alias: string, params: Params) {
  const ids = openAmong(actor, objects).map(({ id }) => id)
  return [`${alias}.object_id = any(${params.add(ids, 'uuid[]')})`, ...ownOnly(actor, objects, alias, params)].join(
    ' and ',
  )
}

/** The objects of which the actor may read at least some records. */
export const openAmong = (actor: Actor, objects: ObjectSchema[]) =>
  objects.filter(({ key }) => rightsFor(actor, key).read !== 'none')

/** Conditions for objects of which the actor may read only their own records. */
export const ownOnly = (actor: Actor, objects: ObjectSchema[], alias: string, params: Params) =>
  openAmong(actor, objects).flatMap((object) => {
    const limit = readable(actor, object, alias, params)
    return limit ? [`(${alias}.object_id <> ${params.add(object.id, 'uuid')} or ${limit})`] : []
  })

/** A condition for records of these objects that the actor may read and change; `true` if that is all of them. */
export const editableAmong = (actor: Actor, objects: ObjectSchema[], alias: string, params: Params) =>
  objects
    .flatMap((object) => {
      const limit = editable(actor, object, alias, params)
      return limit ? `(${alias}.object_id <> ${params.add(object.id, 'uuid')} or ${limit})` : []
    })
    .join(' and ') || 'true'
