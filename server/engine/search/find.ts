import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { readable } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'

export type Found = { id: string; object_id: string; title: string; values: Record<string, unknown> }

/** Whom one looks for by name, before what is written about them. */
export const isFirst = ({ key }: ObjectSchema) => key === 'people' || key === 'organizations'

/** So many of each object are put in order; a word that more records have is no good word to search by. */
const mostWeighed = 1000

/** Object by object, because rights differ and each has an index of its newest; then the best of all. */
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
  const like = words.map((word) => `r.search like ${params.add(`${how === 'begins' ? '' : '%'}${escaped(word)}%`)}`)
  const inTitle = words.map((word) => `split_part(f.search, E'\\n', 1) like ${params.add(`%${escaped(word)}%`)}`)
  const asWord = words.map((word) => `' ' || split_part(f.search, E'\\n', 1) like ${params.add(`% ${escaped(word)}%`)}`)
  const first = params.add(
    objects.filter(isFirst).map(({ id }) => id),
    'uuid[]',
  )
  const each = objects.map((object) => {
    const own = readable(actor, object, 'r', params)
    const conditions = [
      `r.company_id = ${company}`,
      `r.object_id = ${params.add(object.id, 'uuid')}`,
      'r.deleted_at is null',
      ...like,
      ...(own ? [own] : []),
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

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')
