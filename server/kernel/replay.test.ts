import { expect, test } from 'vitest'
import { everything } from '../../contract/shared/access.ts'
import { testApp } from '../../test/app.ts'

const kith = await testApp()

test('a stored response is not repeated to someone who has lost the right since', async () => {
  const admin = await kith.given.company()
  const boss = kith.withSession(await kith.given.session(admin))
  const role = await boss.createRole({ name: 'Own', grants: [], records: { '*': everything } })
  const key = await kith.given.key(await kith.given.user(admin, { role: 'Own' }))
  const create = () =>
    kith.send('/api/v1/records/people', {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'k1' },
      body: JSON.stringify({ records: [{ last_name: 'Lovelace' }] }),
    })
  const first = await create()
  expect(first.status).toBe(201)
  expect(await (await create()).json()).toEqual(await first.json())
  await boss.updateRole({ id: role.id, records: { '*': { ...everything, create: false } } })
  expect((await create()).status).toBe(403)
  const none = { read: 'none', create: false, edit: 'none', delete: 'none' } as const
  await boss.updateRole({ id: role.id, records: { '*': everything, people: none } })
  expect((await create()).status).toBe(404)
})

test('a dry run leaves the idempotency key to the call that follows it', async () => {
  const key = await kith.given.key(await kith.given.company())
  const create = (dry_run: boolean) =>
    kith.send('/api/v1/records/people', {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'k2' },
      body: JSON.stringify({ records: [{ last_name: 'Lovelace' }], dry_run }),
    })
  expect((await create(true)).status).toBe(201)
  expect((await create(false)).status).toBe(201)
})
