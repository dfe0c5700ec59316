import { fold } from '../../contract/filter/index.ts'
import type { search } from '../../contract/search.ts'
import { type Actor, actorOf } from '../kernel/context.ts'
import type { Handlers } from '../kernel/run.ts'
import { type Schema, schemaOf } from '../objects/schema.ts'
import { rightsFor } from '../records/rights.ts'
import { detailOf } from './detail.ts'
import { type Found, foundBy } from './find.ts'

/** The search text of a record begins with its title: what a title begins with is read from the same index. */
export const searchOperations: Handlers<typeof search> = {
  async searchRecords(context, { q, limit }) {
    const actor = actorOf(context)
    const schema = await schemaOf(context.db, actor)
    const objects = readObjects(actor, schema)
    const words = fold(q).split(/\s+/).filter(Boolean)
    if (!words.length || !objects.length) return { items: [] }
    const began = await foundBy(context, objects, [words.join(' ')], 'begins', limit)
    const rest = began.length < limit ? await foundBy(context, objects, words, 'contains', limit) : []
    const best = new Map<string, Found>([...began, ...rest].map((found) => [found.id, found]))
    const items = [...best.values()].slice(0, limit).map((found) => {
      const object = schema.byId.get(found.object_id)!
      return { object: object.key, id: found.id, title: found.title, detail: detailOf(object, found) }
    })
    return { items }
  },
}

const readObjects = (actor: Actor, schema: Schema) =>
  [...schema.objects.values()].filter(({ key, archived_at }) => !archived_at && rightsFor(actor, key).read !== 'none')
