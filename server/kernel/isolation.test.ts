// One caller at its worst must not affect the others.
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { createDb, createPool } from '../platform/db.ts'
import { sizes } from '../platform/pools.ts'
import { createShares } from './fair-shares.ts'
import { Params, run } from './statement.ts'

const kith = await testApp({ own: true })

async function company() {
  const admin = await kith.given.company()
  return { admin, key: await kith.given.key(admin), api: kith.withKey(await kith.given.key(admin)) }
}

describe('connections', () => {
  test('a process has at most 20, with the listener, the owner and the lock on an embedded database', () => {
    expect(Object.values(sizes).reduce((sum, size) => sum + size, 0) + 3).toBeLessThanOrEqual(20)
  })

  test('32 writers that all send a used value get an error, and no one waits for a connection', async () => {
    const { api } = await company()
    const person = (email: string) => ({ last_name: 'Lovelace', emails: [email] })
    const { records } = await api.createRecords({
      object: 'people',
      records: [person('taken@example.com'), ...Array.from({ length: 32 }, (_, i) => person(`p${i}@example.com`))],
    })
    // Those who waited for a connection in vain would get a 503.
    await Promise.all(
      records
        .slice(1)
        .map(({ id }) =>
          expect(
            api.updateRecords({ object: 'people', records: [{ id, values: { emails: ['taken@example.com'] } }] }),
          ).toBeRefused(409, 'conflict'),
        ),
    )
  })

  test('two creates that want the same unique values in another order are both answered', async () => {
    const { api } = await company()
    const create = (emails: string[]) =>
      api
        .createRecords({ object: 'people', records: emails.map((email) => ({ last_name: 'L', emails: [email] })) })
        .then(
          () => 'created',
          (error) => error.problem.code,
        )
    for (let i = 0; i < 5; i++) {
      const [x, y] = [`x${i}@example.com`, `y${i}@example.com`]
      const answers = await Promise.all([create([x, y]), create([y, x]), create([x, y])])
      expect(answers.toSorted()).toEqual(['conflict', 'conflict', 'created'])
    }
  })
})

describe('shares', () => {
  const take = createShares({ perUser: 2, perCompany: 3, mostWaiting: 2, patienceMs: 50 })

  test('a user is limited to their share, and a colleague can continue', async () => {
    const back = [await take('acme', 'ada'), await take('acme', 'ada')]
    const third = take('acme', 'ada')
    back.push(await take('acme', 'max'))
    back.shift()!()
    back.push(await third)
    for (const give of back) give()
  })

  test('of those who wait, the user with the fewest slots comes first', async () => {
    const next = createShares({ perUser: 2, perCompany: 3, mostWaiting: 9, patienceMs: 60_000 })
    const back = [await next('acme', 'ada'), await next('acme', 'ada'), await next('acme', 'max')]
    const order: string[] = []
    const waiting = ['max', 'ada', 'eve'].map((user) =>
      next('acme', user).then((give) => {
        order.push(user)
        return give
      }),
    )
    back.shift()!()
    ;(await waiting[2])!()
    for (const give of back) give()
    for (const give of await Promise.all(waiting.slice(0, 2))) give()
    expect(order[0]).toBe('eve')
  })

  test('with a full queue, or after waiting too long, the response is 503 with Retry-After', async () => {
    const back = [await take('full', 'ada'), await take('full', 'ada')]
    const waiting = [take('full', 'ada'), take('full', 'ada')].map((one) => one.catch((error) => error))
    await expect(take('full', 'ada')).rejects.toMatchObject({ code: 'unavailable', more: { retryAfter: 2 } })
    for (const one of await Promise.all(waiting)) expect(one).toMatchObject({ code: 'unavailable' })
    for (const give of back) give()
    ;(await take('full', 'ada'))()
  })
})

describe('prepared statements', () => {
  const prepared = async (pool: typeof kith.pool) =>
    (await pool.query('select name from pg_prepared_statements')).rows.length

  test('a flood of different filters keeps at most 100 of them in a connection', async () => {
    const pool = createPool(kith.connection, { max: 1 })
    for (let i = 0; i < 250; i++)
      for (let use = 0; use < 4; use++) await pool.query(`select $1::int + ${i} as sum`, [1])
    expect(await prepared(pool)).toBe(100)
    expect((await pool.query('select $1::int + 0 as sum', [1])).rows).toEqual([{ sum: 1 }])
    await pool.end()
  })

  test('a statement that is refused inside a transaction leaves the names in order', async () => {
    const pool = createPool(kith.connection, { max: 1 })
    const db = createDb(pool)
    for (let i = 0; i < 120; i++) {
      const text = `select $1::int / ${i === 60 ? 0 : 1} as part, ${i} as i`
      for (let use = 0; use < 4; use++) {
        const params = new Params()
        params.add(1)
        await run(db, text, params).catch(() => {})
      }
    }
    await db.transaction().execute(async (tx) => {
      expect((await sql`select ${1}::int as one`.execute(tx)).rows).toEqual([{ one: 1 }])
    })
    await pool.end()
  })
})

/** Blocks all reads and writes of records until the returned function is called. */
async function holdRecords() {
  const blocker = await kith.pool.connect()
  await blocker.query('begin; lock table records in access exclusive mode')
  return async () => {
    await blocker.query('rollback')
    blocker.release()
  }
}

/** How many reads of records are held. */
async function running() {
  const { rows } = await kith.pool.query(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'active'
      and query like 'select r.id%from records r%'`,
  )
  return rows[0].n as number
}

test('slow reads are stopped with advice, and others can sign in and call meanwhile', async () => {
  const { api } = await company()
  const other = await company()
  const letGo = await holdRecords()
  const slow = Array.from({ length: 12 }, () =>
    api.listRecords({ object: 'people' }).then(
      () => 'answered',
      (error) => error.problem,
    ),
  )
  await expect.poll(running).toBeGreaterThan(0)
  for (let i = 0; i < 20; i++) {
    await other.api.getCompany({})
    expect(await running(), 'connections are left for others').toBeLessThan(sizes.work)
  }
  const problems = await Promise.all(slow)
  await letGo()
  expect(problems).toContainEqual(
    expect.objectContaining({ status: 422, code: 'too_slow', detail: expect.stringContaining('Narrow the filter') }),
  )
  for (const { status } of problems) expect([422, 503]).toContain(status)
})

test('a read ends in the database when its client leaves', async () => {
  await kith.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = kith.app.server.address() as AddressInfo
  const { key } = await company()
  const path = `/api/v1/records/people?filter=${encodeURIComponent('first_name = nobody')}`
  const letGo = await holdRecords()
  const call = request({ port, host: '127.0.0.1', path, headers: { 'x-api-key': key, host: 'localhost:3000' } })
  call.on('error', () => {})
  call.end()
  await expect.poll(running).toBe(1)
  call.destroy()
  await expect.poll(running).toBe(0)
  await letGo()
})
