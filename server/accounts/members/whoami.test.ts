import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'

const kith = await testApp()
const { given, withKey, withSession } = kith

test('whoami returns the time, time zone, currency, key and limits of the caller', async () => {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  await api.updateCompany({ time_zone: 'Asia/Kolkata', currency: 'EUR', rates: [{ currency: 'USD', rate: 0.9 }] })
  kith.time.now = new Date('2026-06-15T12:00:00Z')
  const me = await api.whoami({})
  expect(me).toMatchObject({
    time_zone: null,
    effective_time_zone: 'Asia/Kolkata',
    current_time: '2026-06-15T17:30:00+05:30',
    weekday: 'Monday',
    currency: 'EUR',
    rates: [{ currency: 'USD', rate: 0.9 }],
    api_key: { name: 'Test' },
    limits: { requests_per_second: 100, burst: 200, records_per_call: 100, answer_bytes: 24_576 },
  })
  await api.createRecords({ object: 'people', records: [{ first_name: 'Ada' }] })
  const { items } = await api.listChanges({ api_key_id: me.api_key!.id })
  expect(items[0]!.operation, 'its own key is what its changes are found by').toBe('createRecords')
  await api.updateMe({ time_zone: 'America/St_Johns' })
  expect(await api.whoami({})).toMatchObject({
    effective_time_zone: 'America/St_Johns',
    current_time: '2026-06-15T09:30:00-02:30',
  })
  expect(await withSession(await given.session(admin)).whoami({})).toMatchObject({ api_key: null })
})
