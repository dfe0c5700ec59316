import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FieldType, fieldTypes, multiTypes, uniqueTypes } from '../../contract/field-types.ts'
import { print } from '../../contract/filter/index.ts'
import { type Api, testApp } from '../../test/app.ts'
import { anyTree } from '../../test/filter/trees.ts'
import { mcpFor } from '../../test/mcp.ts'
import { expectDerived } from '../../test/records/dump.ts'
import { ApiError } from '../../web/api.ts'

const kith = await testApp({ rateLimit: { perSecond: 1e6, burst: 1e6 } })
const { given, withKey, send } = kith
const seed = Number(process.env.FC_SEED ?? 20260617)
const valuesEach = 30
const atOnce = 10

async function newCompany() {
  const admin = await given.company()
  const key = await given.key(admin)
  return { admin, key, api: withKey(key), company_id: admin.company_id }
}

/** Whether a call was taken; it may be refused, but never fail. */
const isTaken = (call: Promise<unknown>) =>
  call.then(
    () => true,
    (error) => {
      if (error instanceof ApiError && error.problem.status < 500) return false
      throw error
    },
  )

const long = fc.tuple(
  fc.constantFrom('a', 'é', '😀', 'ﷺ', '漢'),
  fc.constantFrom(198, 199, 200, 254, 999, 1000, 1993, 2000),
)
const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
  fc.constantFrom(
    '',
    ' ',
    '\t',
    '\u00a0',
    '\u0301',
    '%',
    '_',
    '\\',
    "'",
    '"',
    '$1',
    '{}',
    'null',
    'a\u2028b',
    'İ',
    'ß',
  ),
  long.map(([letter, size]) => letter.repeat(size)),
  long.map(([letter, size]) => 'a'.repeat(size) + letter),
)
const likely: Record<FieldType, fc.Arbitrary<unknown>> = {
  text: texts,
  long_text: fc.oneof(texts, fc.constantFrom('a\nb', ' x \n', 'é'.repeat(100_000), `${'a '.repeat(15_000)}needle`)),
  number: fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-0, 1e15, 1e15 + 1, 5e-324, 0.1 + 0.2)),
  money: fc.oneof(
    fc.record(
      {
        amount: fc.oneof(fc.constantFrom('1', '-0', '007', '1.123456', '1.1234567', '1e3', ''), fc.double()),
        currency: fc.constantFrom('EUR', 'USD', 'eur', 'XYZ', null),
      },
      { requiredKeys: ['amount'], noNullPrototype: true },
    ),
    fc.double(),
    fc.constantFrom('12.50', '1,5'),
  ),
  boolean: fc.oneof(fc.boolean(), fc.constantFrom('true', 1, 0)),
  date: fc.constantFrom(
    '2026-06-15',
    '2026-02-30',
    '0000-01-01',
    '0001-01-01',
    '9999-12-31',
    '10000-01-01',
    '2026-6-1',
    ' 2026-06-15 ',
  ),
  datetime: fc.constantFrom(
    '2026-06-15T12:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-06-15T24:00:00Z',
    '0000-01-01T00:00:00+14:00',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '2026-06-15T12:00:00.123456789Z',
    '2026-06-15T12:00+05:45',
    '2026-06-15',
    '2026-06-15T12:60Z',
  ),
  select: fc.constantFrom('one', 'One', ' ONE ', 'two', 'none'),
  multi_select: fc.oneof(fc.subarray(['one', 'two', 'One', '']), fc.constantFrom('one', [['one']])),
  email: fc.oneof(
    fc.emailAddress(),
    fc.constantFrom('a@b.c', ' A@B.C ', 'jürgen@münchen.de', 'a@b', '@', 'a b@c.d', 'Ä@x.com'),
  ),
  phone: fc.oneof(
    fc.stringMatching(/^\+?[0-9 ()/-]{3,20}$/),
    fc.constantFrom('+49 30 1234567', '+12133734253', '1', '+49 30 1234567 ext. 5'),
  ),
  url: fc.oneof(
    fc.webUrl(),
    texts,
    fc.constantFrom(
      'example.com',
      'HTTP://X.com',
      'javascript:alert(1)',
      'ftp://x.com',
      '//x',
      `x.com/${'a'.repeat(1990)}`,
      'https://x.com/ä b',
    ),
  ),
  user: fc.constantFrom('me', 'ME', 'Ada Admin', 'nobody', '%', ''),
  relation: fc.constantFrom('First', 'first', 'nobody', '%', ' '),
}

/** A field of each kind, some in two numbers, and unique ones. */
const kinds = [
  ...fieldTypes.map((type) => ({ key: `one_${type}`, type, more: {} })),
  ...multiTypes.map((type) => ({ key: `many_${type}`, type, more: { is_multi: true } })),
  ...uniqueTypes.map((type) => ({ key: `unique_${type}`, type, more: { is_unique: true } })),
]

async function withEveryKind() {
  const company = await newCompany()
  const { api } = company
  await api.createObject({ key: 'things', label: 'Thing', label_plural: 'Things' })
  for (const { key, type, more } of kinds) {
    const options =
      type === 'select' || type === 'multi_select' ? { options: [{ label: 'One' }, { label: 'Two' }] } : {}
    await api.createField({ object: 'things', key, label: key, type, ...options, ...more })
  }
  await api.createRecords({ object: 'things', records: [{ name: 'First' }] })
  return company
}

const inTurns = async <T>(list: T[], work: (one: T) => Promise<void>) => {
  for (let i = 0; i < list.length; i += atOnce) await Promise.all(list.slice(i, i + atOnce).map(work))
}

describe('any value', () => {
  test('of any field is kept or refused; what is kept can be sent back as it was read, and changes nothing', async () => {
    const { api, company_id } = await withEveryKind()
    let kept = 0
    for (const { key, type, more } of kinds) {
      const one = fc.oneof({ weight: 3, arbitrary: likely[type] }, { weight: 1, arbitrary: fc.jsonValue() })
      const value = 'is_multi' in more ? fc.oneof(fc.array(one, { maxLength: 4 }), one) : one
      await inTurns(fc.sample(value, { seed, numRuns: valuesEach }), async (value) => {
        const what = `${key}: ${JSON.stringify(value)?.slice(0, 200)}`
        const made = await api
          .createRecords({ object: 'things', records: [{ name: 'x', [key]: value }] })
          .catch((error) => {
            expect(error.problem?.status, what).toBeOneOf([400, 409, 413, 422])
          })
        if (made) kept += await sentBack(api, made.records[0]!.id, what)
      })
    }
    expect(kept).toBeGreaterThan(kinds.length * 5)
    await expectDerived(kith, company_id)
  }, 120_000)

  async function sentBack(api: Api, id: string, what: string) {
    const {
      id: _,
      version,
      title,
      created_at,
      created_by,
      updated_at,
      last_activity_at,
      ...values
    } = await api.getRecord({ object: 'things', id })
    const again = await api
      .updateRecords({ object: 'things', records: [{ id, version, values }] })
      .catch((error) => error.problem)
    expect(again, what).toMatchObject({ change_set_id: null, records: [{ id, version: 1 }] })
    return 1
  }

  test('that is kept is found by its own text, wherever it stands', async () => {
    const { api } = await newCompany()
    const long = `${'word '.repeat(15_000)}needle`
    await api.createRecords({
      object: 'people',
      records: [{ first_name: 'Long', notes_text: long }, { emails: ['jürgen@münchen.de'] }],
    })
    const count = async (filter: string) => (await api.countRecords({ object: 'people', filter })).count
    expect(await count('notes_text ~ needle')).toBe(1)
    expect(await count('search("needle")')).toBe(1)
    expect(await count('emails ~ "jürgen"')).toBe(1)
    expect(await count('emails = "Jürgen@München.de"')).toBe(1)
  })
})

describe('what cannot be kept', () => {
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

  test('is refused with 4xx wherever it stands, and nothing is written', async () => {
    const { api, key } = await withEveryKind()
    const { mcp } = { mcp: await mcpFor(kith) }
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
      ['POST', '/records/things/get', (value) => `{"by":[{"field":"unique_text","value":${value}}]}`],
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

  test('is refused in an address as well', async () => {
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

describe('any question', () => {
  test('is answered or refused, whatever its filter', async () => {
    const { api } = await newCompany()
    await api.createRecords({ object: 'people', records: [{ first_name: 'Ada', score: 1 }] })
    const filters = fc.sample(anyTree, { seed, numRuns: 150 })
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

  test('is answered or refused, whatever was done to its cursor', async () => {
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
      await inTurns(fc.sample(changed, { seed, numRuns: 40 }), async (change) => {
        const text = Buffer.from(JSON.stringify({ ...cursor, ...change })).toString('base64url')
        await isTaken(api.listRecords({ object: 'people', sort, limit: 1, cursor: text.slice(0, 4000) }))
      })
    }
  })
})
