// Inputs that cost more than their size: every text of every operation, and of a record, filled with what has been
// quadratic somewhere before. What a few kilobytes must not do is hold the process for seconds.
import { expect, test } from 'vitest'
import { contract, type OperationName } from '../contract/index.ts'
import { isForKeys, routeOf } from '../contract/operation.ts'
import { testApp } from './app.ts'
import { cpuSeconds } from './cpu-time.ts'
import { isLong } from './long.ts'
import { samples } from './samples.ts'

const kith = await testApp()
const key = await kith.given.key(await kith.given.company())

type Pattern = [string, (length: number) => string]
/** By kind: what opens something, what joins words, and what takes long to normalize. */
const patternsByKind: Pattern[][] = [
  [
    ['half links', (length) => '[a]('.repeat(length / 4)],
    ['brackets', (length) => '['.repeat(length)],
    ['parentheses', (length) => '('.repeat(length)],
    ['quotes', (length) => '"'.repeat(length)],
    ['backslashes', (length) => '\\'.repeat(length)],
  ],
  [
    ['at signs', (length) => 'a@'.repeat(length / 2)],
    ['dots', (length) => 'a.'.repeat(length / 2)],
    ['commas', (length) => 'a,'.repeat(length / 2)],
    ['blanks', (length) => ' \t'.repeat(length / 2)],
  ],
  [
    ['combining marks', (length) => `a${'\u0301\u0316'.repeat(length / 2)}`],
    ['ligatures', (length) => 'ﷺ'.repeat(length)],
  ],
]
const patterns = isLong ? patternsByKind.flat() : patternsByKind.map(([first]) => first!)
const [small, large] = [12_000, 48_000]
/** So much more may four times the text cost before it counts as growing faster, and so much is never worth a word. */
const [most, unnoticedSeconds] = [10, 0.4]

/** The input with each of its texts, however deep, replaced in turn. */
function* filledIn(value: unknown, text: string): Generator<unknown> {
  if (typeof value === 'string') yield text
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value))
    for (const filled of filledIn(part, text))
      yield Array.isArray(value) ? value.with(Number(name), filled) : { ...value, [name]: filled }
}

async function costOf(name: OperationName, input: Record<string, unknown>) {
  const { method, path, names, hasBody } = routeOf(contract[name])
  const own = Object.fromEntries(Object.entries(input).filter(([field]) => !names.includes(field)))
  const at = path.replace(/:(\w+)/g, (_, field) => encodeURIComponent(String(input[field])).slice(0, 400))
  const query = hasBody ? '' : `?${new URLSearchParams(own as Record<string, string>)}`.slice(0, 12_000)
  const body = JSON.stringify(own)
  return cpuSeconds(async () => {
    const answer = await kith.send(`/api/v1${at}${query}`, {
      method,
      headers: { 'x-api-key': key, ...(hasBody && { 'content-type': 'application/json' }) },
      ...(hasBody && { body }),
    })
    expect(answer.status, `${name} ${path}`).toBeLessThan(500)
  })
}

const texts = [
  ...Object.entries(contract)
    .filter(([, op]) => isForKeys(op))
    .map(([name]) => [name as OperationName, samples[name as OperationName]()] as const),
  ['createRecords', { object: 'people', records: [{ last_name: 'x', notes_text: 'x', emails: ['x'], phones: ['x'] }] }],
  ['createRecords', { object: 'notes', records: [{ body: 'x', about: ['x'] }], dry_run: true }],
  ['createRecords', { object: 'organizations', records: [{ name: 'x', website: 'x', country: 'x', domains: ['x'] }] }],
  ['queryRecords', { object: 'people', filter: 'x', sort: ['x'], fields: ['x'], cursor: 'x' }],
  ['countRecords', { object: 'people', filter: { field: 'last_name', op: 'contains', value: 'x' } }],
  ['countRecords', { object: 'people', filter: { search: 'x' } }],
] as [OperationName, Record<string, unknown>][]

test('no text of any operation costs more than its length', async () => {
  const slow: string[] = []
  for (const [name, sample] of texts)
    for (const [pattern, make] of patterns) {
      const long = [...filledIn(sample, make(large))]
      for (const [i, input] of long.entries()) {
        const cost = await costOf(name, input as Record<string, unknown>)
        if (cost < unnoticedSeconds) continue
        const short = [...filledIn(sample, make(small))][i] as Record<string, unknown>
        const before = await costOf(name, short)
        const again = await costOf(name, input as Record<string, unknown>)
        if (again > unnoticedSeconds && again > before * most)
          slow.push(`${name}, ${pattern}, text ${i}: ${before.toFixed(3)} s, four times as long ${again.toFixed(3)} s`)
      }
    }
  expect(slow).toEqual([])
})
