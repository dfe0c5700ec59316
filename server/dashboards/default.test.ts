// The default dashboard compared with SQL written by hand, where months and clocks change: on November 1, 2026, at
// 03:30 UTC it is still October in New York, whose clocks change in a few hours; Berlin's changed a week ago.
import { describe, expect, test } from 'vitest'
import { everything } from '../../contract/shared/access.ts'
import { type Api, testApp } from '../../test/app.ts'
import type { GivenUser } from '../../test/given.ts'
import { companyToAsk } from '../../test/records/ask.ts'
import { expectLinksToCount } from '../../test/records/figures.ts'

const kith = await testApp()
const { given, withKey, withSession, pool, time } = kith

const now = new Date('2026-11-01T03:30:00Z')
const hours = (from: string, count: number, step: number) =>
  Array.from({ length: count }, (_, i) => new Date(Date.parse(from) + i * step * 3_600_000).toISOString())
const closes = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-30', '2027-03-31', '2027-04-30', '2027-05-01']
const own = { ...everything, read: 'own' as const }

async function company(time_zone: string, zoneOfSeller: string) {
  time.now = new Date('2026-10-05T12:00:00Z')
  const { api, add, admin } = await companyToAsk(kith, {
    time_zone,
    currency: 'EUR',
    rates: [{ currency: 'USD', rate: 0.9 }],
  })
  const session = withSession(await given.session(admin))
  await session.createRole({ name: 'Own only', records: { '*': own } })
  const seller = await given.user(admin, { name: 'Sally Seller', role: 'Own only' })
  await withSession(await given.session(seller)).updateMe({ time_zone: zoneOfSeller })
  const sellerApi = withKey(await given.key(seller))
  const owners = [admin.user_id, seller.user_id, null]
  const amount = (i: number) => ({ amount: `${(i + 1) * 7}.5`, currency: ['EUR', 'USD', 'CHF', 'EUR'][i % 4] })
  const open = (prefix: string) =>
    Array.from({ length: 42 }, (_, i) => ({
      name: `${prefix} ${i}`,
      stage: ['qualified', 'proposal', 'negotiation'][i % 3],
      owner: owners[Math.floor(i / 7) % 3],
      ...(i % 11 && { amount: amount(i) }),
      ...(i % 5 === 0 && { probability: 35 }),
      expected_close: closes[i % closes.length],
    }))
  const old = await add('deals', ...open('Old'))
  time.now = now
  const fresh = await add('deals', ...open('Fresh'))
  const borders = [
    ...hours('2026-09-30T00:00:00Z', 18, 3),
    ...hours('2026-10-30T20:00:00Z', 30, 1),
    ...hours('2026-11-30T08:00:00Z', 10, 3),
  ]
  const closed = borders.map((closed_at, i) => ({
    name: `Closed ${i}`,
    stage: ['won', 'lost'][i % 2],
    ...(i % 2 && { lost_reason: 'Price' }),
    closed_at,
    owner: owners[Math.floor(i / 2) % 3],
    amount: amount(i),
  }))
  await add('deals', ...closed)
  const due = hours('2026-10-30T16:30:00Z', 36, 2).filter((at) => at !== now.toISOString())
  const deals = [...old, ...fresh]
  await add(
    'tasks',
    ...due.map((due_at, i) => ({
      title: `Task ${i}`,
      due_at,
      assignee: owners[i % 2],
      status: i % 5 === 0 ? 'done' : 'open',
      ...(i % 3 === 0 && { about: [deals[i % deals.length]!.id] }),
    })),
  )
  const at = hours('2026-10-24T16:00:00Z', 40, 1).concat(hours('2026-10-31T10:00:00Z', 20, 3))
  await add('activities', ...at.map((at) => ({ kind: 'call', at, owner: admin.user_id })))
  await sellerApi.createRecords({
    object: 'activities',
    records: at.slice(10, 55).map((at) => ({ kind: 'visit', at })),
  })
  await sellerApi.createRecords({ object: 'notes', records: [{ body: 'Seen' }, { body: 'Heard' }] })
  await add('leads', ...owners.flatMap((owner) => ['A', 'B'].map((last_name) => ({ last_name, owner }))))
  await add('leads', { last_name: 'Answered', owner: seller.user_id, first_response_at: '2026-10-30T10:00:00Z' })
  return { admin, seller, api, sellerApi, time_zone }
}

const rate = `case r.values -> 'amount' ->> 'currency' when 'EUR' then 1 when 'USD' then 0.9 end`
const money = `(${rate} * (r.values -> 'amount' ->> 'amount')::numeric)`
const sum = `coalesce(sum(${money}), 0)::float8`
const weighted = `coalesce(sum(${money} * (r.values ->> 'probability')::numeric / 100), 0)::float8`
const isMine: Record<string, string> = {
  tasks: `(r.owner_id = $3 or r.values ->> 'assignee' = $3::text)`,
  notes: '(r.owner_id = $3 or r.created_by = $3)',
  activities: '(r.owner_id = $3 or r.created_by = $3)',
}

/** `$3` is the caller. */
async function byHand(user: GivenUser, ownOnly: boolean, object: string, select: string, rest: string) {
  const reads = ownOnly ? (isMine[object] ?? 'r.owner_id = $3') : '$3::uuid is not null'
  const { rows } = await pool.query(
    `select ${select} from records r join objects o on o.company_id = r.company_id and o.id = r.object_id
     where r.company_id = $1 and o.key = $2 and r.deleted_at is null and ${reads} and ${rest}`,
    [user.company_id, object, user.user_id],
  )
  return rows
}

const at = (zone: string, value = `'${now.toISOString()}'::timestamptz`) => `(${value} at time zone '${zone}')`
const isOpen = `r.values ->> 'status' = 'open'`

async function answersOf(api: Api) {
  const { widgets } = await api.queryDashboard({ id: 'default' })
  expect(widgets.filter(({ error }) => error)).toEqual([])
  const of = (type: string) => widgets.find((widget) => widget.type === type)!
  const counts = (type: string) => Object.fromEntries(of(type).figures.map(({ key, values }) => [key, values.count]))
  return { widgets, of, counts }
}

const companies = [
  { zone: 'America/New_York', zoneOfSeller: 'Pacific/Auckland' },
  { zone: 'Europe/Berlin', zoneOfSeller: 'America/New_York' },
  { zone: 'Pacific/Auckland', zoneOfSeller: 'Europe/Berlin' },
]

describe.each(companies)('in a company in $zone', async ({ zone, zoneOfSeller }) => {
  const { admin, seller, api, sellerApi } = await company(zone, zoneOfSeller)
  const callers = [
    { who: 'an Admin', api, user: admin, ownOnly: false, day: zone },
    { who: 'a role that reads only its own', api: sellerApi, user: seller, ownOnly: true, day: zoneOfSeller },
  ]

  describe.each(callers)('for $who', ({ api, user, ownOnly, day }) => {
    const hand = (object: string, select: string, rest: string) => byHand(user, ownOnly, object, select, rest)
    const count = async (object: string, rest: string) =>
      (await hand(object, 'count(*)::int as n', rest))[0].n as number

    test('tasks that are overdue or due today, and what needs the caller', async () => {
      const { counts } = await answersOf(api)
      const [due, today] = [`(r.values ->> 'due_at')::timestamptz`, `${at(day)}::date`]
      const task = `${isOpen} and r.values ->> 'assignee' = $3::text`
      const overdue = await count('tasks', `${task} and ${due} < '${now.toISOString()}'`)
      const later = `${task} and ${due} >= '${now.toISOString()}' and ${at(day, due)}::date = ${today}`
      expect(counts('my_tasks')).toEqual({ overdue, today: await count('tasks', later) })
      expect(overdue).toBeGreaterThan(3)
      const mine = `${isOpen} and r.owner_id = $3`
      const readsTask = ownOnly ? `(t.owner_id = $3 or t.values ->> 'assignee' = $3::text)` : 'true'
      const next = `exists (select 1 from records t where t.company_id = $1 and t.values ->> 'status' = 'open'
        and t.values -> 'about' ? r.id::text and ${readsTask})`
      const lead = `r.values ->> 'status' = 'new' and not r.values ? 'first_response_at' and (r.owner_id = $3 or r.owner_id is null)`
      const needs = {
        past_close: await count('deals', `${mine} and (r.values ->> 'expected_close')::date < ${today}`),
        no_next_task: await count('deals', `${mine} and not ${next}`),
        quiet: await count('deals', `${mine} and coalesce(r.last_activity_at, r.created_at) < '2026-10-18T00:00:00Z'`),
        new_leads: await count('leads', lead),
      }
      expect(counts('needs_you')).toEqual(needs)
      expect(Object.values(needs).every((n) => n > 0)).toBe(true)
    })

    test('the pipeline by stage, with amount and weighted amount', async () => {
      const { of } = await answersOf(api)
      const select = `r.values ->> 'stage' as stage, count(*)::int, ${sum} as sum, ${weighted} as weighted`
      const rows = await hand('deals', select, `${isOpen} group by 1`)
      const { figures, currency } = of('pipeline')
      expect(figures.map(({ keys }) => keys[1])).toEqual(['qualified', 'proposal', 'negotiation'])
      for (const { keys, values } of figures) {
        const row = rows.find(({ stage }) => stage === keys[1])
        expect(values).toEqual({
          count: row.count,
          'sum(amount)': expect.closeTo(row.sum, 6),
          'weighted(amount)': expect.closeTo(row.weighted, 6),
        })
      }
      expect(currency).toBe('EUR')
      expect(figures.flatMap(({ unconverted }) => unconverted).every((rest) => rest.currency === 'CHF')).toBe(true)
    })

    test('what was won and lost this month and last, in months of the company', async () => {
      const { of } = await answersOf(api)
      const closed = at(zone, `(r.values ->> 'closed_at')::timestamptz`)
      for (const [month, back] of [
        ['this_month', 0],
        ['last_month', 1],
      ] as const)
        for (const outcome of ['won', 'lost']) {
          const inMonth = `date_trunc('month', ${closed}) = date_trunc('month', ${at(zone)}) - interval '${back} month'`
          const where = `r.values ->> 'status' = '${outcome}' and ${inMonth}`
          const [row] = await hand('deals', `count(*)::int, ${sum} as sum`, where)
          const { values } = of('won_and_lost').figures.find(({ key }) => key === `${outcome}_${month}`)!
          expect(values, `${outcome} ${month}`).toEqual({ count: row.count, 'sum(amount)': expect.closeTo(row.sum, 6) })
          expect(row.count).toBeGreaterThan(0)
        }
    })

    test('the forecast of six months, with months without deals', async () => {
      const { of } = await answersOf(api)
      const { figures } = of('forecast')
      const close = `(r.values ->> 'expected_close')::date`
      const first = `date_trunc('month', ${at(zone)})`
      const rows = await hand(
        'deals',
        `to_char(${close}, 'YYYY-MM-01') as month, count(*)::int, ${sum} as sum, ${weighted} as weighted`,
        `${isOpen} and ${close} >= ${first} and ${close} < ${first} + interval '6 months' group by 1 order by 1`,
      )
      expect(figures).toHaveLength(6)
      for (const { key, values } of figures) {
        const row = rows.find(({ month }) => month === key) ?? { count: 0, sum: 0, weighted: 0 }
        expect(values, key!).toEqual({
          count: row.count,
          'sum(amount)': expect.closeTo(row.sum, 6),
          'weighted(amount)': expect.closeTo(row.weighted, 6),
        })
      }
    })

    test('the activity of people and agents in the last seven days', async () => {
      const { of } = await answersOf(api)
      const inDays = (value: string) => `${at(zone, value)}::date between ${at(zone)}::date - 6 and ${at(zone)}::date`
      const times = [
        ['activities', `(r.values ->> 'at')::timestamptz`, 'r.created_by::text'],
        ['notes', 'r.created_at', 'r.created_by::text'],
        ['tasks', `(r.values ->> 'completed_at')::timestamptz`, `r.values ->> 'assignee'`],
      ] as const
      for (const [object, time, person] of times) {
        const rows = await hand(object, `${person} as person, count(*)::int as n`, `${inDays(time)} group by 1`)
        const figures = of('activity').figures.filter(({ key }) => key === object)
        const shown = Object.fromEntries(figures.map(({ keys, values }) => [keys[0], values.count]))
        expect(shown, object).toEqual(Object.fromEntries(rows.map((row) => [row.person, row.n])))
      }
      const { rows: sets } = await pool.query(
        `select count(distinct s.id)::int as sets, count(distinct c.record_id)::int as records from change_sets s
         join changes c on c.company_id = s.company_id and c.change_set_id = s.id
         where s.company_id = $1 and s.api_key_id is not null and s.actor_id = $2 and ${inDays('s.at')}`,
        [user.company_id, user.user_id],
      )
      const name = ownOnly ? 'Sally Seller' : 'Ada Admin'
      const agent = of('activity').agents.find(({ user_name }) => user_name === name)!
      expect([agent.change_sets, agent.changed_records]).toEqual([sets[0].sets, sets[0].records])
      expect(of('activity').agents).toHaveLength(ownOnly ? 1 : 2)
    })

    test('every figure leads to a list with as many records', async () => {
      expect(await expectLinksToCount(api, (await answersOf(api)).widgets)).toBeGreaterThan(20)
    })
  })
})

test('new leads by source and the time to their first response, each with the list behind it', async () => {
  time.now = new Date('2026-06-15T08:00:00Z')
  const { api, add, admin } = await companyToAsk(kith)
  await add('leads', ...['Website', 'Website', 'Fair'].map((source, i) => ({ last_name: `Lead ${i}`, source })))
  const [, second, third] = (await api.listRecords({ object: 'leads', sort: ['last_name'] })).records
  time.now = new Date('2026-06-15T10:30:00Z')
  await api.updateRecords({
    object: 'leads',
    records: [
      { id: second!.id, values: { first_response_at: '2026-06-15T08:30:00Z' } },
      { id: third!.id, values: { first_response_at: '2026-06-15T10:00:00Z' } },
    ],
  })
  const { widgets } = await api.queryDashboard({ id: 'default' })
  const of = (id: string) => widgets.find((widget) => widget.id === id)!
  expect(of('leads_by_source').figures.map(({ key, values }) => [key, values.count])).toEqual([
    ['Website', 2],
    ['Fair', 1],
  ])
  const { total, error } = of('first_response')
  expect([error, total!.values['average(response_minutes)'], total!.values.count]).toEqual([null, 75, 2])
  for (const { filter, values } of [total!, ...of('leads_by_source').figures])
    expect((await api.countRecords({ object: 'leads', filter: filter! })).count).toBe(values.count)
  await api.updateRecords({ object: 'leads', records: [{ id: third!.id, values: { first_response_at: null } }] })
  expect((await api.getRecord({ object: 'leads', id: third!.id })).response_minutes ?? null).toBe(null)

  const session = withSession(await given.session(admin))
  await session.createRole({ name: 'No leads', records: { '*': everything, leads: { ...everything, read: 'none' } } })
  const blind = withKey(await given.key(await given.user(admin, { role: 'No leads' })))
  const seen = (await blind.queryDashboard({ id: 'default' })).widgets.map(({ id }) => id)
  expect(seen).not.toContain('leads_by_source')
})
