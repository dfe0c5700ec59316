import { randomUUIDv7 } from 'node:crypto'
import type { objects } from '../../../contract/objects.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import { rightsFor } from '../rights/rights.ts'
import { schemaOf } from '../schema/schema.ts'
import { systemFields } from '../schema/system-fields.ts'
import { createField, updateField } from './fields.ts'
import { shownObject } from './shown.ts'
import { announce, hold, insertField, misfit, move, objectCalled, update } from './store.ts'

const mostObjects = 100

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
      throw new AppError('conflict', `You have reached the limit of ${mostObjects} objects.`)
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
    return announce(context, key, { object: key })
  },

  async updateObject(context, { object: key, is_archived, position, ...labels }) {
    const schema = await hold(context)
    const object = objectCalled(schema.objects.get(key), key)
    const values = { ...labels, ...(is_archived !== undefined && { archived_at: is_archived ? context.now : null }) }
    if (Object.keys(values).length) await update(context, 'objects', object.id, values)
    if (position !== undefined) await move(context, 'objects', [...schema.objects.values()], object.id, position)
    return announce(context, key, { object: key, ...labels, is_archived, position })
  },

  createField,
  updateField,
}
