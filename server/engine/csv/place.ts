// What the suggestion of fields needs to know besides the columns.
import { isId } from '../../../contract/shared/ids.ts'
import { actorOf } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Target } from '../schema/target.ts'
import type { Inspected } from './inspect.ts'
import { knownExport } from './known-exports.ts'
import { systemOf } from './systems.ts'
import type { Place } from './targets.ts'

/** So many IDs of each column are looked up. */
const mostLookedUp = 50

export async function placeOf(target: Target, inspected: Pick<Inspected, 'columns' | 'sample'>): Promise<Place> {
  const { schema, object } = target
  return { object, ...(await surroundingsOf(target, inspected)), objects: [...schema.objects.values()] }
}

/** What is the same for all objects that a file may be imported into. */
export async function surroundingsOf(
  { context }: Pick<Target, 'context'>,
  { columns, sample }: Pick<Inspected, 'columns' | 'sample'>,
): Promise<Omit<Place, 'object' | 'objects'>> {
  const { company_id, is_admin } = actorOf(context)
  const ids = columns.flatMap((_, i) =>
    sample
      .map(({ cells }) => (cells[i] ?? '').trim().toLowerCase())
      .filter(isId)
      .slice(0, mostLookedUp),
  )
  const around = { isAdmin: is_admin, system: systemOf(columns), known: knownExport(columns) }
  if (!ids.length) return { ...around, unknownIds: new Set() }
  const params = new Params()
  const company = params.add(company_id, 'uuid')
  const some = params.add(ids, 'uuid[]')
  const rows = await run<{ id: string }>(
    context.db,
    `select r.id from records r where r.company_id = ${company} and r.id = any(${some})
      union all select u.id from users u where u.company_id = ${company} and u.id = any(${some})`,
    params,
  )
  // If one is ours, the others of its file are as well: they may have been deleted since.
  return { ...around, unknownIds: new Set(rows.length ? [] : ids) }
}
