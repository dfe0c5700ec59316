import type { search } from '../../../contract/search.ts'
import { actorOf } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import { objectsIn } from '../names/find-titles.ts'
import { findObject, seenBy } from '../rights/rights.ts'
import { schemaOf } from '../schema/schema.ts'
import { detailOf } from './detail.ts'
import { find } from './find.ts'
import { matchedIn } from './matched.ts'
import { termsOf } from './terms.ts'

export const searchOperations: Handlers<typeof search> = {
  async searchRecords(context, { q, objects: keys, limit }) {
    const actor = actorOf(context)
    const schema = await schemaOf(context.db, actor)
    const objects = keys ? [...new Set(keys)].map((key) => findObject(schema, actor, key)) : objectsIn(schema)
    const terms = termsOf(q, schema)
    const items = (await find(context, schema, objects, q, limit)).map((found) => {
      const object = schema.byId.get(found.object_id)!
      const { id, title } = found
      const matched = matchedIn(schema, seenBy(actor, object), found, terms)
      return { object: object.key, id, title, detail: detailOf(object, found), matched }
    })
    return { items }
  },
}
