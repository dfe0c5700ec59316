import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { soon } from '../../../../test/worker.ts'
import { findDueWork } from '../../../kernel/due-work.ts'
import { startWorkers } from '../../../kernel/worker.ts'
import type { Batch, Delivery } from './delivery.ts'
import { deliveryWork } from './runner.ts'

const kith = await testApp({ own: true })

async function company() {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const rule = (name: string) => api.createNotificationRule({ name, object: 'people', made_by: 'anyone' })
  return { ...admin, api, rule }
}

type Company = Awaited<ReturnType<typeof company>>

/** Nobody announces what waits here. */
async function start(deliver: (batch: Batch) => Promise<void>) {
  await findDueWork(kith.db)
  const parts = { ...kith, clock: () => kith.time.now }
  const handlers = { notification: deliver, webhook: async () => {}, givenUp: async () => {} }
  return startWorkers(parts, [deliveryWork({ ...parts, handlers })])
}

const queued = async (company_id: string) =>
  Number(
    (
      await kith.db
        .selectFrom('deliveries')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('company_id', '=', company_id)
        .executeTakeFirstOrThrow()
    ).count,
  )

test('two processes deliver every change once, and those of a record in the order of its versions', async () => {
  const { api, rule, company_id } = await company()
  await rule('All')
  const { records } = await api.createRecords({
    object: 'people',
    records: Array.from({ length: 20 }, (_, i) => ({ first_name: `P${i}` })),
  })
  for (let score = 1; score <= 5; score++)
    await api.updateRecords({ object: 'people', records: records.map(({ id }) => ({ id, values: { score } })) })
  const delivered: Delivery[] = []
  let turn = 0
  const deliver = async ({ deliveries }: Batch) => {
    await new Promise((resolve) => setTimeout(resolve, (turn++ * 7) % 20))
    delivered.push(...deliveries)
  }
  const runners = [await start(deliver), await start(deliver)]
  await soon(async () => expect(await queued(company_id)).toBe(0))
  for (const runner of runners) await runner.stop()
  expect(delivered).toHaveLength(120)
  for (const { id } of records)
    expect(delivered.filter(({ record_id }) => record_id === id).map(({ version }) => Number(version))).toEqual([
      1, 2, 3, 4, 5, 6,
    ])
})

test('one that cannot be delivered is tried again later and does not hold up the others', async () => {
  const { api, rule, company_id } = await company()
  const bad = await rule('Bad')
  const good = await rule('Good')
  const { records } = await api.createRecords({ object: 'people', records: [{ first_name: 'A' }] })
  await api.updateRecords({ object: 'people', records: [{ id: records[0]!.id, values: { score: 1 } }] })
  const delivered: string[] = []
  let isBroken = true
  const runner = await start(async ({ subscription, deliveries }) => {
    if (isBroken && subscription.id === bad.id) throw new Error('not now')
    for (const { version } of deliveries) delivered.push(`${subscription.name} ${version}`)
  })
  await soon(async () => expect(await queued(company_id)).toBe(2))
  expect(delivered).toEqual(['Good 1', 'Good 2'])
  expect(good.id).not.toBe(bad.id)
  isBroken = false
  kith.minutes(1)
  runner.wake('deliveries')
  await soon(async () => expect(await queued(company_id)).toBe(0))
  expect(delivered.slice(2)).toEqual(['Bad 1', 'Bad 2'])
  await runner.stop()
})

test('a company with much to deliver does not delay another', async () => {
  // The runner goes through the companies by ID, so the large one comes first.
  const companies = [await company(), await company()].sort((a, b) => (a.company_id < b.company_id ? -1 : 1))
  const [large, small] = companies as [Company, Company]
  for (const { rule } of [large, small]) await rule('All')
  for (let i = 0; i < 20; i++)
    await large.api.createRecords({
      object: 'people',
      records: Array.from({ length: 50 }, (_, n) => ({ first_name: `P${i}-${n}` })),
    })
  await small.api.createRecords({ object: 'people', records: [{ first_name: 'Only' }] })
  const order: string[] = []
  const runner = await start(async ({ company_id }) => void order.push(company_id))
  await soon(async () => expect((await queued(large.company_id)) + (await queued(small.company_id))).toBe(0))
  await runner.stop()
  expect(order.slice(0, 3)).toEqual([large, small, large].map(({ company_id }) => company_id))
})

test('changes that are being written while a rule is made match it or come before it, never neither', async () => {
  const { api, rule, company_id } = await company()
  const creates = Array.from({ length: 40 }, (_, i) =>
    api.createRecords({ object: 'people', records: [{ first_name: `P${i}` }] }),
  )
  const made = await rule('All')
  const times = (await Promise.all(creates)).map(({ records }) => records[0]!.id)
  const matched = await kith.db
    .selectFrom('deliveries')
    .select('record_id')
    .where('company_id', '=', company_id)
    .where('subscription_id', '=', made.id)
    .execute()
  await api.createRecords({ object: 'people', records: [{ first_name: 'Later' }] })
  expect(await queued(company_id)).toBe(matched.length + 1)
  expect(matched.every(({ record_id }) => times.includes(record_id))).toBe(true)
})
