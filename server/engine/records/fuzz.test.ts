// Whatever is sent, the answer is a record or a refusal.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { print } from '../../../contract/filter/index.ts'
import { testApp } from '../../../test/app.ts'
import { anyTree } from '../../../test/filter/trees.ts'
import { mcpFor } from '../../../test/mcp.ts'
import { inTurns, runs, seed } from '../../../test/random.ts'
import { isTaken } from '../../../test/records/refusal.ts'
import { kinds, withEveryKind } from '../../../test/records/values.ts'

const kith = await testApp()
const { given, withKey, send } = kith

async function newCompany() {
  const key = await given.key(await given.company())
  return { key, api: withKey(key) }
}

describe('values that cannot be stored', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`
  const bad = {
    nul: '"a\\u0000b"',
    'half a character': '"\\ud800"',
    'the other half': '"\\udc00x"',
    prototype: '{"__proto__":{"a":1}}',
    'a huge number': '5389444145544443210',
    'an endless number': '1e999',
    'deep lists': nested(200),
    'very deep lists': nested(20_000),
    'deep objects': `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  }

  test('are refused with 4xx anywhere in the body, and nothing is written', async () => {
    const { api, key } = await withEveryKind(kith)
    const mcp = await mcpFor(kith)
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const first = (await api.listRecords({ object: 'things' })).records[0]!
    const bodies: [method: string, path: string, around: (value: string) => string][] = [
      ...kinds.map(({ key }): (typeof bodies)[number] => [
        'POST',
        '/records/things',
        (value) => `{"records":[{"name":"bad","${key}":${value}}]}`,
      ]),
      ['POST', '/records/things', (value) => `{"records":${value}}`],
      ['PATCH', '/records/things', (value) => `{"records":[{"id":"${first.id}","values":{"name":${value}}}]}`],
      ['PATCH', '/records/things', (value) => `{"records":[{"id":"${first.id}","version":${value},"values":{}}]}`],
      [
        'PUT',
        '/records/things',
        (value) => `{"match_on":"unique_text","records":[{"name":"bad","unique_text":${value}}]}`,
      ],
      ['POST', '/records/things/query', (value) => `{"filter":{"field":"name","op":"eq","value":${value}}}`],
      ['POST', '/records/things/query', (value) => `{"filter":${value}}`],
      ['POST', '/records/things/query', (value) => `{"sort":[${value}]}`],
      ['POST', '/records/things/query', (value) => `{"cursor":${value}}`],
      ['POST', '/records/things/lookup', (value) => `{"by":[{"field":"unique_text","value":${value}}]}`],
      ['POST', '/records/things/deletion', (value) => `{"ids":[${value}]}`],
      [
        'POST',
        '/objects/things/fields',
        (value) => `{"key":"bad","label":"Bad","type":"text","default_value":${value}}`,
      ],
      ['POST', '/objects/things/fields', (value) => `{"key":"bad","label":"Bad","type":"text","description":${value}}`],
      ['POST', '/changes/undo', (value) => `{"client":${value},"since":"2026-01-01T00:00:00Z"}`],
    ]
    for (const [name, value] of Object.entries(bad)) {
      await inTurns(bodies, async ([method, path, around]) => {
        const { status } = await send(`/api/v1${path}`, { method, headers, body: around(value) })
        expect(status, `${name} at ${path}: ${around('…')}`).toBeOneOf([400, 404, 409, 413, 422])
      })
      const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_records","arguments":{"object":"things","records":[{"name":${value}}]}}}`
      const { status, rpc } = await mcp.post(key, text)
      expect(status, `${name} over MCP`).toBeLessThan(500)
      expect(rpc.error ?? rpc.result?.isError, `${name} over MCP`).toBeTruthy()
    }
    expect(await api.countRecords({ object: 'things' })).toMatchObject({ count: 1 })
  })

  test('are also refused in a URL', async () => {
    const { key } = await newCompany()
    const get = async (path: string) =>
      (await send(`/api/v1/records/${path}`, { headers: { 'x-api-key': key } })).status
    for (const path of [
      'people?filter=%00',
      'people?filter=city%20%3D%20%22a%00b%22',
      'people?filter=search(%22%ED%A0%80%22)',
      'people?sort=%00',
      'people?sort=-',
      'people?cursor=%00',
      'people?fields=%00',
      'people?fields=.',
      'people?fields=organization.',
      'people?limit=1e3',
      'people?limit=99999999999999999999',
      '%00',
      'people/%00',
      '__proto__',
      'constructor',
      'people?sort=__proto__',
      'people?fields=constructor',
      'people?filter=__proto__%20%3D%201',
    ])
      expect(await get(path), path).toBeOneOf([200, 400, 404, 422])
  })
})

describe('any query', () => {
  test('is answered or refused, whatever its filter', async () => {
    const { api } = await newCompany()
    await api.createRecords({ object: 'people', records: [{ first_name: 'Ada', score: 1 }] })
    const filters = fc.sample(anyTree, { seed, numRuns: runs(150) })
    await inTurns(filters, async (filter) => {
      await isTaken(api.queryRecords({ object: 'people', filter: filter as never }))
      await isTaken(api.listRecords({ object: 'people', filter: print(filter).slice(0, 9000) }))
    })
    for (const filter of [
      'created_at < 0001-01-01',
      'created_at = 0001-01-01',
      'created_at <= 9999-12-31',
      'created_at > +1000y',
      'created_at > -999999min',
      `score = ${'9'.repeat(400)}`,
      `score > -${'9'.repeat(400)}`,
      'score between 5 and 1',
      'id ~ "%"',
      'city starts with "\\\\"',
      'emails ~ "_"',
    ])
      await isTaken(api.listRecords({ object: 'people', filter }))
  })

  test('is answered or refused, however its cursor was changed', async () => {
    const { api } = await newCompany()
    await api.createRecords({ object: 'people', records: [{ score: 1 }, { score: 2 }, { score: 3 }] })
    for (const sort of [[], ['score'], ['status', '-created_at'], ['owner'], ['title']]) {
      const { next_cursor } = await api.listRecords({ object: 'people', sort, limit: 1 })
      const cursor = JSON.parse(Buffer.from(next_cursor!, 'base64url').toString())
      const part = fc.oneof(
        fc.jsonValue(),
        fc.constantFrom('NaN', 'Infinity', '1e400', '2026-02-30 00:00:00+00', '-'.repeat(36), '\0', '\ud800'),
      )
      const changed = fc.record(
        { at: part, values: fc.oneof(part, fc.array(part)), id: part },
        { requiredKeys: [], noNullPrototype: true },
      )
      await inTurns(fc.sample(changed, { seed, numRuns: runs(25) }), async (change) => {
        const text = Buffer.from(JSON.stringify({ ...cursor, ...change })).toString('base64url')
        await isTaken(api.listRecords({ object: 'people', sort, limit: 1, cursor: text.slice(0, 4000) }))
      })
    }
  })
})
