// What PostgreSQL finds for many filters: all of them asked of every record in one statement.
import { type Filter, hasFaults, print, readFilter, resolve } from '../../contract/filter/index.ts'
import { compile } from '../../server/engine/read/filter-to-sql.ts'
import { readable } from '../../server/engine/rights/rights.ts'
import { scopeOf } from '../../server/engine/rights/scope.ts'
import { readSchema } from '../../server/engine/schema/schema.ts'
import type { Actor } from '../../server/kernel/context.ts'
import { Params } from '../../server/kernel/statement.ts'
import type { TestApp } from '../app.ts'
import type { GivenUser } from '../given.ts'
import type { World } from './fits.ts'

/** As much of a caller as reading records takes. */
export const asActor = ({ company_id, user_id }: GivenUser, records?: Actor['records']) =>
  ({ company_id, user_id, is_admin: !records, records: records ?? {}, time_zone: null }) as unknown as Actor

/** The ids that fit each filter; every other filter is sent as text. */
export async function answersOf({ db, pool }: TestApp, actor: Actor, { here }: World, root: string, filters: Filter[]) {
  const schema = await readSchema(db, actor.company_id)
  const object = schema.objects.get(root)!
  const objects = scopeOf(schema, actor)
  const params = new Params()
  const tests = filters.map((filter, i) => {
    const read = readFilter(i % 2 ? print(filter) : filter, { objects, root })
    if (hasFaults(read)) throw new Error(`${print(filter)}: ${read.faults[0]!.message}`)
    const result = resolve(read.checked, here)
    if (hasFaults(result)) throw new Error(`${print(filter)}: ${result.faults[0]!.message}`)
    return `(${compile(schema, actor, params, result.resolved)}) is true`
  })
  const { rows } = await pool.query<{ id: string; fits: boolean[] }>(
    `select r.id, array[${tests.join(', ')}] as fits from records r where r.company_id = ${params.add(actor.company_id, 'uuid')}
      and r.object_id = ${params.add(object.id, 'uuid')} and r.deleted_at is null and ${readable(actor, object, 'r', params) || 'true'}`,
    params.values,
  )
  return filters.map((_, i) => rows.filter(({ fits }) => fits[i]).map(({ id }) => id))
}
