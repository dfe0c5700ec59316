import { describe, expect, test } from 'vitest'
import { mostKeys } from '../../../contract/api-keys.ts'
import { testApp } from '../../../test/app.ts'
import { newKeyValue } from './queries.ts'

const kith = await testApp()
const person = async () => {
  const owner = await kith.given.company()
  return { owner, api: kith.withSession(await kith.given.session(owner)) }
}

describe('the value of a key', () => {
  test('has 64 base62 characters, all equally likely, and is never repeated', () => {
    const keys = Array.from({ length: 10_000 }, newKeyValue)
    expect(new Set(keys).size).toBe(keys.length)
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9]{64}$/)
    for (let position = 0; position < 64; position++) {
      const counts = new Map<string, number>()
      for (const key of keys) counts.set(key[position]!, (counts.get(key[position]!) ?? 0) + 1)
      const expected = keys.length / 62
      const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
      expect(chiSquare, `position ${position}`).toBeLessThan(130) // 61 degrees of freedom: beyond it once in 600,000.
    }
  })

  test('appears only in the response to its creation: not in the database, the log or any other response', async () => {
    const { owner, api } = await person()
    const { key, value } = await api.createApiKey({ name: 'Canary' })
    expect(value.slice(0, 4)).toBe(key.prefix)
    expect((await kith.withKey(value).whoami({})).id).toBe(owner.user_id)
    await kith.requests.flush()
    const others = await Promise.all([
      api.listApiKeys({}),
      api.listAuditEvents({}),
      api.listRequests({}),
      api.listChanges({}),
    ])
    expect(JSON.stringify(others)).not.toContain(value)
    expect(kith.logged.join('')).not.toContain(value)
    const { rows } = await kith.pool.query(`select tablename from pg_tables where schemaname = 'public'`)
    for (const { tablename } of rows) {
      const found = await kith.pool.query(
        `select count(*)::int as count from ${tablename} t where t::text like '%' || $1 || '%'`,
        [value],
      )
      expect(found.rows[0].count, tablename).toBe(0)
    }
  })
})

test('a key is listed with its prefix, and no more of its value', async () => {
  const { api } = await person()
  const { value } = await api.createApiKey({ name: 'Laptop' })
  await kith.withKey(value).whoami({})
  await kith.requests.flush()
  const { items } = await api.listApiKeys({})
  expect(items).toMatchObject([
    {
      name: 'Laptop',
      prefix: value.slice(0, 4),
      calls_7_days: 1,
      last_ip: '127.0.0.1',
      last_client: 'lightMyRequest',
      recent_clients: [{ name: 'lightMyRequest' }],
      replaces_id: null,
    },
  ])
  expect(JSON.stringify(items)).not.toContain(value.slice(0, 8))
})

test('calls are counted over seven days, clients listed for 24 hours', async () => {
  const { api } = await person()
  const { value } = await api.createApiKey({ name: 'Old' })
  await kith.withKey(value).whoami({})
  await kith.requests.flush()
  const now = kith.time.now
  kith.time.now = new Date(now.getTime() + 2 * 86_400_000)
  expect((await api.listApiKeys({})).items[0]).toMatchObject({ calls_7_days: 1, recent_clients: [] })
  kith.time.now = new Date(now.getTime() + 6.5 * 86_400_000)
  await kith.withKey(value).whoami({})
  kith.time.now = now
  await kith.requests.flush()
})

test('a key can be renamed, and a new key can name the one it replaces', async () => {
  const { api } = await person()
  const { key } = await api.createApiKey({ name: 'Laptop' })
  expect((await api.updateApiKey({ id: key.id, name: 'Old laptop' })).name).toBe('Old laptop')
  const next = await api.createApiKey({ name: 'Laptop', replaces_id: key.id })
  expect(next.key.replaces_id).toBe(key.id)
})

test('several keys can be deleted in one call; they stop working immediately and stay in the audit log', async () => {
  const { api } = await person()
  const made = [
    await api.createApiKey({ name: 'A' }),
    await api.createApiKey({ name: 'B' }),
    await api.createApiKey({ name: 'C' }),
  ]
  await api.deleteApiKeys({ ids: made.slice(0, 2).map(({ key }) => key.id) })
  for (const { value } of made.slice(0, 2)) await expect(kith.withKey(value).whoami({})).toBeRefused(401)
  expect((await kith.withKey(made[2]!.value).whoami({})).role).toBe('Admin')
  expect((await api.listApiKeys({})).items.map((key) => key.name)).toEqual(['C'])
  const { items } = await api.listAuditEvents({})
  const actions = items.map((item) => item.action).filter((action) => action.startsWith('api_key.'))
  expect(actions).toEqual([
    'api_key.deleted',
    'api_key.deleted',
    'api_key.created',
    'api_key.created',
    'api_key.created',
  ])
})

test("nobody touches another's keys: they are not found, and of a mixed selection none is deleted", async () => {
  const { api } = await person()
  const other = await person()
  const mine = await api.createApiKey({ name: 'Mine' })
  const theirs = await other.api.createApiKey({ name: 'Theirs' })
  await expect(api.updateApiKey({ id: theirs.key.id, name: 'Taken' })).toBeRefused(404)
  await expect(api.deleteApiKeys({ ids: [mine.key.id, theirs.key.id] })).toBeRefused(404)
  await expect(api.createApiKey({ name: 'Next', replaces_id: theirs.key.id })).toBeRefused(422)
  expect((await kith.withKey(mine.value).whoami({})).name).toBe('Ada Admin')
})

test(`a user can have at most ${mostKeys} keys, even with concurrent requests`, async () => {
  const { api } = await person()
  const made = await Promise.allSettled(
    Array.from({ length: mostKeys + 5 }, (_, i) => api.createApiKey({ name: `Key ${i}` })),
  )
  expect(made.filter((one) => one.status === 'fulfilled')).toHaveLength(mostKeys)
  await expect(api.createApiKey({ name: 'One more' })).toBeRefused(409)
})

test.each([[''], ['   '], ['a'.repeat(101)], ['two\nlines']])('the name %j is refused', async (name) => {
  const { api } = await person()
  await expect(api.createApiKey({ name })).toBeRefused(422)
})

test('a key cannot create, list or delete keys, via REST or MCP', async () => {
  const { owner } = await person()
  const value = await kith.given.key(owner)
  for (const [method, path] of [
    ['GET', '/api-keys'],
    ['POST', '/api-keys'],
    ['PATCH', '/api-keys/x'],
    ['POST', '/api-keys/deletion'],
  ] as const) {
    const headers = { 'x-api-key': value, 'content-type': 'application/json' }
    expect((await kith.send(`/api/v1${path}`, { method, headers })).status).toBe(404)
    expect((await kith.send(`/app/api${path}`, { method, headers })).status).toBe(401)
  }
})
