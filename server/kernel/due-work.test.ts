import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../test/app.ts'
import { companiesDue, findDueWork, makeDue, settle } from './due-work.ts'
import { LostLease, leasesOf } from './leases.ts'
import { startWorkers, type Work } from './worker.ts'

const kith = await testApp({ own: true })
const { backgroundDb: db, log, given, time } = kith
const clock = () => time.now
const leases = leasesOf('lead_routings', 20)
const queue = 'leads'

/** Leads of a company on their way, as if an event had announced them. */
async function waiting(count: number, at = time.now) {
  const { company_id } = await given.company()
  const rows = Array.from({ length: count }, () => ({
    company_id,
    id: randomUUIDv7(),
    lead_id: randomUUIDv7(),
    state: 'waiting',
    next_at: at,
    created_at: time.now,
  }))
  if (count) await db.insertInto('lead_routings').values(rows).execute()
  await makeDue(db, [{ company_id, queue, at: time.now }])
  return company_id
}

const due = async () => (await companiesDue(db, queue, time.now, [])).map(({ company_id }) => company_id)
const dueAt = async (company_id: string) =>
  (await db.selectFrom('due_work').select('due_at').where('company_id', '=', company_id).execute())[0]!.due_at

type Routing = { company_id: string; id: string; leased_by: string }

function workOn(
  perform: (routing: Routing, signal: AbortSignal) => Promise<unknown>,
  more: Partial<Work<Routing>> = {},
) {
  const work: Work<Routing> = {
    queue,
    atOnce: 4,
    ofCompany: 2,
    find: (company_id, limit, now) =>
      leases.claim(db, company_id, {
        where: sql`t.next_at <= ${now}`,
        order: sql`t.id`,
        limit,
        columns: sql`t.lead_id`,
      }),
    async perform(routing, signal) {
      await perform(routing, signal)
      await leases.release(db, routing, sql`next_at = null`)
    },
    giveBack: (routing) => leases.release(db, routing, sql`next_at = ${time.now}::timestamptz + interval '1 minute'`),
    nextDue: (company_id, now) => leases.nextDue(db, company_id, now, { at: sql`t.next_at` }),
    failure: 'failed',
    graceMs: 0,
    ...more,
  }
  return startWorkers({ db, log, clock }, [work])
}

test('a hint that comes while a process looks is not forgotten', async () => {
  const company_id = await waiting(0)
  const [before] = await companiesDue(db, queue, time.now, [])
  await makeDue(db, [{ company_id, queue, at: time.now }])
  await settle(db, queue, before!, null)
  expect(await due()).toEqual([company_id])
  const [after] = await companiesDue(db, queue, time.now, [])
  await settle(db, queue, after!, null)
  expect(await due()).toEqual([])
})

test('a company that hangs delays no other, and each has its share', async () => {
  const slow = await waiting(9)
  const began: string[] = []
  const held = Promise.withResolvers<void>()
  const workers = workOn(async ({ company_id }) => {
    began.push(company_id)
    if (company_id === slow) await held.promise
  })
  await vi.waitFor(() => expect(began).toEqual([slow, slow]), 15_000)
  const others = await Promise.all([waiting(1), waiting(1), waiting(1)])
  workers.wake(queue)
  await vi.waitFor(() => expect(began.slice(2).toSorted()).toEqual(others.toSorted()), 15_000)
  held.resolve()
  await vi.waitFor(() => expect(began).toHaveLength(12), 15_000)
  await vi.waitFor(async () => expect(await dueAt(slow)).toBeNull(), 15_000)
  await workers.stop()
})

test('what is due later is looked at then, and what fails does not keep others from being done', async () => {
  const later = new Date(time.now.getTime() + 3_600_000)
  const company_id = await waiting(1, later)
  const failing = await waiting(1)
  let attempts = 0
  const began: string[] = []
  const workers = workOn(async (routing) => {
    began.push(routing.company_id)
    if (routing.company_id === failing && attempts++ === 0) throw new Error('on purpose')
  })
  await vi.waitFor(async () => expect(await dueAt(company_id)).toEqual(later), 15_000)
  const again = new Date(time.now.getTime() + 60_000)
  await vi.waitFor(async () => expect(await dueAt(failing)).toEqual(again), 15_000)
  expect(began).toEqual([failing])
  time.now = later
  await vi.waitFor(() => expect(began.toSorted()).toEqual([failing, failing, company_id].toSorted()), 15_000)
  await workers.stop()
})

test('work of a process that died is due when its lease ends', async () => {
  const company_id = await waiting(1)
  const limits = { where: sql`true`, order: sql`t.id`, limit: 1, columns: sql`t.lead_id` }
  expect(await leases.claim(db, company_id, limits)).toHaveLength(1)
  const workers = workOn(async () => {})
  const waits = async () => ((await dueAt(company_id)) as Date).getTime() - time.now.getTime()
  await vi.waitFor(async () => expect(await waits()).toBeGreaterThan(0), 15_000)
  expect(await waits()).toBeLessThanOrEqual(20_000)
  await workers.stop()
})

test('work that goes on is interrupted when another process has taken it over', async () => {
  await waiting(1)
  const [isHeld, isInterrupted] = [Promise.withResolvers<Routing>(), Promise.withResolvers<void>()]
  const workers = workOn(
    async (routing, signal) => {
      isHeld.resolve(routing)
      signal.addEventListener('abort', () => isInterrupted.resolve())
      await isInterrupted.promise
    },
    { renewing: { everyMs: 20, renew: (routing) => leases.renew(db, routing), interrupts: true } },
  )
  const routing = await isHeld.promise
  expect(await leases.renew(db, routing)).toBe(true)
  await db
    .updateTable('lead_routings')
    .set({ leased_by: randomUUIDv7() })
    .where('company_id', '=', routing.company_id)
    .where('id', '=', routing.id)
    .execute()
  await isInterrupted.promise
  await expect(leases.hold(db, routing)).rejects.toThrow(LostLease)
  expect(await leases.release(db, routing)).toBe(false)
  await workers.stop()
})

test('work that no event announced is found', async () => {
  const company_id = await waiting(1)
  await db.deleteFrom('due_work').where('company_id', '=', company_id).execute()
  await findDueWork(db)
  expect(await due()).toContain(company_id)
})
