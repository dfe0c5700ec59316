// Inputs that are small to send and used to be expensive to refuse.
import { expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { cpuSeconds } from '../../test/cpu-time.ts'

const kith = await testApp()
const key = await kith.given.key(await kith.given.company())

async function post(path: string, body: string) {
  const answer = await kith.send(`/api/v1${path}`, {
    method: 'POST',
    body,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
  })
  const text = await answer.text()
  return { status: answer.status, bytes: text.length, text }
}

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`kfield${i}`, 1]))

test.each([
  ['a note of brackets', '/records/notes', { records: [{ body: '['.repeat(100_000) }], dry_run: true }, 201],
  ['a note of half links', '/records/notes', { records: [{ body: '[a]('.repeat(25_000) }], dry_run: true }, 201],
  ['a record of 900 unknown fields', '/records/people', { records: [keys(900)] }, 422],
  ['a record of 20,000 unknown fields', '/records/people', { records: [keys(20_000)] }, 413],
  ['a body of 900 unknown properties', '/titles', keys(900), 400],
  ['10,000 ids that are none', '/titles', { ids: Array.from({ length: 10_000 }, (_, i) => `id${i}`) }, 422],
  ['a list of 200,000 numbers', '/records/people', { records: [{ tags: Array(200_000).fill(1) }] }, 413],
])('%s gets a quick, short response', async (_, path, body, status) => {
  const spent = await cpuSeconds(async () => {
    const answer = await post(path, JSON.stringify(body))
    expect(answer.status).toBe(status)
    if (status >= 400) expect(answer.bytes).toBeLessThan(20_000)
  })
  expect(spent).toBeLessThan(1)
})

test('of many errors the first are listed and the rest counted', async () => {
  const { text } = await post('/titles', JSON.stringify(keys(900)))
  const problem = JSON.parse(text)
  expect(problem.errors).toHaveLength(20)
  expect(problem.detail).toMatch(/and 88\d more$/)
})

test('most operations accept 256 KiB, and writes of records 1 MiB', async () => {
  const long = 'a'.repeat(300 * 1024)
  expect((await post('/titles', JSON.stringify({ ids: [long] }))).status).toBe(413)
  expect((await post('/records/notes', JSON.stringify({ records: [{ body: long }] }))).status).toBe(422)
  expect((await post('/records/notes', JSON.stringify({ records: [{ body: long.repeat(4) }] }))).status).toBe(413)
})
