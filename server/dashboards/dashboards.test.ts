// Dashboards that people make: who sees and edits them, and that widgets answer what they ask.
import { describe, expect, test } from 'vitest'
import { everything } from '../../contract/shared/access.ts'
import { type Api, testApp } from '../../test/app.ts'
import { testLive } from '../../test/live.ts'
import { mcpFor } from '../../test/mcp.ts'
import { companyToAsk } from '../../test/records/ask.ts'
import { expectLinksToCount } from '../../test/records/figures.ts'
import { statusOf } from '../../test/records/refusal.ts'
import { createDispatcher } from '../kernel/outbox.ts'
import { liveMessagesOf } from '../live-messages.ts'

const kith = await testApp()
const { given, withKey, withSession, pool } = kith

type Widget = NonNullable<Parameters<Api['createDashboard']>[0]['widgets']>[number]

const stages = ['qualified', 'proposal', 'won']

/** The clock of tests says 2026-06-15, 12:00 UTC. */
async function salesTeam() {
  const { api, add, admin } = await companyToAsk(kith, {
    currency: 'EUR',
    rates: [{ currency: 'USD', rate: 0.9 }],
  })
  const member = await given.user(admin)
  const other = await given.user(admin, { name: 'Olga Other' })
  await add(
    'deals',
    ...Array.from({ length: 24 }, (_, i) => ({
      name: `Deal ${i}`,
      stage: stages[i % 3],
      owner: [admin.user_id, member.user_id][i % 2],
      amount: { amount: `${(i + 1) * 10}`, currency: ['EUR', 'USD'][i % 2] },
      expected_close: `2026-0${(i % 6) + 3}-1${i % 3}`,
      source: ['Website', 'Event', null][i % 3],
    })),
  )
  const [mine, theirs] = await Promise.all([member, other].map(async (one) => withSession(await given.session(one))))
  return { api, add, admin, member, other, boss: withSession(await given.session(admin)), mine: mine!, theirs: theirs! }
}

const closing = { object: 'deals', date_field: 'expected_close' }

describe('a dashboard', () => {
  test('keeps its widgets with place, size and filters by key, and is the same by API key', async () => {
    const { member, mine, other } = await salesTeam()
    const widgets: Widget[] = [
      { id: 'a', type: 'number', ...closing, filter: `owner = "Olga Other"`, width: 3, x: 9 },
      { id: 'b', type: 'text', text: '# Hello' },
    ]
    const made = await mine.createDashboard({ name: 'Sales', range: 'this_month', widgets })
    expect(made).toMatchObject({ name: 'Sales', is_mine: true, sharing: 'private', may_edit: true, owner: null })
    expect(made.widgets[0]).toMatchObject({
      measure: 'count',
      compare: true,
      x: 9,
      width: 3,
      filter: `owner = ${other.user_id}`,
    })
    const updated = await mine.updateDashboard({ id: made.id, owner: 'me', widgets: [widgets[1]!] })
    expect(updated).toMatchObject({ name: 'Sales', range: 'this_month', owner: 'me', widgets: [{ id: 'b' }] })
    const byKey = withKey(await given.key(member))
    expect(await byKey.getDashboard({ id: made.id })).toEqual(updated)
    expect((await byKey.listDashboards({})).items.map(({ id }) => id)).toEqual(['default', made.id])
    await mine.deleteDashboard({ id: made.id })
    expect(await statusOf(mine.getDashboard({ id: made.id }))).toBe(404)
  })

  test('refuses widgets that cannot be computed, and says which', async () => {
    const { mine } = await salesTeam()
    const cases: [Widget, string][] = [
      [{ id: 'a', type: 'number', object: 'deals', measure: 'sum(stage)' }, 'widgets.0.measures.0'],
      [{ id: 'a', type: 'bar', object: 'deals', group_by: 'staage' }, 'widgets.0.group_by.0'],
      [{ id: 'a', type: 'number', object: 'deals', filter: 'staage = won' }, 'widgets.0.filter'],
      [{ id: 'a', type: 'number', object: 'deals', date_field: 'name' }, 'widgets.0.date_field'],
      [{ id: 'a', type: 'number', object: 'dealz' }, 'widgets.0'],
      [{ id: 'a', type: 'list', object: 'deals', sort: ['nothing'] }, 'widgets.0.sort.0'],
    ]
    for (const [widget, path] of cases)
      await expect(mine.createDashboard({ name: 'X', widgets: [widget] }), path).rejects.toMatchObject({
        problem: { status: 422, errors: [expect.objectContaining({ path })] },
      })
    const twice: Widget = { id: 'a', type: 'text', text: '' }
    expect(await statusOf(mine.createDashboard({ name: 'X', widgets: [twice, twice] }))).toBe(422)
    expect(await statusOf(mine.createDashboard({ name: 'X', range: '2026-02-31..2026-03-01' }))).toBe(422)
  })

  test('can be shared to view or to edit; its owner and Admins decide and delete', async () => {
    const { boss, mine, theirs } = await salesTeam()
    const { id } = await mine.createDashboard({ name: 'Team' })
    for (const api of [boss, theirs]) expect(await statusOf(api.getDashboard({ id }))).toBe(404)
    await mine.updateDashboard({ id, sharing: 'view' })
    expect(await theirs.getDashboard({ id })).toMatchObject({ is_mine: false, may_edit: false })
    expect(await statusOf(theirs.updateDashboard({ id, name: 'Ours' }))).toBe(403)
    await mine.updateDashboard({ id, sharing: 'edit' })
    expect(await theirs.updateDashboard({ id, name: 'Ours' })).toMatchObject({ name: 'Ours', may_edit: true })
    expect(await statusOf(theirs.updateDashboard({ id, sharing: 'private' }))).toBe(403)
    expect(await statusOf(theirs.deleteDashboard({ id }))).toBe(403)
    await boss.deleteDashboard({ id })
    expect(await statusOf(mine.getDashboard({ id }))).toBe(404)
  })

  test('is never saved over what someone else has saved since, and open pages hear of every change', async () => {
    const { mine, theirs, member, other } = await salesTeam()
    const { listen } = await testLive(kith)
    const live = { liveMessagesOf, heard() {} }
    const dispatcher = createDispatcher(kith.db, {}, async () => {}, live, kith.log)
    const heard = await Promise.all([member, other].map(listen))
    const [ofMine, ofTheirs] = heard.map(
      (page) => () => page.filter((one) => one.startsWith('dashboard.changed')).length,
    )
    const made = await mine.createDashboard({ name: 'Team' })
    const { id, version } = await mine.updateDashboard({ id: made.id, name: 'Our team', version: made.version })
    await dispatcher.wake()
    // A private one is known to its owner only.
    await expect.poll(() => [ofMine!(), ofTheirs!()]).toEqual([1, 0])
    await mine.updateDashboard({ id, sharing: 'edit' })
    const note = (of: string): Widget => ({ id: of, type: 'text', text: of })
    await theirs.updateDashboard({ id, widgets: [note('theirs')], version: version + 1 })
    await expect(mine.updateDashboard({ id, widgets: [note('mine')], version: version + 1 })).rejects.toMatchObject({
      problem: { status: 409, detail: expect.stringContaining('Our team was changed in the meantime') },
    })
    expect((await mine.getDashboard({ id })).widgets.map((widget) => widget.id)).toEqual(['theirs'])
    await mine.deleteDashboard({ id })
    await dispatcher.wake()
    // Those of one moment may be told together.
    await expect.poll(() => ofTheirs!()).toBeGreaterThan(0)
    await expect.poll(() => ofMine!()).toBeGreaterThan(1)
    await dispatcher.stop()
  })

  test('hides widgets about what its reader may not see, and keeps them when that reader edits it', async () => {
    const { admin, boss } = await salesTeam()
    await boss.createRole({ name: 'No deals', records: { '*': everything, deals: { ...everything, read: 'none' } } })
    const blind = withSession(await given.session(await given.user(admin, { role: 'No deals' })))
    const widgets: Widget[] = [
      { id: 'secret', type: 'number', object: 'deals', filter: 'source = Website' },
      { id: 'open', type: 'number', object: 'people' },
    ]
    const { id } = await boss.createDashboard({ name: 'All', sharing: 'edit', widgets })
    const seen = await blind.getDashboard({ id })
    expect(seen.widgets.map((widget) => widget.id)).toEqual(['open'])
    expect((await blind.queryDashboard({ id })).widgets.map((widget) => widget.id)).toEqual(['open'])
    await blind.updateDashboard({ id, widgets: [{ id: 'mine', type: 'text', text: 'Hi' }] })
    expect((await boss.getDashboard({ id })).widgets.map((widget) => widget.id)).toEqual(['mine', 'secret'])
    const answers = await blind.queryDashboard({ id: 'default' })
    expect(answers.widgets.map(({ type }) => type)).not.toContain('pipeline')
    expect(answers.widgets.filter(({ error }) => error)).toEqual([])
  })
})

describe('widgets', async () => {
  const { api, boss, mine, member } = await salesTeam()
  const widgets: Widget[] = [
    { id: 'number', type: 'number', ...closing, measure: 'sum(amount)' },
    { id: 'fixed', type: 'number', object: 'deals', compare: false, measure: 'weighted(amount)' },
    { id: 'bar', type: 'bar', object: 'deals', group_by: 'source', order: 'measure', top: 1 },
    { id: 'stacked', type: 'stacked_bar', ...closing, group_by: 'month(expected_close)', split_by: 'stage' },
    { id: 'line', type: 'line', ...closing, range: 'this_year', group_by: 'month(expected_close)' },
    { id: 'area', type: 'area', ...closing, group_by: 'week(expected_close)' },
    { id: 'donut', type: 'donut', object: 'deals', group_by: 'stage', measure: 'sum(amount)' },
    { id: 'funnel', type: 'funnel' },
    { id: 'table', type: 'table', object: 'deals', group_by: ['owner', 'stage'], measures: ['sum(amount)'] },
    { id: 'leaders', type: 'leaderboard', object: 'deals', measure: 'sum(amount)' },
    { id: 'list', type: 'list', ...closing, sort: ['-amount'], fields: ['title', 'amount'], limit: 3 },
  ]

  test('are all in one answer, and every figure leads to a list with as many records', async () => {
    const { id } = await api.createDashboard({ name: 'All kinds', range: 'this_quarter', widgets })
    for (const asked of [
      {},
      { range: '2026-03-01..2026-05-31' },
      { owner: 'me' as const },
      { owner: member.user_id },
    ]) {
      const answer = await api.queryDashboard({ id, ...asked })
      expect(answer.widgets.map((widget) => [widget.id, widget.error])).toEqual(widgets.map(({ id }) => [id, null]))
      expect(await expectLinksToCount(api, answer.widgets)).toBeGreaterThan(20)
    }
  })

  test('say by themselves what is wrong while others answer', async () => {
    const { id } = await mine.createDashboard({
      name: 'Broken',
      widgets: [{ id: 'a', type: 'number', object: 'deals' }],
    })
    const broken = JSON.stringify([
      { ...widgets[0], id: 'bad', title: '', measure: 'sum(gone)', filter: null, range: null, compare: false },
      { id: 'text', type: 'text', title: '', text: 'Hi' },
    ])
    await pool.query('update dashboards set widgets = $2 where id = $1', [id, broken])
    const { widgets: answers } = await mine.queryDashboard({ id })
    expect(answers[0]!.error).toMatch(/gone/)
    expect(answers[1]).toMatchObject({ id: 'text', error: null })
  })

  test('are named before a field that they use is archived; private ones of others are only counted', async () => {
    const field = 'expected_close'
    const before = await boss.getFieldDependents({ object: 'deals', field })
    const widget = { id: 'a', type: 'number' as const, object: 'deals' }
    const uses = [
      { ...widget, date_field: field },
      { ...widget, filter: `${field} < today` },
      { id: 'a', type: 'list' as const, object: 'deals', sort: [`-${field}`] },
      { id: 'a', type: 'bar' as const, object: 'people', group_by: 'owner', filter: `any(deals: ${field} > today)` },
    ]
    for (const [i, used] of uses.entries())
      await mine.createDashboard({ name: `Uses ${i}`, sharing: i ? 'view' : 'private', widgets: [used] })
    await mine.createDashboard({ name: 'Not', sharing: 'view', widgets: [widget] })
    const after = await boss.getFieldDependents({ object: 'deals', field })
    const added = after.dashboards.filter(({ id }) => !before.dashboards.some((one) => one.id === id))
    expect(added.map(({ name }) => name)).toEqual(['Uses 1', 'Uses 2', 'Uses 3'])
    expect(after.private_dashboards - before.private_dashboards).toBe(1)
  })

  test('follow the range of the dashboard unless they have their own, and say which days they are about', async () => {
    const [number, fixed, line] = await Promise.all(
      ['number', 'fixed', 'line'].map((id) =>
        api.previewWidget({ widget: widgets.find((one) => one.id === id)!, range: 'this_month' }),
      ),
    )
    const june = { field: 'expected_close', first: '2026-06-01', last: '2026-06-30' }
    expect(number!.range).toEqual(june)
    expect(fixed!.range).toBeNull()
    expect(line!.range).toEqual({ ...june, first: '2026-01-01', last: '2026-12-31' })
    expect(line!.figures.map(({ keys }) => keys[0])).toHaveLength(12)
    expect(number!.before!.filter).toContain('2026-05-01')
    const sums = await pool.query(
      `select coalesce(sum((values -> 'amount' ->> 'amount')::numeric * case values -> 'amount' ->> 'currency' when 'USD' then 0.9 else 1 end)
         filter (where values ->> 'expected_close' like '2026-06%'), 0)::float8 as june,
       coalesce(sum((values -> 'amount' ->> 'amount')::numeric * case values -> 'amount' ->> 'currency' when 'USD' then 0.9 else 1 end)
         filter (where values ->> 'expected_close' like '2026-05%'), 0)::float8 as may
       from records where company_id = $1 and values ? 'expected_close'`,
      [member.company_id],
    )
    expect(number!.total!.values['sum(amount)']).toBe(sums.rows[0].june)
    expect(number!.before!.values['sum(amount)']).toBe(sums.rows[0].may)
  })

  test('weighted amounts are amount times probability, in the currency of the company', async () => {
    const { total, currency } = await api.previewWidget({ widget: widgets[1]! })
    const { rows } = await pool.query(
      `select sum((values -> 'amount' ->> 'amount')::numeric * case values -> 'amount' ->> 'currency' when 'USD' then 0.9 else 1 end
         * (values ->> 'probability')::numeric / 100)::float8 as weighted
       from records where company_id = $1 and values ? 'stage'`,
      [member.company_id],
    )
    expect(total!.values['weighted(amount)']).toBeCloseTo(rows[0].weighted, 6)
    expect(currency).toBe('EUR')
    await expect(api.aggregateRecords({ object: 'people', measures: ['weighted(score)'] })).rejects.toMatchObject({
      problem: { status: 422 },
    })
  })

  test('agents get the same answer from query_dashboard', async () => {
    const { legacy } = await mcpFor(kith)
    const call = { name: 'query_dashboard', arguments: { id: 'default' } }
    const { rpc } = await legacy(await given.key(member), 'tools/call', call)
    const { widgets: answers } = rpc.result!.structuredContent as { widgets: { type: string }[] }
    expect(answers.map(({ type }) => type)).toContain('pipeline')
  })

  test('agents get the whole dashboard of a company that works with agents, or the widgets that they choose', async () => {
    const { legacy } = await mcpFor(kith)
    const admin = await given.company()
    const key = await given.key(admin)
    const call = async (more: object = {}) => {
      const params = { name: 'query_dashboard', arguments: { id: 'default', ...more } }
      const { rpc } = await legacy(key, 'tools/call', params)
      return rpc.result!.structuredContent as {
        widgets: (Partial<Figures> & { id: string; type: string })[]
        truncated?: true
        error?: { message: string }
      }
    }
    type Figures = { change_sets: unknown; changes_by: { change_sets: number; changes: number; actor_name: string }[] }
    const agent = withKey(key)
    const body = 'A note that says what was agreed. '.repeat(30)
    for (let i = 0; i < 50; i++)
      await agent.createRecords({ object: 'notes', records: [{ body: `${i} ${body}` }, { body: `${i} too ${body}` }] })
    const whole = await call()
    expect(whole).not.toHaveProperty('truncated')
    const { widgets } = await agent.getDashboard({ id: 'default' })
    expect(whole.widgets.map(({ id }) => id)).toEqual(widgets.map(({ id }) => id))
    const changes = whole.widgets.find(({ type }) => type === 'agent_changes')!
    expect(changes).not.toHaveProperty('change_sets')
    expect(changes.changes_by).toMatchObject([{ change_sets: 50, changes: 100, actor_name: 'Ada Admin' }])
    const some = await call({ widgets: ['pipeline', 'agent_changes'] })
    expect(some.widgets.map(({ type }) => type).toSorted()).toEqual(['agent_changes', 'pipeline'])
    expect((await call({ widgets: ['pipelin'] })).error!.message).toContain('There is no widget pipelin. Widgets: ')
  })
})
