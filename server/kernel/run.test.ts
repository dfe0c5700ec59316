import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'

const kith = await testApp({ own: true })

describe('a write', () => {
  test('leaves a change set, an event and an audit entry, all naming the caller and the request', async () => {
    const admin = await kith.given.company({ name: 'Before' })
    const key = await kith.given.key(admin)
    const answer = await kith.send('/api/v1/company', {
      method: 'PATCH',
      body: '{"name":"After"}',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'user-agent': 'agent/1.2' },
    })
    const request_id = answer.headers.get('x-request-id')!
    const api = kith.withKey(key)
    const [set] = (await api.listChanges({})).items
    expect(set).toMatchObject({
      request_id,
      operation: 'updateCompany',
      actor_id: admin.user_id,
      actor_name: 'Ada Admin',
      door: 'rest',
      client: 'agent/1.2',
      changes: [
        {
          object: 'company',
          record_id: admin.company_id,
          action: 'updated',
          fields: { name: { from: 'Before', to: 'After' } },
        },
      ],
    })
    expect(set?.api_key_id).toBeTruthy()
    const [entry] = (await api.listAuditEvents({ request_id })).items
    expect(entry).toMatchObject({
      action: 'company.updated',
      actor_id: admin.user_id,
      door: 'rest',
      data: { fields: ['name'] },
    })
    const events = await kith.db.selectFrom('outbox').selectAll().where('request_id', '=', request_id).execute()
    expect(events).toMatchObject([
      { event: 'company.updated', company_id: admin.company_id, payload: { name: 'After' } },
    ])
  })

  test('that changes nothing leaves nothing behind', async () => {
    const admin = await kith.given.company({ name: 'Same' })
    const api = kith.withKey(await kith.given.key(admin))
    await api.updateCompany({ name: 'Same' })
    await api.updateCompany({})
    expect((await api.listChanges({})).items).toEqual([])
  })

  test('that is refused is in the audit log', async () => {
    const admin = await kith.given.company()
    const member = await kith.given.user(admin)
    await expect(kith.withKey(await kith.given.key(member)).updateCompany({ name: 'Mine' })).toBeRefused(
      403,
      'forbidden',
    )
    await kith.refusals.flush()
    const { items } = await kith.withKey(await kith.given.key(admin)).listAuditEvents({ action: 'access.refused' })
    expect(items).toMatchObject([{ actor_id: member.user_id, data: { operation: 'updateCompany' } }])
  })
})

describe('an idempotency key', () => {
  const rename = (key: string, idempotency: string, name: string) =>
    kith.send('/api/v1/company', {
      method: 'PATCH',
      body: JSON.stringify({ name }),
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': idempotency },
    })

  test('makes 100 identical concurrent requests act once, with one response for all', async () => {
    const admin = await kith.given.company()
    const key = await kith.given.key(admin)
    // A busy server may answer 503; clients then retry.
    const ask = async (): Promise<Response> => {
      const answer = await rename(key, 'k1', 'Once')
      return answer.status === 503 ? ask() : answer
    }
    const answers = await Promise.all(Array.from({ length: 100 }, ask))
    const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(bodies.size).toBe(1)
    expect((await kith.withKey(key).listChanges({})).items).toHaveLength(1)
  })

  test('with another input is 422', async () => {
    const key = await kith.given.key(await kith.given.company())
    await rename(key, 'k1', 'One')
    const answer = await rename(key, 'k1', 'Two')
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ code: 'idempotency_key_reused' })
  })

  test('belongs to one user', async () => {
    const admin = await kith.given.company()
    const other = await kith.given.user(admin, { grants: ['company.manage'] })
    await rename(await kith.given.key(admin), 'k1', 'One')
    expect((await rename(await kith.given.key(other), 'k1', 'Two')).status).toBe(200)
  })

  test('returns the stored response only to callers who still have the right', async () => {
    const admin = await kith.given.company()
    const holder = await kith.given.user(admin, { grants: ['company.manage'] })
    const key = await kith.given.key(holder)
    expect((await rename(key, 'k1', 'One')).status).toBe(200)
    await kith.db.updateTable('roles').set({ grants: [] }).where('company_id', '=', admin.company_id).execute()
    expect((await rename(key, 'k1', 'One')).status).toBe(403)
  })

  test('of a request that failed can be used again', async () => {
    const key = await kith.given.key(await kith.given.company())
    expect((await rename(key, 'k1', '')).status).toBe(422)
    expect((await rename(key, 'k1', 'Good')).status).toBe(200)
  })
})

test('a request can be found by the id that its answer carried', async () => {
  const admin = await kith.given.company()
  const key = await kith.given.key(admin)
  const answer = await kith.send('/api/v1/company', { headers: { 'x-api-key': key, 'user-agent': 'agent/1.2' } })
  await kith.requests.flush()
  const request_id = answer.headers.get('x-request-id')!
  const { items } = await kith.withKey(key).listRequests({ request_id })
  expect(items).toMatchObject([
    {
      request_id,
      method: 'GET',
      route: '/api/v1/company',
      operation: 'getCompany',
      status: 200,
      door: 'rest',
      client: 'agent/1.2',
      user_name: 'Ada Admin',
    },
  ])
})

test('in a storm of reads every request can still be found by its id, in the request log or in the file', async () => {
  const admin = await kith.given.company()
  const answers: Response[] = []
  for (let burst = 0; burst < 3; burst++) {
    const key = await kith.given.key(admin)
    const sent = Array.from({ length: 100 }, () => kith.send('/api/v1/me', { headers: { 'x-api-key': key } }))
    answers.push(...(await Promise.all(sent)))
  }
  await kith.requests.flush()
  const ids = answers.map((answer) => answer.headers.get('x-request-id')!)
  const rows = await kith.db.selectFrom('requests').select('id').where('id', 'in', ids).execute()
  const inLog = new Set(rows.map((row) => row.id))
  const infoLines = kith.logged.map((line) => JSON.parse(line)).filter((line) => line.level >= 30)
  const inFile = new Set(infoLines.map((line) => line.request_id))
  expect(ids.filter((id) => !inLog.has(id) && !inFile.has(id))).toEqual([])
})

test('each page continues where the last one ended', async () => {
  const admin = await kith.given.company()
  for (let i = 0; i < 5; i++) {
    await kith.given.user(admin, { name: `User ${i}` })
    await sleep(2)
  }
  const api = kith.withKey(await kith.given.key(admin))
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = await api.listUsers({ limit: 2, cursor })
    names.push(...page.items.map((user) => user.name))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  expect(names).toEqual(['User 4', 'User 3', 'User 2', 'User 1', 'User 0', 'Ada Admin'])
})

test('a Member sees what they changed themselves, and no email addresses of others', async () => {
  const admin = await kith.given.company()
  const member = await kith.given.user(admin)
  await kith.withKey(await kith.given.key(admin)).updateCompany({ name: 'By the Admin' })
  const api = kith.withKey(await kith.given.key(member))
  await api.updateMe({ name: 'Me' })
  expect((await api.listChanges({})).items.map((set) => set.operation)).toEqual(['updateMe'])
  expect((await api.listUsers({})).items.some((user) => 'email' in user)).toBe(false)
})
