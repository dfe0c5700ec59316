// What days, weeks and moments mean in a filter, asked of the API.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { companyToAsk } from '../../../test/records/ask.ts'

const kith = await testApp()
const { given, withSession } = kith
// A Wednesday, half past noon in Berlin.
const now = new Date('2026-06-17T10:30:00Z')
kith.time.now = now
const newCompany = (settings = {}) => companyToAsk(kith, settings)

describe('days in datetime fields', () => {
  const due = {
    before: '2026-06-14T21:59:59.999Z',
    first: '2026-06-14T22:00:00Z',
    last: '2026-06-15T21:59:59.999Z',
    after: '2026-06-15T22:00:00Z',
  }
  const tasks = Object.entries(due).map(([title, due_at]) => ({ title, due_at }))

  test.each([
    ['due_at = 2026-06-15', ['first', 'last']],
    ['due_at != 2026-06-15', ['after', 'before', 'none']],
    ['due_at < 2026-06-15', ['before']],
    ['due_at <= 2026-06-15', ['before', 'first', 'last']],
    ['due_at > 2026-06-15', ['after']],
    ['due_at >= 2026-06-15', ['after', 'first', 'last']],
    ['due_at between 2026-06-15 and 2026-06-15', ['first', 'last']],
    ['due_at between 2026-06-15 and 2026-06-16', ['after', 'first', 'last']],
    ['due_at in (2026-06-14, 2026-06-16)', ['after', 'before']],
    ['due_at not in (2026-06-15)', ['after', 'before', 'none']],
    ['due_at = 2026-06-15T00:00', ['first']],
    ['due_at = 2026-06-14T22:00:00Z', ['first']],
    ['due_at > -2d', ['after', 'last']],
  ])('%s covers the whole day in the time zone of the caller', async (filter, wanted) => {
    const { add, find } = await newCompany()
    await add('tasks', ...tasks, { title: 'none' })
    expect(await find('tasks', filter)).toEqual(wanted)
  })

  test('the time zone of the caller takes precedence over that of the company', async () => {
    const { admin, add, find } = await newCompany()
    await add('tasks', ...tasks)
    await withSession(await given.session(admin)).updateMe({ time_zone: 'UTC' })
    expect(await find('tasks', 'due_at = 2026-06-15')).toEqual(['after', 'last'])
    expect(await find('tasks', 'due_at = 2026-06-14')).toEqual(['before', 'first'])
  })

  test('a day on which clocks are set back has 25 hours', async () => {
    const { add, find } = await newCompany()
    const times = ['2026-10-24T21:59:00Z', '2026-10-24T22:00:00Z', '2026-10-25T22:59:00Z', '2026-10-25T23:00:00Z']
    await add('tasks', ...times.map((due_at, i) => ({ title: `T${i}`, due_at })))
    expect(await find('tasks', 'due_at = 2026-10-25')).toEqual(['T1', 'T2'])
  })

  test('a day without a midnight starts at its first instant', async () => {
    const { add, find } = await newCompany({ time_zone: 'Africa/Cairo' })
    const times = ['2026-04-23T21:59:00Z', '2026-04-23T22:00:00Z', '2026-04-24T20:59:00Z', '2026-04-24T21:00:00Z']
    await add('tasks', ...times.map((due_at, i) => ({ title: `T${i}`, due_at })))
    expect(await find('tasks', 'due_at = 2026-04-24')).toEqual(['T1', 'T2'])
  })
})

describe('named ranges', () => {
  const days = (...list: string[]) => list.map((day) => ({ name: day, expected_close: day }))

  test.each([
    ['monday', '2026-06-15', '2026-06-21'],
    ['sunday', '2026-06-14', '2026-06-20'],
    ['saturday', '2026-06-13', '2026-06-19'],
  ] as const)('weeks start on the first weekday of the company: %s', async (first_weekday, first, last) => {
    const { add, find } = await newCompany({ first_weekday })
    const all = Array.from({ length: 15 }, (_, i) => `2026-06-${10 + i}`)
    await add('deals', ...days(...all))
    expect(await find('deals', 'expected_close in this_week')).toEqual(all.filter((day) => day >= first && day <= last))
    expect(await find('deals', 'expected_close not in (this_week)')).toEqual(
      all.filter((day) => day < first || day > last),
    )
  })

  test('are used with in and not in, alone or in a list; only today and now work elsewhere', async () => {
    const { add, find, fault } = await newCompany()
    await add(
      'deals',
      ...days(
        '2026-03-31',
        '2026-04-01',
        '2026-06-16',
        '2026-06-17',
        '2026-06-18',
        '2026-06-30',
        '2026-07-01',
        '2027-01-01',
      ),
      { name: 'none' },
    )
    expect(await find('deals', 'expected_close in this_quarter')).toEqual([
      '2026-04-01',
      '2026-06-16',
      '2026-06-17',
      '2026-06-18',
      '2026-06-30',
    ])
    expect(await find('deals', 'expected_close in (yesterday, tomorrow, next_year)')).toEqual([
      '2026-06-16',
      '2026-06-18',
      '2027-01-01',
    ])
    expect(await find('deals', 'expected_close not in (this_year)')).toEqual(['2027-01-01', 'none'])
    expect(await find('deals', 'expected_close in last_7_days')).toEqual(['2026-06-16', '2026-06-17'])
    expect(await find('deals', 'expected_close in next_7_days')).toEqual(['2026-06-17', '2026-06-18'])
    expect(await find('deals', 'expected_close = today')).toEqual(['2026-06-17'])
    expect(await find('deals', 'expected_close > now')).toEqual([
      '2026-06-18',
      '2026-06-30',
      '2026-07-01',
      '2027-01-01',
    ])
    expect(await find('deals', 'expected_close between -1d and +1d')).toEqual([
      '2026-06-16',
      '2026-06-17',
      '2026-06-18',
    ])
    expect(await fault('deals', 'expected_close = this_week')).toMatchObject({
      status: 422,
      detail: expect.stringContaining('in this_week'),
    })
    expect(await fault('deals', 'expected_close < last_month')).toMatchObject({ status: 422 })
  })

  test('mean the days of the caller in datetime fields', async () => {
    const { add, find } = await newCompany()
    const times = ['2026-06-16T21:59:00Z', '2026-06-16T22:00:00Z', '2026-06-17T21:59:00Z', '2026-06-17T22:00:00Z']
    await add('tasks', ...times.map((due_at, i) => ({ title: `T${i}`, due_at })))
    expect(await find('tasks', 'due_at in today')).toEqual(['T1', 'T2'])
    expect(await find('tasks', 'due_at < today')).toEqual(['T0'])
    expect(await find('tasks', 'due_at in (yesterday, tomorrow)')).toEqual(['T0', 'T3'])
  })

  test('and relative times stay those of the first page on later pages', async () => {
    const { api, add } = await newCompany()
    await add('tasks', ...Array.from({ length: 5 }, (_, i) => ({ title: `T${i}`, due_at: '2026-06-17T21:00:00Z' })))
    const question = { object: 'tasks', filter: 'due_at in today', limit: 2, sort: ['title'] }
    const first = await api.listRecords(question)
    kith.time.now = new Date(now.getTime() + 86_400_000)
    const second = await api.listRecords({ ...question, cursor: first.next_cursor! })
    const third = await api.listRecords({ ...question, cursor: second.next_cursor! })
    const anew = await api.listRecords(question)
    kith.time.now = now
    expect([first, second, third].map((page) => page.records.length)).toEqual([2, 2, 1])
    expect(anew.records).toEqual([])
  })
})
