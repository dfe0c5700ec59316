import { Webhook as Referee } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { webhookPayload } from '../../contract/record-events.ts'
import { everything } from '../../contract/shared/access.ts'
import { testApp } from '../../test/app.ts'
import { testHooks, testReceiver } from '../../test/receiver.ts'
import { soon } from '../../test/worker.ts'

const kith = await testApp({ own: true })
kith.time.now = new Date()
const receiver = await testReceiver()
await testHooks(kith)
const { given, withKey, withSession } = kith
let paths = 0

async function company() {
  const admin = await given.company({ name: 'Acme', adminName: 'Ada Admin' })
  const key = await given.key(admin)
  const path = `/${++paths}`
  return { admin, key, api: withKey(key), path, target_url: receiver.url + path }
}
const person = async (api: Awaited<ReturnType<typeof company>>['api'], values: Record<string, unknown> = {}) =>
  (await api.createRecords({ object: 'people', records: [{ first_name: 'Eve', ...values }] })).records[0]!.id

test('a change arrives as a signed event with the record, the values before and after, and who made it', async () => {
  const { api, admin, path, target_url } = await company()
  const { secret, ...webhook } = await api.createWebhook({ target_url, description: 'Orders', events: ['*'] })
  expect(webhook).toMatchObject({ state: 'active', owner_id: admin.user_id, events: ['*'], object: null })
  const id = await person(api, { score: 1 })
  await api.updateRecords({ object: 'people', records: [{ id, values: { score: 2 } }] })
  await soon(async () => expect(receiver.at(path)).toHaveLength(2))
  const [, updated] = receiver.at(path).toSorted((a, b) => a.payload.version! - b.payload.version!)
  expect(() => new Referee(secret).verify(updated!.body, updated!.headers as never)).not.toThrow()
  expect(() => new Referee(secret).verify(`${updated!.body} `, updated!.headers as never)).toThrow()
  expect(webhookPayload.parse(updated!.payload)).toMatchObject({
    id: updated!.headers['webhook-id'],
    type: 'record.updated',
    company: { id: admin.company_id, name: 'Acme' },
    principal: { kind: 'user', id: admin.user_id, name: 'Ada Admin', via: 'rest', api_key_name: 'Test' },
    object: 'people',
    record_id: id,
    version: 2,
    record: { id, first_name: 'Eve', score: 2, version: 2 },
    changed_fields: ['score'],
    fields: { score: { from: 1, to: 2 } },
    link: `http://localhost:3000/records/people/${id}`,
    bulk: false,
    replay: false,
    test: false,
  })
  const { items } = await api.listEvents({ record_id: id })
  expect(items[0]).toEqual(updated!.payload)
  expect(items[1]!.record).toMatchObject({ score: 1, version: 1 })
  const listed = await api.listWebhookDeliveries({ id: webhook.id })
  expect(listed.items).toMatchObject([{ state: 'delivered', attempts: 1, last_status: 200 }, { state: 'delivered' }])
  const details = await api.getWebhookDelivery({ id: webhook.id, delivery_id: listed.items[0]!.id })
  expect(details.body).toBe(receiver.at(path).find(({ payload }) => payload.id === details.event_id)!.body)
  expect(details.log[0]).toMatchObject({
    number: 1,
    status: 200,
    request_headers: { 'webhook-id': details.event_id, 'content-type': 'application/json' },
  })
  expect(JSON.stringify(await api.getWebhook({ id: webhook.id }))).not.toContain(secret.slice(6))
  expect(kith.logged.join()).not.toContain(secret.slice(6))
})

test('only events of the chosen types and records that match before or after the change are sent', async () => {
  const { api, target_url, path } = await company()
  const base = { object: 'people', filter: 'score > 5' }
  await api.createWebhook({ ...base, target_url: `${target_url}/after`, events: ['record.updated'] })
  await api.createWebhook({ ...base, target_url: `${target_url}/before`, filter_on: 'before' })
  await api.createWebhook({ target_url: `${target_url}/notes`, object: 'notes' })
  await api.createWebhook({ target_url: `${target_url}/fields`, object: 'people', fields: ['score'] })
  await api.createWebhook({ target_url: `${target_url}/related`, object: 'people', filter: 'organization.name = Acme' })
  const { records } = await api.createRecords({ object: 'organizations', records: [{ name: 'Acme' }] })
  const id = await person(api, { organization: records[0]!.id })
  for (const score of [3, 9, 4]) await api.updateRecords({ object: 'people', records: [{ id, values: { score } }] })
  const versions = (name: string) =>
    receiver
      .at(`${path}/${name}`)
      .map(({ payload }) => payload.version)
      .sort()
  await soon(async () =>
    expect([versions('fields'), versions('related')]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]),
  )
  await soon(async () => expect([versions('after'), versions('before')]).toEqual([[3], [4]]))
  expect(versions('notes')).toEqual([])
  const last = receiver.at(`${path}/fields`).find(({ payload }) => payload.version === 4)!.payload
  expect(last.record).toEqual({ id, version: 4, title: 'Eve', score: 4 })
  const refused = [
    { filter: 'score > 5' },
    { object: 'people', fields: ['nothing'] },
    { object: 'people', filter: 'organization.name = Acme', filter_on: 'before' },
    { object: 'people', filter: 'nothing = 1' },
    { headers: { 'Webhook-Id': 'x' } },
    { headers: { 'x-a': 'a\nb' } },
  ]
  for (const wrong of refused)
    await expect(api.createWebhook({ target_url, ...wrong } as never)).rejects.toMatchObject({
      problem: { status: 422 },
    })
})

test('a payload of 20 kB or more has only the names of the changed fields and a link', async () => {
  const { api, path, target_url } = await company()
  await api.createWebhook({ target_url, object: 'notes' })
  await api.createRecords({ object: 'notes', records: [{ body: 'x'.repeat(30_000) }] })
  await soon(async () => expect(receiver.at(path)).toHaveLength(1))
  const [{ payload, body }] = receiver.at(path) as [(typeof receiver.received)[number]]
  expect(payload).toMatchObject({
    is_shortened: true,
    record: null,
    fields: {},
    link: expect.stringContaining('/notes/'),
  })
  expect(payload.changed_fields).toContain('body')
  expect(Buffer.byteLength(body)).toBeLessThan(20_000)
})

test('a replaced secret is valid for the chosen time beside the new one, and then no longer', async () => {
  const { api, path, target_url } = await company()
  const { secret: old, id } = await api.createWebhook({ target_url })
  const { secret, old_secret_expires_at } = await api.renewWebhookSecret({ id, overlap_hours: 2 })
  expect(Date.parse(old_secret_expires_at!) - kith.time.now.getTime()).toBe(2 * 3_600_000)
  const verify = (with_secret: string) => {
    const { body, headers } = receiver.at(path).at(-1)!
    return () => new Referee(with_secret).verify(body, headers as never)
  }
  await person(api)
  await soon(async () => expect(receiver.at(path)).toHaveLength(1))
  expect(receiver.at(path)[0]!.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
  for (const one of [old, secret]) expect(verify(one)).not.toThrow()
  await api.renewWebhookSecret({ id, overlap_hours: 0 })
  await person(api)
  await soon(async () => expect(receiver.at(path)).toHaveLength(2))
  for (const one of [old, secret]) expect(verify(one)).toThrow()
})

test('custom headers are sent, never shown, and stay with the host that they were entered for', async () => {
  const { api, path, target_url } = await company()
  const headers = { Authorization: 'Bearer top-secret', 'X-Team': 'sales' }
  const { id, header_names } = await api.createWebhook({ target_url, headers })
  expect(header_names).toEqual(['Authorization', 'X-Team'])
  await api.updateWebhook({ id, headers: { 'x-team': 'support', 'X-More': 'yes' } })
  await person(api)
  await soon(async () => expect(receiver.at(path)).toHaveLength(1))
  expect(receiver.at(path)[0]!.headers).toMatchObject({
    authorization: 'Bearer top-secret',
    'x-team': 'support',
    'x-more': 'yes',
  })
  const { items } = await soon(async () => {
    const page = await api.listWebhookDeliveries({ id })
    expect(page.items).toMatchObject([{ state: 'delivered' }])
    return page
  })
  const log = JSON.stringify(await api.getWebhookDelivery({ id, delivery_id: items[0]!.id }))
  expect(log).not.toContain('top-secret')
  const { rows } = await kith.pool.query('select w::text, d::text from webhooks w, webhook_deliveries d')
  expect(JSON.stringify(rows)).not.toContain('top-secret')
  const elsewhere = api.updateWebhook({ id, target_url: 'https://other.example/' })
  await expect(elsewhere).rejects.toMatchObject({ problem: { status: 422, errors: [{ path: 'headers' }] } })
  const none = { authorization: null, 'x-team': null, 'x-more': null }
  expect(await api.updateWebhook({ id, target_url: 'https://other.example/', headers: none })).toMatchObject({
    header_names: [],
  })
})

test('a webhook sends only what its owner may read, also when rights change later', async () => {
  const { api, admin, path, target_url } = await company()
  const boss = withSession(await given.session(admin))
  const none = { read: 'none' as const, create: false, edit: 'none' as const, delete: 'none' as const }
  const role = await boss.createRole({
    name: 'Own people',
    records: { '*': none, people: { ...everything, read: 'own' } },
    grants: ['webhooks.manage'],
  })
  const sam = await given.user(admin, { name: 'Sam', role: role.name })
  const limited = withKey(await given.key(sam))
  const { id } = await limited.createWebhook({ target_url })
  const foreign = limited.createWebhook({ target_url, object: 'deals' })
  await expect(foreign).toBeRefused(422)
  const mine = await person(api, { owner: sam.user_id })
  await person(api)
  await api.createRecords({ object: 'deals', records: [{ name: 'Roof' }] })
  await soon(async () => expect(receiver.at(path)).toHaveLength(1))
  expect(receiver.at(path)[0]!.payload).toMatchObject({
    record_id: mine,
    principal: { name: 'Ada Admin', api_key_id: null, api_key_name: null, client: null },
  })
  const other = withKey(await given.key(await given.user(admin, { grants: ['webhooks.manage'] })))
  await expect(other.getWebhook({ id })).rejects.toMatchObject({ problem: { status: 404 } })
  expect((await other.listWebhooks({})).items).toEqual([])
  expect((await api.listWebhooks({})).items).toMatchObject([{ id, owner_name: 'Sam' }])
  await api.pauseWebhook({ id })
  await api.updateRecords({ object: 'people', records: [{ id: mine, values: { owner: admin.user_id } }] })
  const [sent] = (await api.listWebhookDeliveries({ id })).items
  await api.retryWebhookDelivery({ id, delivery_id: sent!.id })
  await api.resumeWebhook({ id })
  await soon(async () => {
    const { items } = await api.listWebhookDeliveries({ id, state: 'cancelled' })
    expect(items).toMatchObject([{ replay: true, reason: expect.stringContaining('no longer see') }])
  })
  expect(receiver.at(path)).toHaveLength(1)
})

test('when its owner leaves, a webhook passes to a successor who may manage webhooks, or pauses', async () => {
  const { api, admin, target_url } = await company()
  const boss = withSession(await given.session(admin))
  const grants = ['webhooks.manage' as const]
  const [sam, max] = [await given.user(admin, { grants }), await given.user(admin)]
  const made = []
  for (const user of [sam, await given.user(admin, { grants })]) {
    const { id } = await withKey(await given.key(user)).createWebhook({ target_url })
    made.push({ user, id })
  }
  await boss.deactivateUser({ id: made[0]!.user.user_id, reassign_to: admin.user_id })
  await boss.deleteUser({ id: made[1]!.user.user_id, reassign_to: max.user_id })
  expect(await api.getWebhook({ id: made[0]!.id })).toMatchObject({ owner_id: admin.user_id, state: 'active' })
  expect(await api.getWebhook({ id: made[1]!.id })).toMatchObject({ state: 'paused' })
})

test('a webhook whose owner may no longer manage webhooks is disabled, and an Admin who resumes it becomes its owner', async () => {
  const { admin, api, path, target_url } = await company()
  const wanda = await given.user(admin, { name: 'Wanda', grants: ['webhooks.manage'] })
  const hers = withKey(await given.key(wanda))
  const { id } = await hers.createWebhook({ target_url, object: 'people' })
  await person(api)
  await soon(async () => expect(receiver.at(path)).toHaveLength(1))
  await kith.pool.query(
    `update roles set grants = '{}' where company_id = $1 and id = (select role_id from users where company_id = $1 and id = $2)`,
    [admin.company_id, wanda.user_id],
  )
  await person(api)
  const disabled = await soon(async () => {
    const webhook = await api.getWebhook({ id })
    expect(webhook.state).toBe('disabled')
    return webhook
  })
  expect(disabled.disabled_reason).toBe(
    'Its owner, Wanda, is no longer allowed to manage webhooks. An Admin who resumes it becomes its owner.',
  )
  expect((await api.listWebhookDeliveries({ id })).items).toMatchObject([{ state: 'failed' }, { state: 'delivered' }])
  for (const one of [api, hers])
    await soon(async () =>
      expect((await one.listNotifications({})).items[0]).toMatchObject({ kind: 'webhook_disabled' }),
    )
  expect(await api.resumeWebhook({ id })).toMatchObject({ state: 'active', owner_id: admin.user_id })
  await person(api)
  await soon(async () => expect(receiver.at(path)).toHaveLength(2))
})

test('a webhook that could never fire is refused', async () => {
  const { api, target_url } = await company()
  const silent = { events: ['message.received', 'conversation.closed'] as const, object: 'people' }
  await expect(api.createWebhook({ target_url, ...silent } as never)).toBeRefused(422)
  const { id } = await api.createWebhook({ target_url, events: ['message.received'] })
  await expect(api.updateWebhook({ id, object: 'people' })).toBeRefused(422)
  await api.updateWebhook({ id, object: 'people', events: ['message.received', 'record.created'] })
})
