import { describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../../../test/app.ts'
import { mcpFor } from '../../../../test/mcp.ts'
import { soon, testWorker } from '../../../../test/worker.ts'
import { nextTimes } from './next-times.ts'

const kith = await testApp({ own: true })
const mcp = await mcpFor(kith)
await testWorker(kith)

describe('the next due time', () => {
  const next = (repeats: string, due_at: string, now: string, repeats_from?: string, timeZone = 'UTC') =>
    nextTimes(repeats, { due_at, remind_at: undefined, repeats_from }, { now: new Date(now), timeZone })?.due_at

  test.each([
    ['daily', '2026-11-16T09:00:00.000Z', '2026-11-17T09:00:00.000Z'],
    ['every_weekday', '2026-11-20T09:00:00.000Z', '2026-11-23T09:00:00.000Z'],
    ['weekly', '2026-11-16T09:00:00.000Z', '2026-11-23T09:00:00.000Z'],
    ['every_two_weeks', '2026-11-16T09:00:00.000Z', '2026-11-30T09:00:00.000Z'],
    ['monthly', '2026-11-16T09:00:00.000Z', '2026-12-16T09:00:00.000Z'],
    ['quarterly', '2026-11-30T09:00:00.000Z', '2027-02-28T09:00:00.000Z'],
    ['yearly', '2024-02-29T09:00:00.000Z', '2025-02-28T09:00:00.000Z'],
  ])('of a task that repeats %s and was due at %s is %s', (repeats, due, expected) => {
    expect(next(repeats, due, due)).toBe(expected)
  })

  test('is never in the past, however late the task was completed', () => {
    expect(next('daily', '2026-01-01T09:00:00.000Z', '2026-11-16T10:00:00Z')).toBe('2026-11-17T09:00:00.000Z')
    expect(next('every_weekday', '2026-01-01T09:00:00.000Z', '2026-11-20T10:00:00Z')).toBe('2026-11-23T09:00:00.000Z')
    expect(next('monthly', '2025-01-31T09:00:00.000Z', '2026-03-05T10:00:00Z')).toBe('2026-03-31T09:00:00.000Z')
  })

  test('keeps the time of day of the time zone when the clocks change', () => {
    const due = '2026-10-20T07:00:00.000Z'
    expect(next('weekly', due, due, undefined, 'Europe/Berlin')).toBe('2026-10-27T08:00:00.000Z')
  })

  test('of one that is completed early is the one after it', () => {
    expect(next('weekly', '2026-11-20T09:00:00.000Z', '2026-11-16T09:00:00Z')).toBe('2026-11-27T09:00:00.000Z')
  })
})

const tasks = async (api: Api, filter = 'status = open') =>
  (await api.queryRecords({ object: 'tasks', filter, sort: ['due_at'], limit: 100 })).records
const create = async (api: Api, task: Record<string, unknown>) =>
  (await api.createRecords({ object: 'tasks', records: [task], return: 'record' })).records[0]!
const set = (api: Api, id: string, values: Record<string, unknown>) =>
  api.updateRecords({ object: 'tasks', records: [{ id, values }] })

async function start() {
  const admin = await kith.given.company()
  return { admin, key: await kith.given.key(admin), api: kith.withKey(await kith.given.key(admin)) }
}

describe('a repeating task', () => {
  test('that is completed leaves the next one, with the same values and its reminder moved along', async () => {
    const { api } = await start()
    const [deal] = (await api.createRecords({ object: 'deals', records: [{ name: 'Renewal' }] })).records
    const times = { due_at: '2026-06-16T09:00:00Z', remind_at: '2026-06-16T08:30:00Z' }
    const first = await create(api, {
      title: 'Call',
      repeats: 'weekly',
      priority: 'high',
      about: [deal!.id],
      body: 'x',
      ...times,
    })
    await set(api, first.id, { status: 'done' })
    expect(await tasks(api)).toMatchObject([
      {
        title: 'Call',
        repeats: 'weekly',
        priority: 'high',
        body: 'x',
        assignee: first.assignee,
        about: [{ id: deal!.id }],
        due_at: '2026-06-23T09:00:00.000Z',
        remind_at: '2026-06-23T08:30:00.000Z',
      },
    ])
    const done = await api.getRecord({ object: 'tasks', id: first.id })
    expect(done).toMatchObject({ status: 'done', due_at: '2026-06-16T09:00:00.000Z' })
    expect(done.repeats).toBeUndefined()
  })

  test('comes back with one undo, which also removes the next one', async () => {
    const { api } = await start()
    const { id } = await create(api, { title: 'Call', repeats: 'daily', due_at: '2026-06-16T09:00:00Z' })
    const { change_set_id } = await set(api, id, { status: 'done' })
    await api.undoChanges({ change_set_ids: [change_set_id!] })
    expect(await tasks(api)).toMatchObject([{ id, repeats: 'daily', repeats_from: '2026-06-16T09:00:00.000Z' }])
    expect(await tasks(api, 'status = done')).toEqual([])
  })

  test('on the 31st is due on the last day of shorter months and on the 31st again', async () => {
    const { api } = await start()
    kith.time.now = new Date('2027-01-20T12:00:00Z')
    await create(api, { title: 'Report', repeats: 'monthly', due_at: '2027-01-31T09:00:00Z' })
    const dues: unknown[] = []
    for (let i = 0; i < 3; i++) {
      const [open] = await tasks(api)
      await set(api, open!.id, { status: 'done' })
      dues.push((await tasks(api))[0]!.due_at)
    }
    expect(dues).toEqual(['2027-02-28T09:00:00.000Z', '2027-03-31T09:00:00.000Z', '2027-04-30T09:00:00.000Z'])
    kith.time.now = new Date('2026-06-15T12:00:00Z')
  })

  test('whose due time is moved is counted from the new one', async () => {
    const { api } = await start()
    const { id } = await create(api, { title: 'Call', repeats: 'weekly', due_at: '2026-06-16T09:00:00Z' })
    await set(api, id, { due_at: '2026-06-18T10:00:00Z' })
    await set(api, id, { status: 'done' })
    expect(await tasks(api)).toMatchObject([{ due_at: '2026-06-25T10:00:00.000Z' }])
  })

  test('without a due time is due a step after the day it was completed', async () => {
    const { api } = await start()
    const { id } = await create(api, { title: 'Water plants', repeats: 'weekly' })
    await set(api, id, { status: 'done' })
    expect(await tasks(api)).toMatchObject([{ title: 'Water plants', due_at: '2026-06-22T00:00:00.000Z' }])
  })

  test('that is cancelled ends the series, and one that is completed again after reopening starts no second one', async () => {
    const { api } = await start()
    const { id } = await create(api, { title: 'Call', repeats: 'weekly', due_at: '2026-06-16T09:00:00Z' })
    await set(api, id, { status: 'done' })
    await set(api, id, { status: 'open' })
    await set(api, id, { status: 'done' })
    const [next, ...others] = await tasks(api)
    expect(others).toEqual([])
    await set(api, next!.id, { status: 'cancelled' })
    expect(await tasks(api)).toEqual([])
  })

  test('works for bulk edits and agents, and a dry run writes nothing', async () => {
    const { admin, api } = await start()
    const key = await kith.given.key(admin)
    for (const title of ['A', 'B']) await create(api, { title, repeats: 'daily', due_at: '2026-06-16T09:00:00Z' })
    const [a, b] = await tasks(api)
    await api.updateRecords({ object: 'tasks', records: [{ id: a!.id, values: { status: 'done' } }], dry_run: true })
    expect(await tasks(api)).toHaveLength(2)
    const call = {
      name: 'update_records',
      arguments: { object: 'tasks', records: [{ id: a!.id, values: { status: 'done' } }] },
    }
    expect((await mcp.modern(key, 'tools/call', call)).rpc.result!.isError).toBeFalsy()
    const { job_id } = await api.bulkUpdateRecords({ object: 'tasks', ids: [b!.id], values: { status: 'done' } })
    expect(job_id).not.toBe(null)
    await soon(async () => expect(await tasks(api, 'status = done')).toHaveLength(2))
    expect((await tasks(api)).map(({ title, due_at }) => `${title} ${due_at}`).sort()).toEqual([
      'A 2026-06-17T09:00:00.000Z',
      'B 2026-06-17T09:00:00.000Z',
    ])
  })
})

describe('a task without an assignee', () => {
  test('is assigned to its creator, via the web app, REST and MCP', async () => {
    const { admin, key, api } = await start()
    const web = kith.withSession(await kith.given.session(admin))
    for (const door of [web, api])
      expect(await create(door, { title: 'Mine' })).toMatchObject({ assignee: admin.user_id })
    const call = { name: 'create_records', arguments: { object: 'tasks', records: [{ title: 'By MCP' }] } }
    await mcp.modern(key, 'tools/call', call)
    expect(await tasks(api, 'title = "By MCP" and assignee = me')).toHaveLength(1)
  })

  test('stays without one if it says so', async () => {
    const { api } = await start()
    expect((await create(api, { title: 'Nobody', assignee: null })).assignee).toBeUndefined()
  })
})
