// An organization cannot be above itself in the tree of parents.
import { own } from '../../../contract/shared/own.ts'
import { refused } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { builtInInUse, type Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Change } from '../values/change.ts'
import type { Stored } from '../values/from-row.ts'
import type { Conflict } from './unique-conflicts.ts'

/** Parents further up are not looked at. */
const mostLevels = 100

export async function refuseCircles(target: Target, changes: Change[]) {
  const [circle] = await findCircles(target, changes)
  if (circle) throw refused(circle.path, circle.message)
}

export async function findCircles(target: Target, changes: Change[]): Promise<Conflict[]> {
  const { object } = target
  const field = object.built_in_key === 'organizations' ? builtInInUse(object, 'parent') : undefined
  if (!field) return []
  const parentIn = (record: Stored | undefined) => own(record?.values ?? {}, field.key) as string | undefined
  const changed = changes.filter(({ before, after }) => parentIn(after) && parentIn(before) !== parentIn(after))
  if (!changed.length) return []
  const parents = await parentsAbove(
    target,
    field,
    changed.map(({ after }) => parentIn(after)!),
  )
  for (const { after } of changes) parents.set(after.id, parentIn(after))
  return changed.flatMap(({ after: { id, ...after }, path }) => {
    const parent = parentIn({ id, ...after })
    if (!isAbove(parents, id, parent)) return []
    const message =
      parent === id
        ? 'An organization cannot be its own parent'
        : 'This parent is below the organization in the hierarchy. Choose another one'
    return [{ record_id: id, field: field.key, path: path ? `${path}.${field.key}` : field.key, message }]
  })
}

function isAbove(parents: Map<string, string | undefined>, id: string, start: string | undefined) {
  const seen = new Set<string>()
  for (let above = start; above && !seen.has(above); above = parents.get(above)) {
    if (above === id) return true
    seen.add(above)
  }
  return false
}

async function parentsAbove({ context }: Target, field: Field, ids: string[]) {
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const of = params.add(field.id, 'uuid')
  const rows = await run<{ from_id: string; to_id: string }>(
    context.db,
    `with recursive above as (
        select l.from_id, l.to_id, 1 as level from links l where l.company_id = ${company} and l.field_id = ${of}
          and l.from_id = any(${params.add([...new Set(ids)], 'uuid[]')})
        union select l.from_id, l.to_id, a.level + 1 from above a
          join links l on l.company_id = ${company} and l.field_id = ${of} and l.from_id = a.to_id
          where a.level < ${mostLevels})
      select distinct from_id, to_id from above`,
    params,
  )
  return new Map<string, string | undefined>(rows.map(({ from_id, to_id }) => [from_id, to_id]))
}
