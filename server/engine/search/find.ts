import { actorOf, type Context } from '../../kernel/context.ts'
import { escapeLike, Params, run } from '../../kernel/statement.ts'
import { readable } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'

export type Found = { id: string; object_id: string; title: string; values: Record<string, unknown> }

/** These rank first, because people usually search for names. */
export const isFirst = ({ built_in_key: key }: ObjectSchema) => key === 'people' || key === 'organizations'

/** How many matches of each object are ranked. A word with more matches is too common to search by. */
const mostWeighed = 1000

/** Searches each object separately, because rights differ and each has its own index, then picks the best matches. */
export async function foundBy(
  context: Context,
  objects: ObjectSchema[],
  words: string[],
  how: 'begins' | 'contains',
  limit: number,
): Promise<Found[]> {
  const actor = actorOf(context)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const like = words.map((word) => `r.search like ${params.add(`${how === 'begins' ? '' : '%'}${escapeLike(word)}%`)}`)
  const inTitle = words.map((word) => `split_part(f.search, E'\\n', 1) like ${params.add(`%${escapeLike(word)}%`)}`)
  const asWord = words.map(
    (word) => `' ' || split_part(f.search, E'\\n', 1) like ${params.add(`% ${escapeLike(word)}%`)}`,
  )
  const first = params.add(
    objects.filter(isFirst).map(({ id }) => id),
    'uuid[]',
  )
  const each = objects.map((object) => {
    const limitToReadable = readable(actor, object, 'r', params)
    const conditions = [
      `r.company_id = ${company}`,
      `r.object_id = ${params.add(object.id, 'uuid')}`,
      'r.deleted_at is null',
      ...like,
      ...(limitToReadable ? [limitToReadable] : []),
    ]
    return `(select r.id, r.object_id, r.title, r.values, r.search from records r
      where ${conditions.join(' and ')} order by r.id desc limit ${how === 'begins' ? limit : mostWeighed})`
  })
  return run<Found>(
    context.db,
    `select f.id, f.object_id, f.title, f.values from (${each.join(' union all ')}) f
      order by (f.object_id = any(${first}) and ${asWord.join(' and ')}) desc, (${inTitle.join(' and ')}) desc, f.id desc limit ${limit}`,
    params,
  )
}
