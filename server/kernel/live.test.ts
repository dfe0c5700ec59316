import pino from 'pino'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { type GivenUser, givenFor } from '../../test/given.ts'
import { deleteSession, peekActorByToken } from '../accounts/sessions/queries.ts'
import { createPool } from '../platform/db.ts'
import { announce, createLiveHub, type LiveLimits } from './live.ts'

const { connection, pool, db } = await testDatabase()
const given = givenFor(db, () => new Date())
const log = pino({ level: 'silent' })
const findActor = (token: string) => peekActorByToken(pool, token, new Date())

async function startHub(limits: Partial<LiveLimits> = {}) {
  const hub = createLiveHub({ connection, log, findActor, limits })
  await hub.start()
  return hub
}

async function briefHub(limits?: Partial<LiveLimits>) {
  const hub = await startHub(limits)
  onTestFinished(hub.stop)
  return hub
}
type Hub = Awaited<ReturnType<typeof startHub>>

async function listenAs(hub: Hub, user: GivenUser, token?: string) {
  const session = token ?? (await given.session(user))
  const heard: [string, unknown][] = []
  const stream = { heard, isOver: false, token: session, leave: () => {} }
  stream.leave = hub.add(session, (await findActor(session))!, {
    send: (event, data) => heard.push([event, JSON.parse(data)]),
    end: () => {
      stream.isOver = true
    },
  })
  return stream
}
type Listening = Awaited<ReturnType<typeof listenAs>>

const eventsOf = ({ heard }: Listening) => heard.map(([event]) => event)
const whenHeard = (stream: Listening, event: string) =>
  vi.waitFor(() => expect(eventsOf(stream)).toContain(event), { timeout: 60_000, interval: 10 })
/** Messages arrive in order: when this one is there, so is whatever was said before. */
async function whenAllIsSaid(company_id: string, ...streams: Listening[]) {
  const end = `end.${crypto.randomUUID()}`
  await announce(db, [{ company_id, event: end }])
  for (const stream of streams) {
    await whenHeard(stream, end)
    stream.heard.pop()
  }
}

// Their sessions are looked up only when there is a reason.
const hub = await startHub({ checkMs: 3_600_000 })
const other = await startHub({ checkMs: 3_600_000 })
afterAll(async () => void (await Promise.all([hub.stop(), other.stop()])))
let admin: GivenUser
beforeEach(async () => {
  admin = await given.company()
})

describe('a message', () => {
  test('reaches the streams of its company in every process, with its data', async () => {
    const streams = [await listenAs(hub, admin), await listenAs(other, admin)]
    await announce(db, [{ company_id: admin.company_id, event: 'record.updated', data: { id: 'x' } }])
    for (const stream of streams) await whenHeard(stream, 'record.updated')
    expect(streams.map(({ heard }) => heard)).toEqual(Array(2).fill([['record.updated', { id: 'x' }]]))
  })

  test('for one user reaches only that user, and no message reaches another company', async () => {
    const member = await given.user(admin)
    const stranger = await given.company()
    const [hers, his, theirs] = [
      await listenAs(hub, admin),
      await listenAs(hub, member),
      await listenAs(other, stranger),
    ]
    const { company_id, user_id } = member
    await announce(db, [{ company_id, user_id, event: 'told.one' }])
    await announce(db, [{ company_id, event: 'told.all' }])
    await whenAllIsSaid(company_id, hers, his)
    await whenAllIsSaid(stranger.company_id, theirs)
    expect([hers, his, theirs].map(eventsOf)).toEqual([['told.all'], ['told.one', 'told.all'], []])
  })

  test('arrives in order, even if many are announced together', async () => {
    const stream = await listenAs(hub, admin)
    const ids = Array.from({ length: 2000 }, (_, i) => `${i} äöü€😀`)
    const { company_id } = admin
    await announce(
      db,
      ids.map((id) => ({ company_id, event: 'record.created', data: { id } })),
    )
    await whenAllIsSaid(company_id, stream)
    expect(stream.heard.map(([, data]) => (data as { id: string }).id)).toEqual(ids)
  })

  test('that is announced twice together is sent once', async () => {
    const stream = await listenAs(hub, admin)
    const message = { company_id: admin.company_id, event: 'record.updated', data: { id: 'x' } }
    await announce(db, [message, { ...message }])
    await whenAllIsSaid(admin.company_id, stream)
    expect(stream.heard).toEqual([['record.updated', { id: 'x' }]])
  })

  test('that is too long becomes a resync', async () => {
    const stream = await listenAs(hub, admin)
    const { company_id } = admin
    const data = { ids: Array(500).fill(crypto.randomUUID()) }
    await announce(db, [
      { company_id, event: 'record.deleted', data },
      { company_id, event: 'after' },
    ])
    await whenHeard(stream, 'after')
    expect(eventsOf(stream)).toEqual(['resync', 'after'])
  })

  test('that cannot be parsed is ignored', async () => {
    const stream = await listenAs(hub, admin)
    const odd = ['', 'x', '5', 'null', '[null, 5, {}]', `[{"company_id": "${admin.company_id}", "event": "a\\nb"}]`]
    for (const payload of odd) await pool.query("select pg_notify('kith_live', $1)", [payload])
    await whenAllIsSaid(admin.company_id, stream)
    expect(stream.heard).toEqual([])
  })

  test('does not reach a stream that has left', async () => {
    const [left, stays] = [await listenAs(hub, admin), await listenAs(hub, admin)]
    left.leave()
    left.leave()
    await announce(db, [{ company_id: admin.company_id, event: 'late' }])
    await whenHeard(stays, 'late')
    expect(left.heard).toEqual([])
  })
})

describe('a change of access', () => {
  const change = ({ company_id, user_id }: GivenUser) => announce(db, [{ company_id, user_id, event: 'access' }])

  const takeGrants = ({ company_id }: GivenUser) =>
    db.updateTable('roles').set({ grants: [] }).where('company_id', '=', company_id).execute()

  test('of a role reaches the streams of the user, on every process', async () => {
    const member = await given.user(admin, { grants: ['audit.read'] })
    const streams = [await listenAs(hub, member), await listenAs(other, member)]
    const bystander = await listenAs(hub, admin)
    await takeGrants(member)
    await change(member)
    for (const stream of streams) await whenHeard(stream, 'access')
    await whenAllIsSaid(admin.company_id, bystander)
    expect(bystander.heard).toEqual([])
  })

  test('that changes nothing is not sent', async () => {
    const member = await given.user(admin, { grants: ['audit.read'] })
    const stream = await listenAs(hub, member)
    await change(member)
    await takeGrants(member)
    await change(member)
    await whenHeard(stream, 'access')
    await change(member)
    await whenAllIsSaid(member.company_id, stream)
    expect(stream.heard).toEqual([['access', {}]])
  })

  test('ends the streams of a session that is over, and only those', async () => {
    const [ended, another] = [await listenAs(hub, admin), await listenAs(hub, admin)]
    const second = await listenAs(other, admin, ended.token)
    await deleteSession(db, ended.token)
    await change(admin)
    for (const stream of [ended, second]) await whenHeard(stream, 'signed-out')
    await whenAllIsSaid(admin.company_id, another)
    expect([ended.isOver, second.isOver, another.isOver]).toEqual([true, true, false])
    expect(another.heard).toEqual([])
  })

  test('that was not announced is detected anyway', async () => {
    const quick = await briefHub({ checkMs: 300 })
    const member = await given.user(admin, { grants: ['audit.read'] })
    const stream = await listenAs(quick, member)
    await takeGrants(member)
    await whenHeard(stream, 'access')
    await deleteSession(db, stream.token)
    await whenHeard(stream, 'signed-out')
    expect(stream.isOver).toBe(true)
  })

  test('between the request and the opening of its stream is found', async () => {
    const token = await given.session(admin)
    const actor = (await findActor(token))!
    const bystander = await listenAs(hub, admin)
    await deleteSession(db, token)
    await change(admin)
    await whenAllIsSaid(admin.company_id, bystander)
    const heard: string[] = []
    hub.add(token, actor, { send: (event) => heard.push(event), end: () => {} })
    await vi.waitFor(() => expect(heard).toEqual(['signed-out']), 60_000)
  })
})

describe('when the database goes away', () => {
  const cut = () =>
    pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'kith live'`)

  test('streams are asked to reload everything, and receive what comes next', async () => {
    const streams = [await listenAs(hub, admin), await listenAs(other, admin)]
    await cut()
    for (const stream of streams) await whenHeard(stream, 'resync')
    await announce(db, [{ company_id: admin.company_id, event: 'next' }])
    for (const stream of streams) await whenHeard(stream, 'next')
  })

  test('a session that ended in between is detected after reconnecting', async () => {
    const stream = await listenAs(hub, admin)
    await deleteSession(db, stream.token)
    await cut()
    await whenHeard(stream, 'signed-out')
  })

  test('one connection per process listens, even after several losses', async () => {
    const stream = await listenAs(hub, admin)
    for (let i = 0; i < 3; i++) {
      stream.heard.length = 0
      await cut()
      await whenHeard(stream, 'resync')
    }
    await (await startHub()).stop()
    await vi.waitFor(async () => {
      const { rows } = await pool.query(
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'kith live'`,
      )
      expect(rows).toHaveLength(2) // Of our two hubs.
    }, 60_000)
  })

  test('streams stay open while sessions cannot be looked up', async () => {
    const away = createPool({ host: '127.0.0.1', port: 1 })
    let tries = 0
    let at = away
    const find = (token: string) => {
      tries++
      return peekActorByToken(at, token, new Date())
    }
    const patient = createLiveHub({ connection, log, findActor: find, limits: { checkMs: 60 } })
    onTestFinished(patient.stop)
    const stream = await listenAs(patient, admin)
    await deleteSession(db, stream.token)
    await vi.waitFor(() => expect(tries).toBeGreaterThan(2), 60_000)
    expect([stream.heard, stream.isOver]).toEqual([[], false])
    at = pool
    await whenHeard(stream, 'signed-out')
  })

  test('starting and stopping do not wait for it', async () => {
    const nowhere = createLiveHub({ connection: { host: '127.0.0.1', port: 1 }, log, findActor })
    await nowhere.start()
    await nowhere.stop()
  })
})

describe('there are limits:', () => {
  test('streams per user are limited; a new one replaces the oldest', async () => {
    const small = await briefHub({ streamsPerUser: 2 })
    const member = await given.user(admin)
    const streams = [await listenAs(small, admin), await listenAs(small, member), await listenAs(small, admin)]
    const newest = await listenAs(small, admin)
    expect([...streams, newest].map(({ isOver }) => isOver)).toEqual([true, false, false, false])
    expect(eventsOf(streams[0]!)).toEqual(['replaced'])
  })

  test('streams per process are limited; closing one makes room', async () => {
    const small = await briefHub({ streams: 1 })
    const first = await listenAs(small, admin)
    await expect(listenAs(small, admin)).rejects.toMatchObject({ code: 'unavailable' })
    first.leave()
    await listenAs(small, admin)
  })

  test('streams per company are limited, and another company has its own', async () => {
    const small = await briefHub({ streamsPerCompany: 1 })
    const member = await given.user(admin)
    const first = await listenAs(small, admin)
    await expect(listenAs(small, member)).rejects.toMatchObject({ code: 'unavailable' })
    await listenAs(small, await given.company())
    first.leave()
    await listenAs(small, member)
  })

  test('stopping ends every stream and takes no more', async () => {
    const brief = await startHub()
    const stream = await listenAs(brief, admin)
    await brief.stop()
    expect([stream.isOver, stream.heard]).toEqual([true, []])
    await expect(listenAs(brief, admin)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
