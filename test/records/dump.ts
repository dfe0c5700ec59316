// Everything that is stored about a company's records, and whether it follows from what was entered.
import { expect } from 'vitest'
import { readSchema } from '../../server/engine/schema/schema.ts'
import { rowOf } from '../../server/engine/values/to-row.ts'
import type { TestApp } from '../app.ts'

type Row = Record<string, unknown> & { id: string; object_id: string; values: Record<string, unknown> }
type Link = { from_id: string; field_id: string; to_id: string; position: number }
type Unique = { record_id: string; field_id: string; key: string }
export type Dump = { records: Map<string, Row>; links: Link[]; uniques: Unique[] }

export async function dump({ pool }: TestApp, company_id: string): Promise<Dump> {
  const all = async <T>(text: string) => (await pool.query(text, [company_id])).rows as T[]
  const records = await all<Row>(
    `select to_jsonb(r) - 'version' - 'updated_at' || jsonb_build_object('deleted_at', r.deleted_at is not null) as row
      from records r where company_id = $1 order by id`,
  )
  return {
    records: new Map(records.map(({ row }) => [(row as Row).id, row as Row])),
    links: await all('select from_id, field_id, to_id, position from links where company_id = $1 order by 1, 2, 3'),
    uniques: await all('select record_id, field_id, key from unique_values where company_id = $1 order by 1, 2, 3'),
  }
}

/** Without what was made since: an undone creation lies in the trash and is not gone. */
export function asOf({ records, links, uniques }: Dump, then: Dump): Dump {
  for (const [id, row] of records) if (!then.records.has(id)) expect(row.deleted_at, 'made since').toBe(true)
  return {
    records: new Map([...records].filter(([id]) => then.records.has(id))),
    links: links.filter(({ from_id }) => then.records.has(from_id)),
    uniques,
  }
}

/** Comparable values, typed columns, unique values and links are what `rowOf` makes of the entered values. */
export async function expectDerived(kith: TestApp, company_id: string, all?: Dump) {
  const schema = await readSchema(kith.db, company_id)
  const { records, links, uniques } = all ?? (await dump(kith, company_id))
  const wanted: Pick<Dump, 'links' | 'uniques'> = { links: [], uniques: [] }
  for (const [id, stored] of records) {
    const row = rowOf(schema, schema.byId.get(stored.object_id)!, stored.values)
    const { match, title, search } = stored
    expect({ match, title, search }).toEqual({ match: row.match, title: row.title, search: row.search })
    for (const [slot, value] of Object.entries(row.slots))
      expect(stored[slot], `${slot} of ${row.title}`).toEqual(value)
    wanted.links.push(...row.links.map((link) => ({ from_id: id, ...link })))
    if (!stored.deleted_at) wanted.uniques.push(...row.uniques.map((unique) => ({ record_id: id, ...unique })))
  }
  const sorted = <T>(list: T[]) => list.map((one) => JSON.stringify(Object.entries(one as object).sort())).sort()
  expect(sorted(links)).toEqual(sorted(wanted.links))
  expect(sorted(uniques)).toEqual(sorted(wanted.uniques))
}
