import { PgBoss } from 'pg-boss'
import pino from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { testApp } from '../../test/app.ts'
import { backgroundTasks as ourTasks } from '../background-tasks.ts'
import type { OutboxEvent } from './outbox.ts'
import { type BackgroundTasks, startWorker } from './queue.ts'

const kith = await testApp({ own: true })
const heard: OutboxEvent[] = []
let failures = 0
const jobs: BackgroundTasks = {
  listen: { run: async (_, event: OutboxEvent) => heard.push(event) },
  stumble: {
    run: async () => {
      if (failures++ < 1) throw new Error('not yet')
    },
  },
}
const log = pino({ level: 'silent' })
const worker = await startWorker({ pool: kith.pool, db: kith.db, log, clock: () => new Date() }, jobs, {
  'company.updated': ['listen', 'stumble'],
})
kith.onCommit(worker.wake)
afterAll(() => worker.stop())

test('an event reaches the job that listens, soon after the commit', async () => {
  const admin = await kith.given.company()
  await kith.withKey(await kith.given.key(admin)).updateCompany({ name: 'Heard' })
  await vi.waitFor(() => expect(heard.filter((event) => event.company_id === admin.company_id)).toHaveLength(1), 60_000)
  expect(heard.at(-1)).toMatchObject({ event: 'company.updated', payload: { name: 'Heard' }, actor_id: admin.user_id })
})

test('events without subscribers leave the outbox too', async () => {
  const admin = await kith.given.company()
  await kith.withKey(await kith.given.key(admin)).updateMe({ name: 'Quiet' })
  await vi.waitFor(async () => expect(await kith.db.selectFrom('outbox').select('id').execute()).toEqual([]), 60_000)
})

test('an event of a change that was undone by an error is never heard', async () => {
  const admin = await kith.given.company()
  const before = heard.length
  await kith.db
    .transaction()
    .execute(async (tx) => {
      await tx
        .insertInto('outbox')
        .values({
          id: crypto.randomUUID(),
          company_id: admin.company_id,
          event: 'company.updated',
          payload: '{}',
          request_id: 'x',
          at: new Date(),
        })
        .execute()
      throw new Error('undone')
    })
    .catch(() => {})
  // When a later event is heard, this one would have been heard too.
  await kith.withKey(await kith.given.key(admin)).updateCompany({ name: 'Later' })
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(before), 60_000)
  expect(heard.slice(before)).toMatchObject([{ payload: { name: 'Later' } }])
})

test('a job that fails is tried again', async () => {
  await vi.waitFor(() => expect(failures).toBeGreaterThanOrEqual(2), { timeout: 60_000, interval: 200 })
})

test('a job that another process adds starts soon, not when its queue is polled', async () => {
  const db = { executeSql: (text: string, values?: unknown[]) => kith.pool.query(text, values) }
  const other = new PgBoss({ db, createSchema: false, migrate: false, supervise: false, schedule: false })
  await other.start()
  const job = { company_id: crypto.randomUUID() }
  await other.send('listen', job)
  await other.stop()
  await vi.waitFor(() => expect(heard).toContainEqual(job), 15_000)
})

test('a job that is still running when the worker stops is run by the next worker', async () => {
  const { db, pool, given, withKey, onCommit } = await testApp({ own: true })
  const began: string[] = []
  const finished: string[] = []
  const slow = (name: string, wait: () => Promise<unknown>): BackgroundTasks => ({
    slow: {
      run: async () => {
        began.push(name)
        await wait()
        finished.push(name)
      },
    },
  })
  const parts = { pool, db, log, clock: () => new Date() }
  const listening = { 'user.updated': ['slow'] }
  const first = await startWorker(
    parts,
    slow('first', () => new Promise(() => {})),
    listening,
    { stopMs: 500 },
  )
  onCommit(first.wake)
  await withKey(await given.key(await given.company())).updateMe({ name: 'Slow' })
  await vi.waitFor(() => expect(began).toEqual(['first']), 60_000)
  await first.stop()
  const second = await startWorker(
    parts,
    slow('second', async () => {}),
    listening,
  )
  await vi.waitFor(() => expect(finished).toEqual(['second']), { timeout: 60_000, interval: 100 })
  await second.stop()
})

test('the hourly cleanup removes expired rows and nothing else', async () => {
  const fresh = await kith.given.session(await kith.given.company())
  const now = kith.time.now
  kith.time.now = new Date(now.getTime() - 40 * 86_400_000)
  const stale = await kith.given.session(await kith.given.company())
  kith.time.now = now
  const context = { db: kith.db, now, log, signal: new AbortController().signal }
  await ourTasks(kith.services).prune!.run(context, undefined as never)
  const { rows } = await kith.pool.query('select count(*)::int as count from sessions')
  expect(rows[0].count).toBe(1)
  expect((await kith.withSession(fresh).getSession({})).state).toBe('signed_in')
  expect((await kith.withSession(stale).getSession({})).state).toBe('signed_out')
})
