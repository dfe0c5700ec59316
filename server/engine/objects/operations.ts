import { randomUUIDv7 } from 'node:crypto'
import { filesField } from '../../../contract/built-in/objects.ts'
import { systemFields } from '../../../contract/built-in/system-fields.ts'
import type { objects } from '../../../contract/objects.ts'
import { refused } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import { refuseMore } from '../../kernel/limits.ts'
import type { Handlers } from '../../kernel/run.ts'
import { openAmong } from '../rights/readable-among.ts'
import { schemaOf } from '../schema/schema.ts'
import { dependentsOf } from '../views/dependents.ts'
import { describeObject } from './describe-object.ts'
import { createField, updateField } from './fields.ts'
import { announce, fieldCalled, insertField, lockSchema, move, requireObject, update } from './schema-changes.ts'

const mostObjects = 100

export const objectOperations: Handlers<typeof objects> = {
  async describeSchema(context, { objects: wanted, include_archived: archived = false }) {
    const actor = actorOf(context)
    const schema = await schemaOf(context.db, actor)
    const list = openAmong(actor, [...schema.objects.values()]).filter((object) => archived || !object.archived_at)
    for (const [i, key] of (wanted ?? []).entries()) {
      if (list.some((object) => object.key === key)) continue
      throw refused(
        `objects.${i}`,
        `There is no object ${key}. Use one of: ${list.map((object) => object.key).join(', ')}`,
      )
    }
    const chosen = wanted ? list.filter((object) => wanted.includes(object.key)) : list
    return {
      objects: chosen.map((object) => describeObject(context, schema, object, archived)),
      system_fields: [...systemFields],
    }
  },

  async createObject(context, { key, ...shown }) {
    const { company_id } = actorOf(context)
    const schema = await lockSchema(context)
    if (schema.objects.has(key)) throw refused('key', 'An object with this key already exists', 'conflict')
    refuseMore(schema.objects.size, mostObjects, 'objects', null)
    const id = randomUUIDv7()
    await context.db
      .insertInto('objects')
      .values({ company_id, id, key, ...shown, position: schema.objects.size })
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
    const { key: files, label, type } = filesField
    await insertField(context, {
      id: randomUUIDv7(),
      object_id: id,
      key: files,
      label,
      type,
      is_multi: true,
      position: 1,
    })
    return announce(context, key, { object: key })
  },

  async updateObject(context, { object: key, is_archived, position, ...shown }) {
    const schema = await lockSchema(context)
    const object = requireObject(schema.objects.get(key), key)
    const values = { ...shown, ...(is_archived !== undefined && { archived_at: is_archived ? context.now : null }) }
    if (Object.keys(values).length) await update(context, 'objects', object.id, values)
    if (position !== undefined) await move(context, 'objects', [...schema.objects.values()], object.id, position)
    return announce(context, key, { object: key, ...shown, is_archived, position })
  },

  createField,
  updateField,

  async getFieldDependents(context, { object: key, field: name }) {
    const schema = await schemaOf(context.db, actorOf(context))
    const object = requireObject(schema.objects.get(key), key)
    return dependentsOf(context, schema, fieldCalled(object, name))
  },
}
