import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { runs, seed } from '../../test/random.ts'
import { readJson } from './json-body.ts'

const kith = await testApp()
const admin = await kith.given.company()
const key = await kith.given.key(admin)
const patch = (body: string, headers: Record<string, string> = {}) =>
  kith.send('/api/v1/me', {
    method: 'PATCH',
    body,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
  })
const problem = async (answer: Response) => {
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  return (await answer.json()) as { code: string; detail: string; errors?: { path: string }[] }
}

test('an invalid value is 422 and names the field', async () => {
  const answer = await patch('{"name": ""}')
  expect(answer.status).toBe(422)
  expect(await problem(answer)).toMatchObject({
    code: 'invalid_input',
    errors: [{ path: 'name', message: 'Enter a name' }],
  })
})

test('text where a list is required is one error that says so', async () => {
  const answer = await kith.send('/api/v1/records/people/query', {
    method: 'POST',
    body: '{"sort": "-created_at"}',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(422)
  expect((await problem(answer)).errors).toEqual([{ path: 'sort', message: 'This must be a list' }])
})

test('a field that does not exist is 400 and names the field', async () => {
  const answer = await patch('{"nmae": "Ada"}')
  expect(answer.status).toBe(400)
  expect(await problem(answer)).toMatchObject({ code: 'unknown_field', errors: [{ path: 'nmae' }] })
})

test.each([
  ['broken JSON', '{"name": ', 400],
  ['an array', '[1]', 400],
  ['a string', '"x"', 400],
  ['null', 'null', 400],
  ['10,000 levels of nesting', `{"name": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 400],
  ['a whole number beyond 2^53', '{"name": 5389444145544443210}', 400],
  ['the NUL character', '{"name": "a\\u0000b"}', 400],
  ['half a surrogate pair', '{"name": "\\ud800"}', 400],
  ['__proto__', '{"__proto__": {"is_admin": true}}', 400],
  ['a body over 1 MiB', `{"name": "${'a'.repeat(1024 * 1024)}"}`, 413],
])('%s is refused', async (_, body, status) => {
  const answer = await patch(body)
  expect(answer.status).toBe(status)
  await problem(answer)
})

test.each([
  ['a line break', 'Ada\nLovelace'],
  ['an override of the direction of writing', '\u202eecalevoL'],
  ['an invisible filler', 'Ada\u200bLovelace'],
  ['101 characters', 'a'.repeat(101)],
])('a name with %s is refused with a clear message', async (_, name) => {
  const answer = await patch(JSON.stringify({ name }))
  expect(answer.status).toBe(422)
  expect((await problem(answer)).detail).toMatch(/Remove line breaks|Use at most 100 characters/)
})

test.each([
  'Ada Lovelace',
  '\u0634\u06cc\u0631\u06cc\u0646\u200c',
  '\ud83d\udc69\u200d\ud83d\udd2c Ada',
  "O'Brien-M\u00fcller",
])('%s is a valid name', async (name) => {
  expect((await patch(JSON.stringify({ name }))).status).toBe(200)
})

test('another content type is 415', async () => {
  expect((await patch('name=Ada', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
  const answer = await patch('<a/>', { 'content-type': 'text/xml' })
  expect(answer.status).toBe(415)
  expect((await problem(answer)).detail).toContain('Content-Type: application/json')
})

test('a bad key is 401 before the body is looked at', async () => {
  for (const body of ['{broken', 'a'.repeat(5 * 1024 * 1024)]) {
    expect((await patch(body, { 'x-api-key': 'nope' })).status).toBe(401)
  }
  expect((await patch('x', { 'x-api-key': 'nope', 'content-type': 'text/xml' })).status).toBe(401)
})

describe('the query string', () => {
  const list = (query: string) => kith.send(`/api/v1/users?${query}`, { headers: { 'x-api-key': key } })
  test.each([
    ['limit=5', 200],
    ['limit=0', 422],
    ['limit=101', 422],
    ['limit=5.5', 422],
    ['limit=five', 422],
    ['limit=5&limit=6', 422],
    ['limit=1e2', 422],
    ['cursor=nonsense', 422],
    ['nothing=1', 400],
    ['__proto__=1', 400],
  ])('%s answers %i', async (query, status) => {
    expect((await list(query)).status).toBe(status)
  })
})

test.each([
  '/search?q=%00',
  '/users?search=a%00b',
  '/changes?client=%00',
  '/audit-events?request_id=%00',
  '/audit-events/export?request_id=%00',
  '/records/people?filter=%00',
  '/views?object=%00',
  '/users/%00',
  '/records/%00',
  '/records/people/%00',
  '/users?%00=1',
])('NUL in %s is 400', async (path) => {
  const answer = await kith.send(`/api/v1${path}`, { headers: { 'x-api-key': key } })
  expect(answer.status).toBe(400)
  expect((await problem(answer)).code).toMatch(/bad_request|unknown_field/)
})

test.each(['/search?q=', '/users?search=', '/changes?client=', '/audit-events?request_id=', '/views?object='])(
  '%s with nothing after it is not a 5xx',
  async (path) => {
    const answer = await kith.send(`/api/v1${path}`, { headers: { 'x-api-key': key } })
    expect(answer.status).toBeLessThan(500)
  },
)

test('whatever is in a query or a path, the response is never a 5xx', async () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('%00', '%ed%a0%80', '%ff', '%', '\ud800', '%u0000'),
  )
  const paths = fc.constantFrom(
    '/search?q=',
    '/users?search=',
    '/changes?client=',
    '/audit-events?request_id=',
    '/users/',
  )
  await fc.assert(
    fc.asyncProperty(paths, odd, fc.boolean(), async (path, text, isEncoded) => {
      const sent = isEncoded ? encodeURIComponent(text.toWellFormed()) : text.replace(/[^!-~]/gu, '%00')
      const answer = await kith.send(`/api/v1${path}${sent}`, { headers: { 'x-api-key': key } })
      expect(answer.status, sent).toBeLessThan(500)
    }),
    { seed, numRuns: runs(200) },
  )
})

test('whatever is sent, the response is never a 5xx', async () => {
  const bodies = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.jsonValue().map((value) => JSON.stringify({ name: value })),
  )
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const answer = await patch(body)
      expect(answer.status).toBeLessThan(500)
    }),
    { seed, numRuns: runs(300) },
  )
})

test('JSON that can be stored is read exactly as it was sent', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value')),
      fc.dictionary(
        text.filter((key) => key !== '__proto__'),
        tie('value'),
      ),
    ),
  })).value
  fc.assert(
    fc.property(tree, (value) => {
      expect(readJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { seed, numRuns: runs(300) },
  )
})

test('a body where only query parameters count is refused instead of ignored', async () => {
  const [bob, eve] = [await kith.given.user(admin), await kith.given.user(admin)]
  const remove = async (body: object) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    return kith.send(`/api/v1/users/${bob.user_id}`, { method: 'DELETE', headers, body: JSON.stringify(body) })
  }
  const refused = await remove({ reassign_to: eve.user_id })
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { detail: expect.stringContaining('query parameters'), errors: [{ path: 'reassign_to' }] },
  ])
  expect((await remove({ nonsense: 1 })).status).toBe(422)
  expect((await remove({})).status).toBe(200)
})
