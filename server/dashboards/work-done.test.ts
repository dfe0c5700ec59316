// What agents changed, what changed on the caller's records, the funnel, and the checklist of a new company.
import { describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../test/app.ts'
import { companyToAsk } from '../../test/records/ask.ts'
import { expectLinksToCount } from '../../test/records/figures.ts'
import { statusOf } from '../../test/records/refusal.ts'

const kith = await testApp()
const { given, withKey, withSession, minutes, time } = kith

async function widgetOf(api: Api, type: string) {
  const { widgets } = await api.queryDashboard({ id: 'default' })
  return widgets.find((widget) => widget.type === type)!
}
const titles = ({ change_sets }: Awaited<ReturnType<typeof widgetOf>>) => change_sets.map(({ id }) => id)

describe('changes of agents', () => {
  test('wait until someone says that they look good or undoes them, for each person', async () => {
    const { api, add, admin } = await companyToAsk(kith)
    const boss = withSession(await given.session(admin))
    const member = await given.user(admin)
    const mine = withSession(await given.session(member))
    await withKey(await given.key(member)).createRecords({ object: 'people', records: [{ last_name: 'By a Member' }] })
    await add('people', { last_name: 'One' })
    const [two] = await add('people', { last_name: 'Two' })
    await boss.createRecords({ object: 'people', records: [{ last_name: 'By hand' }] })
    const waiting = await widgetOf(boss, 'agent_changes')
    expect(waiting.change_sets.map(({ operation }) => operation)).toEqual([
      'createRecords',
      'createRecords',
      'createRecords',
      'updateCompany',
    ])
    expect((await widgetOf(mine, 'agent_changes')).change_sets).toHaveLength(1)
    const [last, first] = titles(waiting) as [string, string]
    expect(waiting.change_sets[0]!.changes[0]!.record_id).toBe(two!.id)
    expect(await boss.reviewChanges({ change_set_ids: [first] })).toEqual({ reviewed: 1 })
    expect(await boss.reviewChanges({ change_set_ids: [first] })).toEqual({ reviewed: 0 })
    expect(titles(await widgetOf(boss, 'agent_changes'))).not.toContain(first)
    await boss.undoChanges({ change_set_ids: [last] })
    expect(titles(await widgetOf(boss, 'agent_changes'))).toEqual(titles(waiting).slice(2))
    expect(await statusOf(mine.reviewChanges({ change_set_ids: [last] }))).toBe(404)
    expect(await statusOf(api.reviewChanges({ change_set_ids: [last] }))).not.toBe(200)
    minutes(3 * 24 * 60)
    expect((await widgetOf(withKey(await given.key(admin)), 'agent_changes')).change_sets).toEqual([])
  })
})

describe('changes on my records', () => {
  test('are those of others and of agents since the visit before, with nothing of other records', async () => {
    const { admin } = await companyToAsk(kith)
    const boss = withSession(await given.session(admin))
    const member = await given.user(admin)
    const key = withKey(await given.key(member))
    const mine = withSession(await given.session(member))
    const { records } = await mine.createRecords({
      object: 'people',
      records: [
        { last_name: 'Mine', owner: member.user_id },
        { last_name: 'Theirs', owner: admin.user_id },
      ],
    })
    const [own, other] = records.map(({ id }) => id) as [string, string]
    const change = (api: Api, city: string) =>
      api.updateRecords({ object: 'people', records: [own, other].map((id) => ({ id, values: { city } })) })
    await mine.visitDashboard({})
    minutes(60)
    await change(mine, 'By me')
    await change(boss, 'By others')
    await change(key, 'By my agent')
    const { change_sets, since } = await widgetOf(mine, 'changes_on_mine')
    expect(change_sets.map(({ changes }) => changes.map(({ fields }) => fields.city?.to))).toEqual([
      ['By my agent'],
      ['By others'],
    ])
    expect(change_sets.flatMap(({ changes }) => changes.map(({ record_id }) => record_id))).toEqual([own, own])
    expect(change_sets.map(({ other_changes }) => other_changes)).toEqual([0, 0])
    expect(since).toBe(new Date(time.now.getTime() - 3_600_000).toISOString())
    minutes(1)
    await mine.visitDashboard({})
    await mine.visitDashboard({})
    expect((await widgetOf(mine, 'changes_on_mine')).change_sets, 'in the same visit').toHaveLength(2)
    minutes(60)
    expect((await widgetOf(mine, 'changes_on_mine')).change_sets, 'in the next').toHaveLength(0)
  })
})

describe('a funnel', () => {
  test('tells deals that entered a stage in a period from what became of those that came in then', async () => {
    time.now = new Date('2026-05-20T12:00:00Z')
    const { api, add } = await companyToAsk(kith)
    const [a, b] = await add('deals', { name: 'A' }, { name: 'B' })
    const move = (ids: string[], stage: string) => api.moveDeal({ ids, stage })
    await move([a!.id], 'proposal')
    time.now = new Date('2026-06-10T12:00:00Z')
    const [c] = await add('deals', { name: 'C' })
    await move([a!.id], 'negotiation')
    await move([a!.id, c!.id], 'won')
    await move([b!.id], 'lost').catch(() => move([b!.id], 'proposal'))
    const funnel = async (range: string, mode: 'in_period' | 'cohort') => {
      const answer = await api.previewWidget({ widget: { id: 'f', type: 'funnel', mode }, range })
      expect(answer.error).toBeNull()
      await expectLinksToCount(api, [answer])
      return answer.figures.map(({ values }) => values.count)
    }
    expect(await funnel('last_month', 'in_period'), 'in May').toEqual([2, 1, 0, 0])
    expect(await funnel('this_month', 'in_period'), 'in June').toEqual([1, 1, 1, 2])
    expect(await funnel('last_month', 'cohort'), 'came in in May').toEqual([2, 2, 1, 1])
    expect(await funnel('this_month', 'cohort'), 'came in in June').toEqual([1, 1, 1, 1])
    for (let from = 0; from < 300; from += 100)
      await add('deals', ...Array.from({ length: 100 }, (_, i) => ({ name: `Deal ${from + i}`, stage: 'proposal' })))
    expect(await funnel('this_month', 'in_period'), 'more than a list of IDs can name').toEqual([1, 301, 1, 2])
    const asked = { object: 'deals', measures: ['max(entered_won)'] }
    await expect(api.aggregateRecords(asked)).rejects.toMatchObject({ problem: { status: 422 } })
    const found = await api.queryRecords({ object: 'deals', filter: 'entered_proposal < 2026-06-01', limit: 5 })
    expect(found.records.map(({ title }) => title)).toEqual(['A'])
    const never = await api.countRecords({ object: 'deals', filter: 'entered_proposal is empty', is_exact: true })
    expect(never.count).toBe(1)
  })
})

describe('the checklist of a new company', () => {
  test('ticks itself off, is for Admins, and disappears', async () => {
    const admin = await given.company()
    const boss = withSession(await given.session(admin))
    const done = async () => {
      const { checklist } = await boss.queryDashboard({ id: 'default' })
      return checklist.filter(({ is_done }) => is_done).map(({ step }) => step)
    }
    expect(await done()).toEqual([])
    const people = Array.from({ length: 10 }, (_, i) => ({ last_name: `Person ${i}` }))
    await boss.createRecords({ object: 'people', records: people })
    expect(await done()).toEqual(['import'])
    await boss.updateCompany({ currency: 'EUR' })
    const member = await given.user(admin)
    expect(await done()).toEqual(['import', 'invite', 'currency_and_stages'])
    const mine = withSession(await given.session(member))
    expect((await mine.queryDashboard({ id: 'default' })).checklist).toEqual([])
    await withKey(await given.key(admin)).whoami({})
    await kith.requests.flush()
    expect((await boss.queryDashboard({ id: 'default' })).checklist).toEqual([])
  })
})
