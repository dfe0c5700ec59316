import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { type Sent, statementsOf } from '../../../test/statements.ts'
import { readSchema } from '../schema/schema.ts'

const kith = await testApp()

/** 20,000 people and 5,000 deals of 5,000 organizations, loaded by SQL, of which PostgreSQL knows nothing yet. */
async function largeCompany() {
  const admin = await kith.given.company()
  const { company_id } = admin
  for (const table of ['records', 'links', 'unique_values', 'changes'])
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(kith.ownerDb)
  const { objects } = await readSchema(kith.db, company_id)
  const idOf = (object: string, number: string) =>
    sql.raw(`overlay(overlay(md5('${object} ' || ${number}) placing '7' from 13) placing '8' from 17)::uuid`)
  const load = async (key: string, count: number, slots: Record<string, string>) => {
    const object = objects.get(key)!
    const columns = Object.keys(slots).map((field) => sql.ref(object.byKey.get(field)!.slot!))
    await sql`insert into records (company_id, id, object_id, values, match, search, title, created_at, updated_at, ${sql.join(columns)})
      select ${company_id}, ${idOf(key, 'i')}, ${object.id}, '{}', jsonb_build_object('title', ${key} || i), 'organization ' || i, ${key} || i,
        now(), now(), ${sql.join(Object.values(slots).map(sql.raw))}
      from generate_series(0, ${count - 1}) i`.execute(kith.db)
  }
  const link = (key: string, count: number, organization: string) =>
    sql`
    insert into links (company_id, field_id, from_id, to_id)
    select ${company_id}, ${objects.get(key)!.byKey.get('organization')!.id}, ${idOf(key, 'i')}, ${idOf('organizations', organization)}
    from generate_series(0, ${count - 1}) i`.execute(kith.db)
  await load('organizations', 5000, { name: "'organization ' || i" })
  await load('people', 20_000, { score: 'i % 100' })
  await load('deals', 5000, { amount: 'i' })
  await link('people', 20_000, '(i % 5000)')
  await link('deals', 5000, '(i % 2500)')
  return kith.withKey(await kith.given.key(admin))
}

const heavy = statementsOf(kith.pools.heavy)

type Plan = { Plans?: Plan[]; [name: string]: unknown }

const counted = ['Actual Loops', 'Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Join Filter']

/** The rows that all steps of the plan have gone through, which do not depend on how busy the machine is. */
async function rowsReadBy({ text, values }: Sent) {
  const { rows } = await kith.pool.query(`explain (analyze, timing off, format json) ${text}`, values)
  const sum = (plan: Plan): number => {
    const [loops = 0, ...rows] = counted.map((name) => Number(plan[name] ?? 0))
    const own = loops * rows.reduce((a, b) => a + b)
    return (plan.Plans ?? []).reduce((total, part) => total + sum(part), own)
  }
  return sum(rows[0]['QUERY PLAN'][0].Plan)
}

describe('right after a load of 30,000 records, without statistics', async () => {
  const api = await largeCompany()
  // With a bad plan, each of 20,000 people would be compared with each of 5,000 organizations or deals.
  const mostRows = 500_000

  test.each([
    ['organization.name = "Organization 7"', 4],
    ['any(organization.deals: amount >= 4900)', 400],
    ['any(organization.people: score > 98)', 200],
    ['any(organization: any(people: score > 98))', 200],
    ['none(organization.deals: amount >= 0)', 10_000],
    ['none(organization.deals: any(organization.people: score > 98))', 19_900],
    ['score > 98 and organization.name ~ "zation 9"', 8],
  ])('%s is counted at once', async (filter, count) => {
    const counting = await heavy.during(async () =>
      expect((await api.countRecords({ object: 'people', filter, is_exact: true })).count).toBe(count),
    )
    expect(await rowsReadBy(counting.at(-1)!)).toBeLessThan(mostRows)
  })

  test('many records are changed at once, with their relations', async () => {
    const people = await api.listRecords({ object: 'people', filter: 'score = 5', limit: 100 })
    const organizations = await api.listRecords({ object: 'organizations', limit: 2 })
    // A statement that takes too long is refused.
    for (const organization of organizations.records.map(({ id }) => id)) {
      const records = people.records.map(({ id }) => ({
        id,
        values: { score: 6, organization, emails: [`${id}@x.com`] },
      }))
      await api.updateRecords({ object: 'people', records })
    }
    const records = people.records.map(({ id }) => ({ id, values: { emails: null } }))
    await api.updateRecords({ object: 'people', records })
  })
})

test('a record in the trash counts as not linked in every kind of filter', async () => {
  const api = kith.withKey(await kith.given.key(await kith.given.company()))
  const made = async (object: string, values: Record<string, unknown>) =>
    (await api.createRecords({ object, records: [values] })).records[0]!.id
  const acme = await made('organizations', { name: 'Acme' })
  await made('people', { last_name: 'Lovelace', organization: acme })
  const count = async (object: string, filter: string) => (await api.countRecords({ object, filter })).count
  const asked = async () => [
    await count('people', 'organization is not empty'),
    await count('people', `organization = "${acme}"`),
    await count('people', 'organization.name = Acme'),
    await count('people', `organization in ("${acme}")`),
  ]
  expect(await asked()).toEqual([1, 1, 1, 1])
  await api.deleteRecords({ object: 'organizations', ids: [acme] })
  expect(await asked()).toEqual([0, 0, 0, 0])
  expect(await count('people', 'organization is empty')).toBe(1)
  await api.restoreRecords({ object: 'organizations', ids: [acme] })
  expect(await asked()).toEqual([1, 1, 1, 1])
})
