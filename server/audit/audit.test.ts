// The audit log as a chain: what was sealed cannot be changed, removed or added to without being noticed.
import { createHash, randomUUID, randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { testDatabase } from '../../test/database.ts'
import type { GivenUser } from '../../test/given.ts'
import { backUp } from '../backup/backup.ts'
import { openForRestore, restore } from '../backup/restore.ts'
import { createDb, createPool, transaction } from '../platform/db.ts'
import { pruneAudit } from './queries.ts'
import { lockChain, sealAuditLog, sealAuditLogs } from './seal.ts'
import { verifyAuditLog } from './verify.ts'

const kith = await testApp({ own: true })
const { db, ownerDb, time } = kith
const minute = 60 * 1000
const day = 24 * 60 * minute
const pass = (ms: number) => {
  time.now = new Date(time.now.getTime() + ms)
}
const seal = ({ company_id }: GivenUser) => sealAuditLog(kith.services.ownerDb, company_id, time.now)
const verify = ({ company_id }: GivenUser) => verifyAuditLog(db, company_id)

const eventOf = ({ company_id, user_id }: GivenUser, more: object = {}) => ({
  company_id,
  id: randomUUIDv7(),
  at: time.now,
  action: 'session.started',
  actor_id: user_id,
  target_id: user_id,
  door: 'web',
  ip: '192.0.2.1',
  request_id: randomUUID(),
  data: JSON.stringify({ amount: 1, words: 'ä€😀' }),
  ...more,
})
const write = (admin: GivenUser, count = 1, more: object = {}) =>
  db
    .insertInto('audit_events')
    .values(Array.from({ length: count }, () => eventOf(admin, more)))
    .execute()

/** A company with this many events, sealed one run after the other. */
async function given(runs = [3, 3, 3]) {
  const admin = await kith.given.company()
  for (const count of runs) {
    await write(admin, count)
    await seal(admin)
    pass(5 * minute)
  }
  return admin
}
const events = ({ company_id }: GivenUser) =>
  ownerDb.selectFrom('audit_events').selectAll().where('company_id', '=', company_id).orderBy('position').execute()
/** As the owner of the tables; the app's role cannot do this. */
const onEvent = ({ company_id }: GivenUser, position: number, change: ReturnType<typeof sql>) =>
  sql`update audit_events set ${change} where company_id = ${company_id} and position = ${position}`.execute(ownerDb)
const remove = ({ company_id }: GivenUser, position: number) =>
  sql`delete from audit_events where company_id = ${company_id} and position = ${position}`.execute(ownerDb)

test('sealed events are verified, and events not sealed yet are counted', async () => {
  const admin = await given()
  const api = kith.withSession(await kith.given.session(admin))
  await write(admin, 2)
  const found = await api.verifyAuditLog({})
  const all = await events(admin)
  expect(found).toEqual({
    ok: true,
    problems: [],
    sealed: 9,
    waiting: 2,
    removed: 0,
    erased: 0,
    newest_seal: { position: 9, hash: all[8]!.hash!.toString('hex'), at: all[8]!.sealed_at!.toISOString() },
  })
  expect(all.slice(0, 9).map(({ position }) => position)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
})

test('the hashes match docs/audit-log.md', async () => {
  const admin = await given([2])
  const { rows } = await sql<
    Record<string, string | null>
  >`select encode(lag(hash) over (order by position), 'hex') as before,
      company_id, position::int, extract(epoch from sealed_at)::text as sealed_at, id, extract(epoch from at)::text as at,
      action, actor_id, door, api_key_id, target_id, request_id, ip, data::text, encode(details_key, 'hex') as details_key,
      encode(details_hash, 'hex') as details_hash, encode(hash, 'hex') as hash
    from audit_events where company_id = ${admin.company_id} order by position`.execute(db)
  const sha256 = (parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  for (const { before, ip, data, details_key, details_hash, hash, ...event } of rows) {
    expect(details_hash).toBe(sha256([details_key, ip, data]))
    expect(hash).toBe(sha256([before ?? '', ...Object.values(event), details_hash]))
  }
})

test('a log that was never sealed is valid', async () => {
  const admin = await kith.given.company()
  await write(admin, 2)
  expect(await verify(admin)).toMatchObject({ ok: true, sealed: 0, waiting: 2, newest_seal: null })
})

describe('tampering with a sealed event is detected', () => {
  test.each([
    ['at', sql`at = at + interval '1 microsecond'`],
    ['action', sql`action = 'session.refused'`],
    ['actor', sql`actor_id = gen_random_uuid()`],
    ['no actor', sql`actor_id = null`],
    ['target', sql`target_id = gen_random_uuid()`],
    ['door', sql`door = 'mcp'`],
    ['key', sql`api_key_id = gen_random_uuid()`],
    ['request', sql`request_id = 'another'`],
    ['address', sql`ip = '192.0.2.2'`],
    ['no address', sql`ip = null`],
    ['data', sql`data = '{"amount": 2}'`],
    ['no data', sql`data = '{}'`],
    ['data in the tenth digit', sql`data = jsonb_set(data, '{amount}', '1.0000000000000000000001')`],
    ['id', sql`id = gen_random_uuid()`],
    ['time of its seal', sql`sealed_at = sealed_at + interval '1 second'`],
    ['hash', sql`hash = sha256('x')`],
    ['hash of its details', sql`details_hash = sha256('x')`],
    ['no key of its details, but details', sql`details_key = null`],
  ])('when it was changed: %s', async (_, change) => {
    const admin = await given()
    await onEvent(admin, 5, change)
    const found = await verify(admin)
    expect(found.ok).toBe(false)
    const event_id = (await events(admin))[4]!.id
    expect(found.problems[0]).toMatchObject({ kind: 'changed', position: 5, event_id })
  })

  test('when it was changed together with its own hash', async () => {
    const admin = await given()
    const [, second] = await events(await given())
    await onEvent(admin, 5, sql`action = 'x', hash = ${second!.hash}`)
    expect((await verify(admin)).problems.map(({ position }) => position)).toEqual([5, 6])
  })

  test.each([1, 5, 9])('when it was removed: %i', async (position) => {
    const admin = await given()
    await remove(admin, position)
    expect(await verify(admin)).toMatchObject({ ok: false, problems: [{ kind: 'removed', position, event_id: null }] })
  })

  test('when it was removed and the others were renumbered', async () => {
    const admin = await given()
    await remove(admin, 5)
    for (const position of [6, 7, 8, 9]) await onEvent(admin, position, sql`position = position - 1`)
    expect((await verify(admin)).problems[0]).toMatchObject({ kind: 'changed', position: 5 })
  })

  test('when it was swapped with another', async () => {
    const admin = await given()
    await onEvent(admin, 5, sql`position = 50`)
    await onEvent(admin, 6, sql`position = 5`)
    await onEvent(admin, 50, sql`position = 6`)
    expect((await verify(admin)).problems[0]).toMatchObject({ kind: 'changed', position: 5 })
  })

  test('when one was inserted and the others were renumbered', async () => {
    const admin = await given()
    for (const position of [9, 8, 7, 6, 5]) await onEvent(admin, position, sql`position = position + 1`)
    const forged = eventOf(admin, { position: 5, hash: Buffer.alloc(32), details_hash: Buffer.alloc(32) })
    await ownerDb.insertInto('audit_events').values(forged).execute()
    const { ok, problems } = await verify(admin)
    expect(ok).toBe(false)
    expect(problems[0]).toMatchObject({ kind: 'changed', position: 5, event_id: forged.id })
  })

  test('when one was appended after the end of the chain', async () => {
    const admin = await given()
    await ownerDb
      .insertInto('audit_events')
      .values(eventOf(admin, { position: 12 }))
      .execute()
    expect(await verify(admin)).toMatchObject({ ok: false, problems: [{ kind: 'added', position: 12 }] })
  })

  test('when one was added later with an earlier time, before and after it is sealed', async () => {
    const admin = await given()
    pass(3 * day)
    await write(admin)
    await seal(admin)
    await write(admin, 1, { at: new Date(time.now.getTime() - 2 * day) })
    expect(await verify(admin)).toMatchObject({ ok: false, problems: [{ kind: 'added', position: null }] })
    pass(5 * minute)
    await seal(admin)
    expect(await verify(admin)).toMatchObject({ ok: false, problems: [{ kind: 'added', position: 11 }] })
  })

  test('even with an impossible time', async () => {
    const admin = await given()
    await onEvent(admin, 5, sql`at = 'infinity'`)
    expect((await verify(admin)).problems).toMatchObject([{ kind: 'changed', position: 5, at: null }])
  })

  test('in one company, while the others are valid', async () => {
    const [one, other] = [await given(), await given()]
    await remove(one, 5)
    expect((await verify(one)).ok).toBe(false)
    expect((await verify(other)).ok).toBe(true)
  })
})

describe('sealing', () => {
  test('includes events that a long transaction commits late', async () => {
    const id = randomUUIDv7() // Earlier than all others: IDs of the same millisecond are in random order.
    const admin = await given()
    await db.transaction().execute(async (slow) => {
      await slow
        .insertInto('audit_events')
        .values(eventOf(admin, { id, request_id: 'slow' }))
        .execute()
      await write(admin, 3)
      await seal(admin)
    })
    pass(20 * minute)
    await write(admin)
    await seal(admin)
    const all = await events(admin)
    const late = all.findIndex(({ request_id }) => request_id === 'slow')
    expect(late).toBe(12)
    expect(all[late]!.id < all[9]!.id).toBe(true)
    expect(await verify(admin)).toMatchObject({ ok: true, sealed: 14, waiting: 0 })
  })

  test('by several processes at the same time creates one chain', async () => {
    const admin = await kith.given.company()
    await write(admin, 1700)
    const pools = [1, 2, 3].map(() => createPool({ ...kith.owner, application_name: 'another' }, { max: 2 }))
    const work = async (index: number) => {
      const own = createDb(pools[index]!)
      for (let round = 0; round < 5; round++) {
        await sealAuditLog(own, admin.company_id, time.now)
        await write(admin, 7)
      }
      await sealAuditLog(own, admin.company_id, time.now)
    }
    await Promise.all([0, 1, 2].map(work))
    await Promise.all(pools.map((pool) => pool.end()))
    expect(await verify(admin)).toMatchObject({ ok: true, sealed: 1700 + 3 * 5 * 7, waiting: 0 })
  })

  test('does not block writers', async () => {
    const admin = await given()
    await transaction(ownerDb, async (tx) => {
      await lockChain(tx, admin.company_id)
      await db.transaction().execute(async (writer) => {
        await sql`set local lock_timeout = '1s'`.execute(writer)
        await writer.insertInto('audit_events').values(eventOf(admin)).execute()
      })
    })
    expect(await verify(admin)).toMatchObject({ ok: true, waiting: 1 })
  })

  test('of an old log continues where it was interrupted', async () => {
    const admin = await kith.given.company()
    for (const daysAgo of [400, 300, 200]) await write(admin, 400, { at: new Date(time.now.getTime() - daysAgo * day) })
    const stop = new Error('killed')
    const broken = ownerDb.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit_events
          where company_id = ${admin.company_id} and position is not null`.execute(ownerDb)
        if (rows[0]!.count > 0) throw stop
        return result
      },
    })
    await expect(sealAuditLog(broken, admin.company_id, time.now)).rejects.toBe(stop)
    expect(await verify(admin)).toMatchObject({ ok: true, sealed: 500, waiting: 700 })
    pass(3 * day)
    await seal(admin)
    expect(await verify(admin)).toMatchObject({ ok: true, sealed: 1200, waiting: 0 })
  })

  test('on schedule includes every company except those of the last hour, and logs the newest seal', async () => {
    const [old, young] = [await kith.given.company(), await kith.given.company()]
    const made = new Date(time.now.getTime() - 2 * 60 * minute)
    await db.updateTable('companies').set({ created_at: made }).where('id', '=', old.company_id).execute()
    for (const admin of [old, young]) await write(admin, 2)
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    await sealAuditLogs(kith.services.ownerDb, time.now, log)
    expect(await verify(old)).toMatchObject({ sealed: 2, waiting: 0 })
    expect(await verify(young)).toMatchObject({ sealed: 0, waiting: 2 })
    const { newest_seal } = await verify(old)
    const line = lines.map((text) => JSON.parse(text)).find(({ company_id }) => company_id === old.company_id)
    expect(line).toMatchObject({ position: 2, hash: newest_seal!.hash })
  })

  test('is not allowed for the role that Kith runs as', async () => {
    const admin = await given()
    await write(admin)
    await expect(sealAuditLog(db, admin.company_id, time.now)).rejects.toMatchObject({ code: '42501' })
  })
})

describe('retention', () => {
  const keep = (admin: GivenUser, audit_days: number) =>
    db.updateTable('companies').set({ audit_days }).where('id', '=', admin.company_id).execute()

  test('removes old events, records it in the log, and the rest can still be verified', async () => {
    const admin = await given([3])
    pass(60 * day)
    await write(admin, 4)
    await seal(admin)
    await keep(admin, 90)
    await pruneAudit(kith.services.ownerDb, time.now)
    expect(await events(admin)).toHaveLength(7)
    pass(40 * day)
    await pruneAudit(kith.services.ownerDb, time.now)
    expect(await verify(admin)).toMatchObject({ ok: true, removed: 3, sealed: 4, waiting: 1 })
    await seal(admin)
    expect(await verify(admin)).toMatchObject({ ok: true, removed: 3, sealed: 5, waiting: 0 })
    const [told] = (await events(admin)).filter(({ action }) => action === 'audit.pruned')
    expect(told).toMatchObject({ door: 'automation', data: { removed: 3, through: 3 } })
    await onEvent(admin, 4, sql`action = 'x'`)
    expect(await verify(admin)).toMatchObject({ ok: false, problems: [{ kind: 'changed', position: 4 }] })
  })

  test('runs once a day on the same log, and can empty it', async () => {
    const admin = await given([2])
    await keep(admin, 90)
    for (let round = 0; round < 3; round++) {
      pass(100 * day)
      await pruneAudit(kith.services.ownerDb, time.now)
      await pruneAudit(kith.services.ownerDb, new Date(time.now.getTime() + 60 * minute))
      await seal(admin)
      expect(await verify(admin)).toMatchObject({ ok: true, sealed: 1, waiting: 0, removed: round + 2 })
    }
  })

  test('cannot be faked by removing the beginning of the log', async () => {
    const admin = await given()
    const all = await events(admin)
    for (const position of [1, 2, 3]) await remove(admin, position)
    await ownerDb
      .updateTable('audit_chains')
      .set({ removed_through: 3, removed_hash: all[2]!.hash! })
      .where('company_id', '=', admin.company_id)
      .execute()
    expect(await verify(admin)).toMatchObject({ ok: false, problems: [{ kind: 'removed', position: 3 }] })
  })

  test('is not allowed for the role that Kith runs as', async () => {
    const admin = await given()
    await keep(admin, 90)
    pass(100 * day)
    const refusals = expect.arrayContaining([expect.objectContaining({ code: '42501' })])
    await expect(pruneAudit(db, time.now)).rejects.toMatchObject({ errors: refusals })
    expect(await verify(admin)).toMatchObject({ ok: true, removed: 0 })
  })
})

describe('the chain stays valid', () => {
  test('when someone is removed together with their name', async () => {
    const admin = await given()
    const member = await kith.given.user(admin, { name: 'Canary' })
    const api = kith.withSession(await kith.given.session(admin))
    await kith.withSession(await kith.given.session(member)).signOut({})
    await seal(admin)
    await api.deleteUser({ id: member.user_id, reassign_to: admin.user_id })
    await db.updateTable('users').set({ name: 'Erased' }).where('id', '=', member.user_id).execute()
    await seal(admin)
    expect(await verify(admin)).toMatchObject({ ok: true, erased: 0, waiting: 0 })
    const { items } = await api.listAuditEvents({ actor_id: member.user_id })
    expect(items[0]).toMatchObject({ actor_name: 'Erased' })
  })

  test('when the IP address and data of an event are erased, which is counted', async () => {
    const admin = await given()
    await onEvent(admin, 5, sql`ip = null, data = '{}', details_key = null`)
    expect(await verify(admin)).toMatchObject({ ok: true, erased: 1 })
    await onEvent(admin, 5, sql`ip = '192.0.2.99'`)
    expect(await verify(admin)).toMatchObject({ ok: false, problems: [{ kind: 'changed', position: 5 }] })
  })

  test('after a restore', async () => {
    const home = mkdtempSync(join(tmpdir(), 'kith-audit-'))
    afterAll(() => rmSync(home, { recursive: true, force: true }))
    const admin = await given()
    const file = join(home, 'a.kith')
    await backUp({ connection: kith.owner, store: kith.services.files.store, file })
    const target = await testDatabase({ from: 'template0' })
    await restore({ connection: target.owner, store: kith.services.files.store, backup: await openForRestore(file) })
    await write(admin)
    expect(await verifyAuditLog(target.ownerDb, admin.company_id)).toMatchObject({ ok: true, sealed: 9 })
  })
})
