// Names that several records have: the other columns of a row may say which of them it means.
import { fold } from '../../../contract/filter/index.ts'
import { actorOf } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Match } from '../names/match.ts'
import type { Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Values } from '../values/from-row.ts'
import type { Known, Seen } from './import-dry-run.ts'

export type Namesakes = Awaited<ReturnType<typeof knowRecords>>

/** What is known of some records: what they link to, and their unique values. `seen`: by a dry run. */
export async function knowRecords({ context, schema }: Target, ids: string[], { names }: Seen) {
  const known = new Map<string, Known>()
  for (const id of ids) {
    const one = names.known(id)
    if (one) known.set(id, one)
  }
  if (ids.length) {
    const params = new Params()
    const company = params.add(actorOf(context).company_id, 'uuid')
    const rows = await run<{ id: string; object_id: string; values: Values }>(
      context.db,
      `select r.id, r.object_id, r.values from records r
        where r.company_id = ${company} and r.id = any(${params.add([...new Set(ids)], 'uuid[]')})`,
      params,
    )
    for (const { id, object_id, values } of rows) {
      const fields = schema.byId.get(object_id)?.fields ?? []
      const textsOf = (of: Field[]) => of.flatMap(({ key }) => [values[key] ?? []].flat().map(String))
      known.set(id, {
        links: textsOf(fields.filter(({ type }) => type === 'relation')),
        uniques: textsOf(fields.filter(({ is_unique }) => is_unique)),
      })
    }
  }
  return {
    /** Those that a row means by its other columns: its cells, and the records that it names elsewhere. */
    meant(matches: Match[], cells: string[], named: string[]): Match[] {
      const written = new Set(cells.flatMap((cell) => cell.split(/[;,\n]/)).map((text) => fold(text.trim())))
      return matches.filter(({ id }) => {
        const { links, uniques } = known.get(id) ?? { links: [], uniques: [] }
        return (
          uniques.some((value) => written.has(fold(value))) ||
          named.some((other) => other !== id && (links.includes(other) || known.get(other)?.links.includes(id)))
        )
      })
    },
    /** How each of them can be named instead, so that no one has to look up IDs. */
    otherNames: (matches: Match[]) => matches.flatMap(({ id }) => known.get(id)?.uniques.slice(0, 1) ?? []),
  }
}
