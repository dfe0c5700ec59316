import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { soon } from '../../test/worker.ts'
import { deliveryWork } from '../engine/subscriptions/deliver/runner.ts'
import { findDueWork } from '../kernel/due-work.ts'
import { startWorkers } from '../kernel/worker.ts'
import { noteUnsent } from './log-unsent.ts'

const kith = await testApp({ own: true })

test('an event that cannot be prepared is in the log of its webhook, with what to do about it', async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const { id } = await api.createWebhook({ target_url: 'https://hooks.example.com/kith', object: 'people' })
  const { records } = await api.createRecords({ object: 'people', records: [{ first_name: 'Eve' }] })
  await findDueWork(kith.db)
  const parts = { ...kith, clock: () => kith.time.now }
  const handlers = {
    notification: async () => {},
    webhook: async () => {
      throw new Error('no payload')
    },
    givenUp: noteUnsent,
  }
  const runner = startWorkers(parts, [deliveryWork({ ...parts, handlers })])
  for (let attempt = 1; attempt < 10; attempt++) {
    await soon(async () => {
      const { rows } = await sql<{ attempts: number }>`select attempts from deliveries`.execute(kith.db)
      expect(rows).toEqual([{ attempts: attempt }])
    })
    kith.minutes(20)
    runner.wake('deliveries')
  }
  const failed = () => api.listWebhookDeliveries({ id, state: 'failed' })
  await soon(async () => expect((await failed()).items).toHaveLength(1))
  await runner.stop()
  const [delivery] = (await failed()).items
  expect(delivery).toMatchObject({
    record_id: records[0]!.id,
    type: 'record.created',
    reason: expect.stringContaining('Replay'),
  })
  expect(kith.logged.filter((line) => line.includes('giving up'))).toHaveLength(1)
  await expect(api.retryWebhookDelivery({ id, delivery_id: delivery!.id })).toBeRefused(409)
  expect(await api.retryFailedWebhookDeliveries({ id, since: '-2d' })).toEqual({ queued: 0 })
})
