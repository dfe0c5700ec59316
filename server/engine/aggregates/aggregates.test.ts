// Numbers over records, compared with SQL written by hand over the values as they were entered.
import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { mcpFor } from '../../../test/mcp.ts'
import { companyToAsk } from '../../../test/records/ask.ts'
import { refusal } from '../../../test/records/refusal.ts'

const kith = await testApp()
const { given, withKey, withSession, pool } = kith

type Input = Parameters<Api['aggregateRecords']>[0]
type Answer = Awaited<ReturnType<Api['aggregateRecords']>>

/** The same for anyone who opens the list behind a number. */
async function expectListsToAgree(api: Api, { object, filter }: Input, { groups }: Answer) {
  for (const group of groups) {
    expect(group.filter, JSON.stringify(group)).not.toBeNull()
    const both = filter ? `(${filter}) and (${group.filter})` : group.filter!
    const { count } = await api.countRecords({ object, filter: both })
    expect(count, both).toBe(group.values.count)
  }
}

const byKey = ({ groups }: Answer, measure = 'count') =>
  Object.fromEntries(groups.map(({ keys, values }) => [keys.join(' '), values[measure]]))

async function byHand(company_id: string, object: string, select: string, group = '') {
  const { rows } = await pool.query(
    `select ${select} from records r join objects o on o.company_id = r.company_id and o.id = r.object_id
     where r.company_id = $1 and o.key = $2 and r.deleted_at is null ${group}`,
    [company_id, object],
  )
  return rows
}

const rates = { currency: 'EUR', rates: [{ currency: 'USD', rate: 0.9 }] }
const money = (i: number) => ({ amount: `${i * 10}.25`, currency: ['EUR', 'USD', 'CHF'][i % 3]! })
const converted = `case r.values -> 'amount' ->> 'currency' when 'EUR' then 1 when 'USD' then 0.9 end * (r.values -> 'amount' ->> 'amount')::numeric`

describe('deals in three currencies', async () => {
  const { api, add, admin } = await companyToAsk(kith, rates)
  await api.createField({ object: 'deals', key: 'channel', label: 'Channel', type: 'text' })
  const rep = await given.user(admin, { name: 'Rep One' })
  await withSession(await given.session(admin)).createRole({
    name: 'Own deals',
    records: { '*': everything, deals: { ...everything, read: 'own' }, organizations: { ...everything, read: 'own' } },
  })
  const seller = await given.user(admin, { name: 'Sally Seller', role: 'Own deals' })
  const [acme, beta] = await add('organizations', { name: 'Acme', country: 'DE' }, { name: 'Beta', country: 'FR' })
  const owners = [admin.user_id, rep.user_id, seller.user_id]
  const stages = ['qualified', 'proposal', 'won']
  await add(
    'deals',
    ...Array.from({ length: 24 }, (_, i) => ({
      name: `Deal ${i}`,
      stage: stages[Math.floor(i / 2) % 3],
      owner: owners[i % 4] ?? null,
      ...(i % 5 && { amount: money(i) }),
      ...(i % 6 && { organization: i % 2 ? acme!.id : beta!.id }),
      channel: ['Web', 'web', 'Fair'][i % 3],
    })),
  )
  const { records: trashed } = await api.queryRecords({ object: 'deals', filter: 'name = "Deal 7"' })
  await api.deleteRecords({ object: 'deals', ids: [trashed[0]!.id] })
  const measures = ['count', 'sum(amount)', 'average(amount)', 'min(amount)', 'max(amount)', 'filled(amount)']

  test('sums are in the currency of the company, and amounts without a rate are reported', async () => {
    const input = { object: 'deals', measures, group_by: ['stage'] }
    const answer = await api.aggregateRecords(input)
    const select = `r.values ->> 'stage' as stage, count(*)::int, sum(${converted})::float8, avg(${converted})::float8,
      min(${converted})::float8, max(${converted})::float8, count(r.values -> 'amount')::int as filled`
    const rows = await byHand(admin.company_id, 'deals', select, 'group by 1')
    for (const { stage, count, sum, avg, min, max, filled } of rows) {
      const group = answer.groups.find(({ keys }) => keys[0] === stage)!
      const { 'average(amount)': average, ...others } = group.values
      const exact = { count, 'sum(amount)': sum ?? 0, 'min(amount)': min, 'max(amount)': max, 'filled(amount)': filled }
      expect(others).toEqual(exact)
      expect(average).toBeCloseTo(avg, 5)
    }
    const without = await byHand(
      admin.company_id,
      'deals',
      `count(*)::int, sum((r.values -> 'amount' ->> 'amount')::numeric)::float8`,
      `and r.values -> 'amount' ->> 'currency' = 'CHF'`,
    )
    expect(answer.unconverted).toEqual([{ field: 'amount', currency: 'CHF', ...without[0] }])
    expect(answer.groups.flatMap((group) => group.unconverted).reduce((all, { count }) => all + count, 0)).toBe(
      without[0].count,
    )
    expect(answer.currency).toBe('EUR')
    expect(answer.groups.map(({ labels }) => labels[0])).toEqual(['Qualified', 'Proposal', 'Won'])
    expect(answer.totals.count).toBe(23)
    await expectListsToAgree(api, input, answer)
  })

  test('owners, related records and their fields group with names, and empty ones are a group', async () => {
    const byOwner = await api.aggregateRecords({ object: 'deals', group_by: ['owner'] })
    expect(byOwner.groups.map(({ labels, values }) => [labels[0], values.count])).toEqual([
      ['Ada Admin', 6],
      ['Rep One', 6],
      ['Sally Seller', 6],
      [null, 5],
    ])
    const input = { object: 'deals', filter: 'stage != won', group_by: ['organization.country', 'organization'] }
    const answer = await api.aggregateRecords(input)
    expect(answer.groups.map(({ labels }) => labels.join())).toEqual(['France,Beta', 'Germany,Acme', ','])
    await expectListsToAgree(api, input, answer)
    await expectListsToAgree(api, { object: 'deals' }, byOwner)
  })

  test('texts group regardless of case', async () => {
    const answer = await api.aggregateRecords({ object: 'deals', group_by: ['channel'] })
    expect(answer.groups.map(({ labels }) => labels[0])).toEqual(['Fair', 'Web'])
    await expectListsToAgree(api, { object: 'deals' }, answer)
  })

  test('the top groups are followed by the others together', async () => {
    const input = {
      object: 'deals',
      measures: ['count', 'sum(amount)'],
      group_by: ['name'],
      order: '-sum(amount)',
      top: 3,
    }
    const answer = await api.aggregateRecords(input)
    expect(answer.groups.map(({ labels, is_other }) => [labels[0], is_other])).toEqual([
      ['Deal 21', false],
      ['Deal 22', false],
      ['Deal 18', false],
      ['Other', true],
    ])
    expect(answer.groups.at(-1)!.values.count).toBe(20)
    expect(answer.groups.at(-1)!.unconverted[0]!.currency).toBe('CHF')
    await expectListsToAgree(api, input, answer)
  })

  test('of two groupings, the top pairs are followed by all others together, in the order of their own values', async () => {
    const input = { object: 'deals', measures: ['sum(amount)', 'count'], group_by: ['stage', 'owner'] }
    const all = await api.aggregateRecords({ ...input, order: '-sum(amount)' })
    const sums = all.groups.map(({ values }) => values['sum(amount)'] as number)
    expect(sums).toEqual(sums.toSorted((a, b) => b - a))
    for (const order of ['-sum(amount)', 'key']) {
      const top = await api.aggregateRecords({ ...input, order, top: 4 })
      expect(top.groups).toHaveLength(5)
      const kept = top.groups.slice(0, 4).map(({ keys }) => keys.join())
      const first = all.groups.slice(0, 4).map(({ keys }) => keys.join())
      expect(order === 'key' ? kept.toSorted() : kept).toEqual(order === 'key' ? first.toSorted() : first)
      const other = top.groups.at(-1)!
      expect(other).toMatchObject({ is_other: true, keys: [null, null], labels: ['Other', 'Other'] })
      const rest = all.groups.slice(4)
      expect(other.values.count).toBe(rest.reduce((sum, { values }) => sum + (values.count as number), 0))
      expect(other.unconverted.reduce((sum, { count }) => sum + count, 0)).toBe(
        rest.flatMap(({ unconverted }) => unconverted).reduce((sum, { count }) => sum + count, 0),
      )
      await expectListsToAgree(api, { object: 'deals' }, top)
    }
  })

  test('someone who reads only their own gets only their own numbers, and no title of others', async () => {
    const own = withKey(await given.key(seller))
    const input = { object: 'deals', measures: ['count', 'sum(amount)'], group_by: ['organization'] }
    const answer = await own.aggregateRecords(input)
    const rows = await byHand(
      admin.company_id,
      'deals',
      `count(*)::int, sum(${converted})::float8`,
      `and r.owner_id = '${seller.user_id}'`,
    )
    expect(answer.totals).toEqual({ count: rows[0].count, 'sum(amount)': rows[0].sum })
    expect(answer.groups.map(({ labels }) => labels[0])).toEqual(['Private organization', null])
    await expectListsToAgree(own, input, answer)
    const through = await own.aggregateRecords({
      object: 'deals',
      group_by: ['organization.name', 'organization.country'],
    })
    expect(JSON.stringify([answer, through])).not.toMatch(/Acme|Beta|Germany|DE/)
    await expectListsToAgree(own, input, answer)
  })

  test('an agent gets numbers in one call, without empty values', async () => {
    const { legacy } = await mcpFor(kith)
    const args = { object: 'deals', filter: 'stage = won', measures: ['sum(amount)'] }
    const { rpc } = await legacy(await given.key(admin), 'tools/call', { name: 'aggregate_records', arguments: args })
    expect(rpc.result!.structuredContent).toEqual({
      untrusted_fields: ['labels'],
      totals: { 'sum(amount)': expect.any(Number) },
      groups: [],
      currency: 'EUR',
      unconverted: [expect.objectContaining({ currency: 'CHF' })],
    })
  })

  test('an agent gets the filters of groups only if it asks for them', async () => {
    const { legacy } = await mcpFor(kith)
    const key = await given.key(admin)
    const first = async (more: object) => {
      const args = { object: 'deals', group_by: ['stage', 'owner'], top: 3, ...more }
      const { rpc } = await legacy(key, 'tools/call', { name: 'aggregate_records', arguments: args })
      return (rpc.result!.structuredContent as unknown as Answer).groups[0]!
    }
    expect(await first({})).not.toHaveProperty('filter')
    expect(await first({ filters: true })).toMatchObject({ filter: expect.stringContaining('stage') })
  })
})

describe('periods', () => {
  const times = [
    '2026-01-31T22:59:59.999Z',
    '2026-01-31T23:00:00Z',
    '2026-02-01T04:59:00Z',
    '2026-02-01T05:00:00Z',
    // Clocks change on 8 March in New York and on 29 March in Berlin, back on 25 October and 1 November.
    '2026-03-08T04:30:00Z',
    '2026-03-08T06:59:00Z',
    '2026-03-28T23:30:00Z',
    '2026-03-29T00:59:59Z',
    '2026-03-29T22:00:00Z',
    '2026-03-31T21:59:59Z',
    '2026-03-31T22:00:00Z',
    '2026-10-25T21:59:00Z',
    '2026-10-25T22:30:00Z',
    '2026-10-31T23:00:00Z',
    '2026-11-01T03:59:00Z',
    '2026-11-01T05:00:00Z',
    '2025-12-31T18:29:00Z',
    '2025-12-31T18:30:00Z',
  ]

  test.each(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'])(
    'of times start at midnight in the time zone of the company, also where clocks change: %s',
    async (time_zone) => {
      const { api, add, admin } = await companyToAsk(kith, { time_zone })
      await add('tasks', ...times.map((due_at, i) => ({ title: `T${i}`, due_at })), { title: 'Some day' })
      await withSession(await given.session(admin)).updateMe({ time_zone: 'Asia/Tokyo' })
      for (const period of ['day', 'week', 'month', 'quarter', 'year']) {
        const input = { object: 'tasks', group_by: [`${period}(due_at)`] }
        const answer = await api.aggregateRecords(input)
        const start = `date_trunc('${period}', (r.values ->> 'due_at')::timestamptz at time zone '${time_zone}')::date::text`
        const rows = await byHand(admin.company_id, 'tasks', `${start} as day, count(*)::int`, 'group by 1')
        expect(byKey(answer)).toEqual(Object.fromEntries(rows.map(({ day, count }) => [day ?? '', count])))
        expect(answer.time_zone).toBe(time_zone)
        await expectListsToAgree(api, input, answer)
      }
    },
  )

  test('a link to a group carries exact bounds with their offsets', async () => {
    const { api, add } = await companyToAsk(kith)
    await add('tasks', { title: 'A', due_at: '2026-03-29T12:00:00Z' })
    const { groups } = await api.aggregateRecords({ object: 'tasks', group_by: ['day(due_at)'] })
    expect(groups[0]).toMatchObject({
      keys: ['2026-03-29'],
      filter: 'due_at >= 2026-03-29T00:00:00+01:00 and due_at < 2026-03-30T00:00:00+02:00',
    })
  })

  test('weeks start on the first weekday of the company', async () => {
    const { api, add } = await companyToAsk(kith, { first_weekday: 'sunday' })
    const days = ['2026-06-13', '2026-06-14', '2026-06-20', '2026-06-21']
    await add('deals', ...days.map((expected_close) => ({ name: expected_close, expected_close })))
    const answer = await api.aggregateRecords({ object: 'deals', group_by: ['week(expected_close)'] })
    expect(byKey(answer)).toEqual({ '2026-06-07': 1, '2026-06-14': 2, '2026-06-21': 1 })
    await expectListsToAgree(api, { object: 'deals' }, answer)
  })

  test('empty periods and options are filled in on request: between the first and last, or as the filter says', async () => {
    const { api, add } = await companyToAsk(kith)
    await add('tasks', ...['2026-02-10', '2026-05-10'].map((day) => ({ title: day, due_at: `${day}T12:00:00Z` })))
    const months = async (filter?: string) => {
      const answer = await api.aggregateRecords({ object: 'tasks', filter, group_by: ['month(due_at)'], fill: true })
      await expectListsToAgree(api, { object: 'tasks', filter }, answer)
      return answer.groups.map(({ labels, values }) => `${labels[0]}: ${values.count}`)
    }
    expect(await months()).toEqual(['2026-02: 1', '2026-03: 0', '2026-04: 0', '2026-05: 1'])
    expect(await months('due_at in this_quarter')).toEqual(['2026-04: 0', '2026-05: 1', '2026-06: 0'])
    const stages = await api.aggregateRecords({
      object: 'deals',
      measures: ['sum(amount)'],
      group_by: ['stage'],
      fill: true,
    })
    expect(stages.groups.map(({ values }) => values['sum(amount)'])).toEqual([0, 0, 0, 0, 0])
  })

  test('a time that no record has is no error, however many fields the object has', async () => {
    const { api, add } = await companyToAsk(kith)
    for (let i = 0; i < 20; i++)
      await api.createField({ object: 'tasks', label: `Time ${i}`, type: 'datetime', key: `time_${i}` })
    await add('tasks', { title: 'Untimed' })
    for (const field of ['time_0', 'time_19']) {
      const answer = await api.aggregateRecords({ object: 'tasks', group_by: [`week(${field})`] })
      expect(byKey(answer), field).toEqual({ '': 1 })
    }
  })

  test('one day far away from all others does not hide them', async () => {
    const { api, add } = await companyToAsk(kith)
    const days = ['0001-01-01', '1970-01-01', '2026-06-15', '2026-06-16', '9999-12-31']
    await add('tasks', ...days.map((day) => ({ title: day, due_at: `${day}T11:00:00Z` })))
    await add('deals', ...days.map((day) => ({ name: day, expected_close: day })))
    for (const period of ['day', 'week', 'month', 'quarter', 'year'])
      for (const [object, field] of [
        ['tasks', 'due_at'],
        ['deals', 'expected_close'],
      ] as const) {
        const answer = await api.aggregateRecords({ object, group_by: [`${period}(${field})`] })
        expect(answer.groups.length).toBe(period === 'day' || period === 'week' ? (period === 'day' ? 5 : 4) : 4)
        await expectListsToAgree(api, { object }, answer)
      }
  })
})

describe('a record with several values', () => {
  test('counts in each of its groups, but once in the totals and among the others', async () => {
    const { api, add } = await companyToAsk(kith)
    await api.updateField({ object: 'deals', field: 'tags', options: ['a', 'b', 'c', 'd'].map((label) => ({ label })) })
    const people = await add('people', { first_name: 'Ann' }, { first_name: 'Bob' })
    const [ann, bob] = people.map(({ id }) => id)
    await add(
      'deals',
      { name: 'One', tags: ['a', 'b', 'c'], people: [ann, bob] },
      { name: 'Two', tags: ['a', 'c', 'd'], people: [ann] },
      { name: 'Three' },
    )
    const byTag = await api.aggregateRecords({ object: 'deals', group_by: ['tags'] })
    expect(byKey(byTag)).toEqual({ a: 2, b: 1, c: 2, d: 1, '': 1 })
    expect(byTag.totals).toEqual({ count: 3 })
    const top = await api.aggregateRecords({ object: 'deals', group_by: ['tags'], top: 1 })
    expect(top.groups.map(({ labels, values }) => [labels[0], values.count])).toEqual([
      ['a', 2],
      ['Other', 3],
    ])
    const pairs = { object: 'deals', group_by: ['people', 'tags'], order: '-count', top: 2 }
    const topPairs = await api.aggregateRecords(pairs)
    expect(topPairs.groups.map(({ labels, values }) => [...labels, values.count])).toEqual([
      ['Ann', 'a', 2],
      ['Ann', 'c', 2],
      ['Other', 'Other', 3],
    ])
    const byPerson = await api.aggregateRecords({ object: 'deals', group_by: ['people', 'tags'] })
    expect(byPerson.groups.filter(({ labels }) => labels[0] === 'Ann')).toHaveLength(4)
    for (const answer of [byTag, top, byPerson]) await expectListsToAgree(api, { object: 'deals' }, answer)
  })
})

test('texts that differ only after 200 characters are one group, which its filter finds', async () => {
  const { api, add } = await companyToAsk(kith)
  const long = `${'Ä long text '.repeat(20)}`
  await api.createField({ object: 'deals', key: 'channel', label: 'Channel', type: 'text' })
  await add('deals', ...[`${long}one`, `${long}two`, 'Short'].map((channel) => ({ name: 'Deal', channel })))
  const answer = await api.aggregateRecords({ object: 'deals', group_by: ['channel'] })
  expect(answer.groups.map(({ values }) => values.count)).toEqual([2, 1])
  await expectListsToAgree(api, { object: 'deals' }, answer)
})

describe('what cannot be answered', () => {
  test.each([
    [{ measures: ['sum(name)'] }, 'Use one of: distinct(name), filled(name)'],
    [{ measures: ['sum(amuont)'] }, 'Did you mean amount?'],
    [{ measures: ['median(amount)'] }, 'e.g. sum(amount)'],
    [{ group_by: ['amount'] }, 'cannot be grouped by amount'],
    [{ group_by: ['month(stage)'] }, 'without a period'],
    [{ group_by: ['people.city'] }, 'links to many records'],
    [{ group_by: ['organization.nope'] }, 'There is no field nope'],
    [{ order: 'sum(amount)' }, 'cannot be ordered by sum(amount)'],
    [{ filter: 'stage = nope' }, 'stage has no option nope'],
  ])('is refused with what to use instead: %j', async (input, words) => {
    const { api } = await companyToAsk(kith)
    const text = await refusal(api.aggregateRecords({ object: 'deals', ...input }))
    expect(JSON.parse(text).status).toBe(422)
    expect(text).toContain(words)
  })

  test('more than a thousand groups are refused, unless only the top ones are wanted', async () => {
    const { api, add } = await companyToAsk(kith)
    for (let from = 0; from < 1100; from += 100)
      await add('people', ...Array.from({ length: 100 }, (_, i) => ({ first_name: 'P', city: `City ${from + i}` })))
    const input = { object: 'people', group_by: ['city'] }
    expect(await refusal(api.aggregateRecords(input))).toContain('more than 1,000 groups. Set top, narrow the filter')
    const { groups } = await api.aggregateRecords({ ...input, top: 5 })
    expect(groups).toHaveLength(6)
    expect(groups.at(-1)!.values.count).toBe(1095)
  })

  test('a relation to an object that the caller may not read is no field for them', async () => {
    const { admin } = await companyToAsk(kith)
    const none = { read: 'none', create: false, edit: 'none', delete: 'none' } as const
    await withSession(await given.session(admin)).createRole({
      name: 'No organizations',
      records: { '*': everything, organizations: none },
    })
    const api = withKey(await given.key(await given.user(admin, { role: 'No organizations' })))
    const ask = (input: object) => refusal(api.aggregateRecords({ object: 'deals', ...input }))
    for (const input of [
      { group_by: ['organization'] },
      { group_by: ['organization.name'] },
      { measures: ['filled(organization)'] },
    ])
      expect(await ask(input)).toContain('There is no field organization')
    expect(JSON.parse(await refusal(api.aggregateRecords({ object: 'organizations' }))).status).toBe(404)
  })
})

test('deals are summed up without lost ones, also by group and with amounts that have no rate', async () => {
  const { api, add } = await companyToAsk(kith, rates)
  const deal = (stage: string, amount: number, currency = 'EUR') => ({
    name: stage,
    stage,
    amount: { amount: String(amount), currency },
    expected_close: '2026-05-01',
    ...(stage === 'lost' && { lost_reason: 'Price' }),
  })
  await add('deals', deal('qualified', 100), deal('won', 20), deal('lost', 3), deal('lost', 7, 'CHF'))
  const measures = ['count', 'sum(amount)', 'sum_not_lost(amount)']
  const total = await api.aggregateRecords({ object: 'deals', measures })
  expect(total.totals).toEqual({ count: 4, 'sum(amount)': 123, 'sum_not_lost(amount)': 120 })
  const own = { object: 'deals', measures: ['sum_not_lost(amount)'], group_by: ['expected_close'] }
  const { groups, unconverted } = await api.aggregateRecords(own)
  expect(groups).toMatchObject([{ values: { 'sum_not_lost(amount)': 120 } }])
  expect(unconverted, 'the lost deal in CHF').toEqual([])
  expect(await refusal(api.aggregateRecords({ object: 'people', measures: ['sum_not_lost(score)'] }))).toContain(
    'sum_not_lost(score) cannot be computed',
  )
})
