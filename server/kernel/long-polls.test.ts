import pino from 'pino'
import { expect, test, vi } from 'vitest'
import type { Db } from '../platform/db.ts'
import type { Pools } from '../platform/pools.ts'
import { duringCall, poolForCalls } from './calls.ts'
import type { Caller } from './context.ts'
import { createLongPolls } from './long-polls.ts'

type Poll = { company_id: string; name: string }
const db = {} as Db
const long = 60_000
const quiet = pino({ level: 'silent' })
const options = { everyMs: 5, log: quiet, failure: 'failed' }

test('polls of a company are looked up together, and only those with news end', async () => {
  const news = new Set<string>()
  const looked: string[][] = []
  const polls = createLongPolls<Poll>({
    ...options,
    async withNews(_db, company_id, all) {
      looked.push([company_id, ...all.map(({ name }) => name)])
      return all.filter(({ name }) => news.has(name))
    },
  })
  const ended: string[] = []
  const wait = (company_id: string, name: string) =>
    polls.wait(db, { company_id, name }, long).then(() => ended.push(name))
  const all = [wait('acme', 'a'), wait('acme', 'b'), wait('other', 'c')]
  await vi.waitFor(() => expect(looked).toContainEqual(['other', 'c']))
  expect(looked.slice(0, 2)).toEqual([
    ['acme', 'a', 'b'],
    ['other', 'c'],
  ])
  news.add('b')
  await all[1]
  expect(ended).toEqual(['b'])
  polls.release()
  await Promise.all(all)
  expect(await polls.wait(db, { company_id: 'acme', name: 'a' }, long)).toBe(false)
})

test('the look counts for none of the calls that wait', async () => {
  const client = () => ({ release: () => {}, processID: 1 })
  const pool = poolForCalls({ work: { connect: async () => client() } } as unknown as Pools)
  const polls = createLongPolls<Poll>({
    ...options,
    async withNews(_db, _company_id, all) {
      // A call that writes must not take a second connection.
      ;(await pool.connect()).release()
      return all
    },
  })
  const caller = { actor: null, ip: '127.0.0.1' } as Caller
  const hasWaited = await duringCall({ caller, isRead: false, isHeavy: false }, async () => {
    const own = await pool.connect()
    const poll = await polls.wait(db, { company_id: 'acme', name: 'a' }, long)
    own.release()
    return poll
  })
  expect(hasWaited).toBe(true)
})

test('a look that fails is logged, and the next one is tried', async () => {
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => void logged.push(line) })
  let looks = 0
  const polls = createLongPolls<Poll>({
    ...options,
    log,
    async withNews(_db, _company_id, all) {
      if (++looks === 1) throw new Error('broken')
      return all
    },
  })
  expect(await polls.wait(db, { company_id: 'acme', name: 'a' }, long)).toBe(true)
  expect(logged.join()).toContain('broken')
})

test('with too many that wait, the next one is refused at once; one whose client leaves makes room', async () => {
  const polls = createLongPolls<Poll>({
    ...options,
    withNews: async () => [],
    limitsOf: ({ company_id }) => ({ [company_id]: 1 }),
  })
  let leave = () => {}
  const first = polls.wait(db, { company_id: 'acme', name: 'a' }, long, (act) => {
    leave = act
    return () => {}
  })
  expect(await polls.wait(db, { company_id: 'acme', name: 'b' }, long)).toBe(false)
  leave()
  await first
  expect(await polls.wait(db, { company_id: 'acme', name: 'c' }, 1)).toBe(true)
})

test('visitors of one company leave connections to those of another', async () => {
  const client = () => ({ release: () => {}, processID: 1 })
  const pool = poolForCalls({ work: { connect: async () => client() } } as unknown as Pools)
  let visitors = 0
  const visit = (company_id: string) => {
    const caller = { actor: null, ip: `10.0.0.${++visitors}`, visit: { origin: null, allow() {}, company_id } }
    return duringCall({ caller: caller as unknown as Caller, isRead: true, isHeavy: false }, () => pool.connect())
  }
  const busy = Array.from({ length: 20 }, () => visit('busy'))
  const clients = await Promise.all(busy.slice(0, 4))
  const other = await visit('other')
  for (const one of [other, ...clients]) one.release()
  for (const one of busy.slice(4)) (await one).release()
})
