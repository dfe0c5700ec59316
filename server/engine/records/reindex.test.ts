import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { untilWaiting } from '../../../test/hold.ts'
import { soon, testWorker } from '../../../test/worker.ts'
import { inserting, Params, run } from '../../kernel/statement.ts'
import { holdSchema } from '../schema/schema.ts'
import { reindexOutdated } from './reindex.ts'

const kith = await testApp({ own: true })
await testWorker(kith)

async function newCompany() {
  const admin = await kith.given.company()
  return { admin, api: kith.withSession(await kith.given.session(admin)) }
}

test('a field that was archived and restored is searchable, also in records edited in between', async () => {
  const { api } = await newCompany()
  const person = { last_name: 'Lovelace', job_title: 'Chief analyst' }
  const { records } = await api.createRecords({ object: 'people', records: [person] })
  await api.updateField({ object: 'people', field: 'job_title', is_archived: true })
  await api.updateRecords({ object: 'people', records: [{ id: records[0]!.id, values: { score: 1 } }] })
  await api.updateField({ object: 'people', field: 'job_title', is_archived: false })
  await soon(async () =>
    expect(await api.countRecords({ object: 'people', filter: 'job_title ~ chief' })).toMatchObject({ count: 1 }),
  )
})

test('records stored by older versions are reindexed, including their unique values', async () => {
  const { admin, api } = await newCompany()
  const { company_id } = admin
  await api.createRecords({ object: 'people', records: [{ last_name: 'Lovelace', emails: ['ada@example.com'] }] })
  await kith.pool.query(`update records set search = 'old', match = '{}', s2 = 'old' where company_id = $1`, [
    company_id,
  ])
  await kith.pool.query(`update unique_values set key = 'old' where company_id = $1`, [company_id])
  await kith.pool.query('update companies set index_version = 1 where id = $1', [company_id])
  await reindexOutdated(kith.backgroundDb)
  expect(await api.countRecords({ object: 'people', filter: 'last_name = lovelace' })).toMatchObject({ count: 1 })
  const by = [{ field: 'emails', value: 'ada@example.com' }]
  expect((await api.getRecords({ object: 'people', by })).records).toMatchObject([{ version: 1 }])
})

describe('while fields change', () => {
  test('no record is written with an option that is being removed', async () => {
    const { admin, api } = await newCompany()
    const { objects } = await api.describeSchema({ objects: ['people'] })
    const { options } = objects[0]!.fields.find(({ key }) => key === 'status')!
    const left = options!.filter(({ key }) => key !== 'former')
    let created: Promise<unknown> | undefined
    await kith.db.transaction().execute(async (tx) => {
      await holdSchema(tx, admin.company_id)
      const person = { last_name: 'Lovelace', status: 'former' }
      created = api.createRecords({ object: 'people', records: [person] }).catch((error) => error.problem)
      await untilWaiting(kith.connection, '')
      await tx
        .updateTable('fields')
        .set({ options: JSON.stringify(left) })
        .where('company_id', '=', admin.company_id)
        .where('key', '=', 'status')
        .where('object_id', 'in', tx.selectFrom('objects').select('id').where('key', '=', 'people'))
        .execute()
      await tx
        .updateTable('companies')
        .set((eb) => ({ schema_version: eb('schema_version', '+', 1) }))
        .where('id', '=', admin.company_id)
        .execute()
    })
    expect(await created).toMatchObject({ status: 422, errors: [{ path: 'records.0.status' }] })
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 0 })
  })

  test('a record that is also valid with the new fields is written', async () => {
    const { admin, api } = await newCompany()
    let created: Promise<unknown> | undefined
    await kith.db.transaction().execute(async (tx) => {
      await holdSchema(tx, admin.company_id)
      created = api.createRecords({ object: 'people', records: [{ last_name: 'Lovelace' }] })
      await untilWaiting(kith.connection, '')
      await tx
        .updateTable('companies')
        .set((eb) => ({ schema_version: eb('schema_version', '+', 1) }))
        .where('id', '=', admin.company_id)
        .execute()
    })
    expect(await created).toMatchObject({ records: [{ version: 1 }] })
  })
})

test('after two rate changes in a row, every amount uses the second', async () => {
  const { api } = await newCompany()
  const rates = (rate: number) => api.updateCompany({ currency: 'EUR', rates: [{ currency: 'USD', rate }] })
  await rates(1)
  const deals = Array.from({ length: 100 }, (_, i) => ({
    name: `Deal ${i}`,
    amount: { amount: '100', currency: 'USD' },
  }))
  for (let i = 0; i < 5; i++) await api.createRecords({ object: 'deals', records: deals })
  await rates(2)
  await rates(3)
  const above = async (amount: number) =>
    (await api.countRecords({ object: 'deals', filter: `amount >= ${amount}` })).count
  await soon(async () => {
    const { rows } = await kith.pool.query(
      `select from outbox union all
        select from pgboss.job where name = 'revalue_money' and state not in ('completed', 'cancelled', 'failed')`,
    )
    expect(rows).toHaveLength(0)
  })
  expect(await above(300)).toBe(500)
})

test('when the currency changes, rates are converted to the new one', async () => {
  const { api } = await newCompany()
  await api.updateCompany({
    currency: 'EUR',
    rates: [
      { currency: 'USD', rate: 0.8 },
      { currency: 'GBP', rate: 1.2 },
    ],
  })
  const { rates } = await api.updateCompany({ currency: 'USD' })
  expect(rates).toEqual([
    { currency: 'EUR', rate: 1.25 },
    { currency: 'GBP', rate: 1.5 },
  ])
  await expect(api.updateCompany({ currency: 'JPY' })).toBeRefused(422, 'invalid_input')
})

test('several rows get the defaults of omitted columns, as one row does', async () => {
  await sql`create table trials (id int primary key, note text, kind text not null default 'plain')`.execute(
    kith.ownerDb,
  )
  for (const rows of [[{ id: 1, note: 'one' }], [{ id: 2 }, { id: 3, note: 'three' }]]) {
    const params = new Params()
    await run(kith.ownerDb, inserting('trials', rows)(params), params)
  }
  const { rows } = await sql<{ note: string; kind: string }>`select id, note, kind from trials order by id`.execute(
    kith.ownerDb,
  )
  expect(rows.map(({ kind }) => kind)).toEqual(['plain', 'plain', 'plain'])
  expect(rows[2]!.note).toBe('three')
})
