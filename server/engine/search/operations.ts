import { fold } from '../../../contract/filter/index.ts'
import type { search } from '../../../contract/search.ts'
import { type Actor, actorOf } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import { objectsIn } from '../names/find-titles.ts'
import { openAmong } from '../rights/readable-among.ts'
import { type Schema, schemaOf } from '../schema/schema.ts'
import { detailOf } from './detail.ts'
import { type Found, foundBy, isFirst } from './find.ts'

/** The search text of a record starts with its title, so titles that start with the words come from the same index. */
export const searchOperations: Handlers<typeof search> = {
  async searchRecords(context, { q, limit }) {
    const actor = actorOf(context)
    const schema = await schemaOf(context.db, actor)
    const objects = readObjects(actor, schema)
    const words = fold(q).split(/\s+/).filter(Boolean)
    if (!words.length || !objects.length) return { items: [] }
    const byTitleStart = await foundBy(context, objects, [words.join(' ')], 'begins', limit)
    const isFull =
      byTitleStart.length === limit && byTitleStart.every(({ object_id }) => isFirst(schema.byId.get(object_id)!))
    const rest = isFull ? [] : await foundBy(context, objects, words, 'contains', limit)
    const best = new Map<string, Found>([...byTitleStart, ...rest].map((found) => [found.id, found]))
    const inOrder = [...best.values()]
      .map((found) => ({ found, object: schema.byId.get(found.object_id)! }))
      .sort((a, b) => rankOf(a.found.title, isFirst(a.object), words) - rankOf(b.found.title, isFirst(b.object), words))
    const items = inOrder.slice(0, limit).map(({ found, object }) => {
      return { object: object.key, id: found.id, title: found.title, detail: detailOf(object, found) }
    })
    return { items }
  },
}

/** First people and organizations with a title or word that starts with the search, then titles, then other text. */
function rankOf(title: string, isFirst: boolean, words: string[]) {
  const folded = fold(title)
  const begins = folded.startsWith(words.join(' '))
  if (isFirst && begins) return 0
  if (isFirst && words.every((word) => ` ${folded}`.includes(` ${word}`))) return 1
  if (begins) return 2
  return words.every((word) => folded.includes(word)) ? 3 : 4
}

const readObjects = (actor: Actor, schema: Schema) => openAmong(actor, objectsIn(schema))
