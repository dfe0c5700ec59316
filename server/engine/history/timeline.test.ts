import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { testApp } from '../../../test/app.ts'

const kith = await testApp()
const { given, withKey, withSession } = kith

async function company() {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  /** A second after what happened before. */
  const later = () => {
    kith.time.now = new Date(kith.time.now.getTime() + 1000)
    return api
  }
  const create = async (object: string, ...records: Record<string, unknown>[]) =>
    (await later().createRecords({ object, records })).records.map(({ id }) => id)
  const [acme] = await create('organizations', { name: 'Acme' })
  const [ada] = await create('people', { first_name: 'Ada', organization: acme })
  const [deal] = await create('deals', { name: 'Renewal', organization: acme, people: [ada] })
  return { admin, api, later, create, acme: acme!, ada: ada!, deal: deal! }
}
const daysAgo = (days: number) => new Date(kith.time.now.getTime() - days * 86_400_000).toISOString()
const titles = (items: { kind: string; record?: Record<string, unknown> }[]) =>
  items.map(({ kind, record }) => `${kind} ${record?.outcome ?? record?.body ?? record?.title ?? ''}`.trim())

describe('the timeline of a record', () => {
  test('lists notes, activities, completed tasks and changes in one order, newest first', async () => {
    const { later, create, deal } = await company()
    await create('activities', { kind: 'call', outcome: 'Reached', at: daysAgo(3), about: [deal] })
    await create('notes', { body: 'Wants two years', about: [deal] })
    const [task] = await create('tasks', { title: 'Send offer', about: [deal] })
    await later().updateRecords({ object: 'deals', records: [{ id: deal, values: { probability: 40 } }] })
    await later().updateRecords({ object: 'tasks', records: [{ id: task!, values: { status: 'done' } }] })
    const { items, next_cursor } = await later().getTimeline({ object: 'deals', id: deal })
    expect(titles(items)).toEqual(['task Send offer', 'change', 'note Wants two years', 'change', 'activity Reached'])
    expect(items[1]).toMatchObject({ change_set: { changes: [{ fields: { probability: { to: 40 } } }] } })
    expect(next_cursor).toBeNull()
  })

  test('says what is next: open tasks and planned activities, the soonest first', async () => {
    const { create, api, deal } = await company()
    await create(
      'tasks',
      { title: 'Some day', about: [deal] },
      { title: 'Cancelled', status: 'cancelled', about: [deal] },
    )
    await create('tasks', { title: 'Next week', due_at: daysAgo(-7), about: [deal] })
    await create('tasks', { title: 'Overdue', due_at: daysAgo(1), about: [deal] })
    await create('activities', { kind: 'meeting', outcome: 'Demo', at: daysAgo(-2), about: [deal] })
    const { next_steps, items } = await api.getTimeline({ object: 'deals', id: deal })
    expect(titles(next_steps)).toEqual(['task Overdue', 'activity Demo', 'task Next week', 'task Some day'])
    expect(next_steps[3]!.at).toBeNull()
    expect(titles(items)).toEqual(['change'])
  })

  test('includes what is about related records and names them, unless it is asked not to', async () => {
    const { api, create, acme, ada, deal } = await company()
    await create('notes', { body: 'About the deal', about: [deal] })
    await create('activities', { kind: 'call', outcome: 'With Ada', about: [], people: [ada] })
    await create('notes', { body: 'About both', about: [ada, acme] })
    const of = async (object: string, id: string, related = true) =>
      (await api.getTimeline({ object, id, related, kinds: ['note', 'activity', 'task'] })).items
    const all = await of('organizations', acme)
    expect(titles(all)).toEqual(['note About both', 'activity With Ada', 'note About the deal'])
    expect(all.map((item) => 'through' in item && item.through)).toEqual([
      null,
      { object: 'people', id: ada, title: 'Ada' },
      { object: 'deals', id: deal, title: 'Renewal' },
    ])
    expect(titles(await of('people', ada))).toEqual(titles(all))
    expect(titles(await of('organizations', acme, false))).toEqual(['note About both'])
    expect(titles(await of('deals', deal))).toEqual(['note About the deal'])
  })

  test('comes in pages that miss and repeat nothing', async () => {
    const { api, create, ada } = await company()
    const notes = Array.from({ length: 7 }, (_, i) => ({ body: `Note ${i}`, about: [ada] }))
    await create('notes', ...notes)
    await create(
      'activities',
      { kind: 'call', at: daysAgo(2), about: [ada] },
      { kind: 'visit', at: daysAgo(1), about: [ada] },
    )
    for (const score of [1, 2, 3])
      await api.updateRecords({ object: 'people', records: [{ id: ada, values: { score } }] })
    const whole = await api.getTimeline({ object: 'people', id: ada, limit: 100 })
    expect(whole.items).toHaveLength(13)
    const seen: unknown[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await api.getTimeline({ object: 'people', id: ada, limit: 3, ...(cursor && { cursor }) })
      seen.push(...page.items)
      cursor = page.next_cursor
    }
    expect(seen).toEqual(whole.items)
    const now = '2026-06-15T12:00:00.000Z'
    for (const forged of [
      'nonsense',
      {},
      { now: '1' },
      { now, record: ['1', ada] },
      { now, record: [now, 'x'] },
      { now, change: 'x' },
    ]) {
      const cursor = Buffer.from(typeof forged === 'string' ? forged : JSON.stringify(forged)).toString('base64url')
      await expect(api.getTimeline({ object: 'people', id: ada, cursor })).toBeRefused(422)
    }
  })

  test('shows only what the reader may see', async () => {
    const { admin, api, create, acme, deal } = await company()
    await create('notes', { body: 'Secret', about: [deal] })
    await withSession(await given.session(admin)).createRole({
      name: 'No deals',
      records: { '*': everything, deals: { ...everything, read: 'none' }, notes: { ...everything, read: 'own' } },
    })
    const user = await given.user(admin, { role: 'No deals' })
    const rep = withKey(await given.key(user))
    await rep.createRecords({ object: 'notes', records: [{ body: 'Mine', about: [acme] }] })
    await create('notes', { body: 'Of another', about: [acme] })
    const { items } = await rep.getTimeline({ object: 'organizations', id: acme, kinds: ['note'] })
    expect(titles(items)).toEqual(['note Mine'])
    await expect(rep.getTimeline({ object: 'deals', id: deal })).toBeRefused(404)
    const other = withKey(await given.key(await given.company()))
    await expect(other.getTimeline({ object: 'organizations', id: acme })).toBeRefused(404)
    expect((await api.getTimeline({ object: 'organizations', id: acme, kinds: ['note'] })).items).toHaveLength(3)
  })
})

describe('undoing a change of many records', () => {
  test('can be limited to one of them, and the rest can still be undone', async () => {
    const { api, create, ada } = await company()
    const [ben] = await create('people', { first_name: 'Ben' })
    const values = { score: 9 }
    const { change_set_id } = await api.updateRecords({
      object: 'people',
      records: [ada, ben!].map((id) => ({ id, values })),
    })
    const scores = async () =>
      (await api.getRecords({ object: 'people', ids: [ada, ben!] })).records.map(({ score = null }) => score)
    const change_set_ids = [change_set_id!]
    expect(await api.undoChanges({ change_set_ids, record_ids: [ada] })).toMatchObject({ undone: 1, left: [] })
    expect(await scores()).toEqual([null, 9])
    const [set] = (await api.listChanges({ record_id: ben! })).items
    expect(set).toMatchObject({ id: change_set_id, undone_by: null })
    expect(await api.undoChanges({ change_set_ids })).toMatchObject({ undone: 1 })
    expect(await scores()).toEqual([null, null])
    expect((await api.listChanges({ record_id: ben! })).items[1]).toMatchObject({
      id: change_set_id,
      undone_by: expect.any(String),
    })
  })
})
