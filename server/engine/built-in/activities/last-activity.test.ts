import { describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../../../test/app.ts'
import { soon, testWorker } from '../../../../test/worker.ts'
import { activityTasks } from '../../records/update-activity.ts'

const kith = await testApp({ own: true })
await testWorker(kith)

const start = kith.time.now.getTime()
const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString()

async function accounts() {
  const api = kith.withKey(await kith.given.key(await kith.given.company()))
  const organization = await create(api, 'organizations', { name: 'Acme' })
  const person = await create(api, 'people', { last_name: 'Lovelace', organization })
  const deal = await create(api, 'deals', { name: 'Engine', organization, people: [person] })
  return { api, organization, person, deal }
}

async function create(api: Api, object: string, values: Record<string, unknown>) {
  return (await api.createRecords({ object, records: [values] })).records[0]!.id
}

const lastOf = async (api: Api, object: string, id: string) =>
  (await api.getRecord({ object, id })).last_activity_at ?? null

const call = (minutes: number, about: string[]) => ({ kind: 'call', at: at(minutes), about })

describe('the last activity of a record', () => {
  test('is the latest call, note or finished task about it, and creates no new version', async () => {
    const { api, person, deal } = await accounts()
    expect(await lastOf(api, 'people', person)).toBe(null)
    await create(api, 'activities', call(-60, [person, deal]))
    await create(api, 'activities', call(-90, [person]))
    expect(await lastOf(api, 'people', person)).toBe(at(-60))
    expect(await lastOf(api, 'deals', deal)).toBe(at(-60))
    const task = await create(api, 'tasks', { title: 'Call back', about: [person] })
    expect(await lastOf(api, 'people', person)).toBe(at(-60))
    await api.updateRecords({ object: 'tasks', records: [{ id: task, values: { status: 'done' } }] })
    expect(await lastOf(api, 'people', person)).toBe(at(0))
    expect(await api.getRecord({ object: 'people', id: person })).toMatchObject({ version: 1 })
    expect((await api.listChanges({ record_id: person })).items).toHaveLength(1)
  })

  test('counts the people of an activity, and a note about a lead', async () => {
    const { api, person } = await accounts()
    await create(api, 'activities', { kind: 'meeting', at: at(-5), people: [person] })
    expect(await lastOf(api, 'people', person)).toBe(at(-5))
    const lead = await create(api, 'leads', { last_name: 'Hopper' })
    await create(api, 'notes', { body: 'Called', about: [lead] })
    expect(await lastOf(api, 'leads', lead)).toBe(at(0))
  })

  test('goes back when the activity is deleted, moved, unlinked or undone', async () => {
    const { api, person } = await accounts()
    await create(api, 'activities', call(-60, [person]))
    const latest = await create(api, 'activities', call(-10, [person]))
    const lastAfter = async (work: Promise<unknown>) => {
      await work
      return lastOf(api, 'people', person)
    }
    const change = (values: Record<string, unknown>) =>
      api.updateRecords({ object: 'activities', records: [{ id: latest, values }] })
    expect(await lastAfter(api.deleteRecords({ object: 'activities', ids: [latest] }))).toBe(at(-60))
    expect(await lastAfter(api.restoreRecords({ object: 'activities', ids: [latest] }))).toBe(at(-10))
    expect(await lastAfter(change({ at: at(-120) }))).toBe(at(-60))
    expect(await lastAfter(change({ at: at(-20) }))).toBe(at(-20))
    expect(await lastAfter(change({ about: [] }))).toBe(at(-60))
    const { change_set_id } = await change({ about: [person] })
    expect(await lastOf(api, 'people', person)).toBe(at(-20))
    expect(await lastAfter(api.undoChanges({ change_set_ids: [change_set_id!] }))).toBe(at(-60))
  })

  test('is never in the future: planned activities count once they take place', async () => {
    const { api, person, organization } = await accounts()
    await create(api, 'activities', call(30, [person]))
    expect(await lastOf(api, 'people', person)).toBe(null)
    const later = new Date(start + 40 * 60_000)
    await activityTasks.reach_planned_activities!.run({ db: kith.db, now: later } as never, {} as never)
    expect(await lastOf(api, 'people', person)).toBe(at(30))
    expect(await lastOf(api, 'organizations', organization)).toBe(at(30))
  })

  test('is passed on to the organization of people and deals after the response, and moves with them', async () => {
    const { api, organization, person, deal } = await accounts()
    await create(api, 'activities', call(-60, [person]))
    await soon(async () => expect(await lastOf(api, 'organizations', organization)).toBe(at(-60)))
    const latest = await create(api, 'activities', call(-30, [deal]))
    await soon(async () => expect(await lastOf(api, 'organizations', organization)).toBe(at(-30)))
    await api.deleteRecords({ object: 'activities', ids: [latest] })
    await soon(async () => expect(await lastOf(api, 'organizations', organization)).toBe(at(-60)))
    const other = await create(api, 'organizations', { name: 'Other' })
    await api.updateRecords({ object: 'people', records: [{ id: person, values: { organization: other } }] })
    await soon(async () => expect(await lastOf(api, 'organizations', other)).toBe(at(-60)))
    await soon(async () => expect(await lastOf(api, 'organizations', organization)).toBe(null))
  })

  test('can be filtered and sorted by', async () => {
    const { api, person } = await accounts()
    const quiet = await create(api, 'people', { last_name: 'Quiet' })
    await create(api, 'activities', call(-60, [person]))
    const ids = async (filter: string) =>
      (await api.listRecords({ object: 'people', filter, sort: ['-last_activity_at'] })).records.map(({ id }) => id)
    expect(await ids('last_activity_at > -1d')).toEqual([person])
    expect(await ids('')).toEqual([person, quiet])
  })
})

test('twenty concurrent activities about the same people and organizations all count', async () => {
  const { api, person, organization, deal } = await accounts()
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      create(api, 'activities', call(-60 + i, i % 2 ? [person, deal, organization] : [organization, deal, person])),
    ),
  )
  for (const [object, id] of [
    ['people', person],
    ['deals', deal],
    ['organizations', organization],
  ] as const)
    await soon(async () => expect(await lastOf(api, object, id)).toBe(at(-41)))
})
