import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'

const kith = await testApp()

test('filters through relations are fast right after an import, without statistics', async () => {
  const api = kith.withKey(await kith.given.key(await kith.given.company()))
  await sql`alter table records set (autovacuum_enabled = false)`.execute(kith.ownerDb)
  await sql`alter table links set (autovacuum_enabled = false)`.execute(kith.ownerDb)
  const create = async (object: string, count: number, values: (i: number) => Record<string, unknown>) =>
    (await api.createRecords({ object, records: Array.from({ length: count }, (_, i) => values(i)) })).records
  const organizations = await create('organizations', 70, (i) => ({ name: `Organization ${i}` }))
  const organization = (i: number) => organizations[i % organizations.length]!.id
  await create('people', 80, (i) => ({ last_name: `Person ${i}`, score: i, organization: organization(i) }))
  await create('deals', 60, (i) => ({ name: `Deal ${i}`, amount: i * 20, organization: organization(i) }))
  await create('tasks', 40, (i) => ({ title: `Task ${i}`, status: 'cancelled', about: [organization(i)] }))
  const count = async (filter: string) => (await api.countRecords({ object: 'people', filter })).count

  const began = performance.now()
  expect(await count('any(organization.tasks: status = cancelled)')).toBe(50)
  expect(await count('any(organization.deals: amount > 500)')).toBe(34)
  expect(await count('any(organization.people: score > 50)')).toBe(39)
  expect(await count('any(organization: any(people: score > 70))')).toBe(18)
  expect(await count('none(organization.deals: any(organization.people: score > 70))')).toBe(62)
  expect(performance.now() - began).toBeLessThan(5000)
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
