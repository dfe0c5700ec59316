import { describe, expect, test } from 'vitest'
import type { Situation } from '../../contract/filter/index.ts'
import { here, testOf } from './given.ts'

const at = (now: string, timeZone = 'Europe/Berlin', firstWeekday: Situation['firstWeekday'] = 'monday') => ({
  ...here,
  now: new Date(now),
  timeZone,
  firstWeekday,
})
const interval = (text: string, situation = here) => {
  const test = testOf(text, 'people', situation)
  if (test.kind !== 'within') throw new Error(test.kind)
  return test.intervals[0]!
}
const days = (range: string, situation = here) => {
  const test = testOf(`birthday in ${range}`, 'people', situation)
  if (test.kind === 'oneOf') return [test.values[0], test.values[0]]
  return test.kind === 'within' ? [test.intervals[0]!.gte, test.intervals[0]!.lte] : []
}
const instant = (text: string, situation = here) => interval(`created_at < ${text}`, situation).lt
const hours = ({ gte, lt }: { gte?: unknown; lt?: unknown }) =>
  (Date.parse(String(lt)) - Date.parse(String(gte))) / 3_600_000

describe('named ranges, on Wednesday 17 June 2026', () => {
  test.each([
    ['today', '2026-06-17', '2026-06-17'],
    ['yesterday', '2026-06-16', '2026-06-16'],
    ['tomorrow', '2026-06-18', '2026-06-18'],
    ['this_week', '2026-06-15', '2026-06-21'],
    ['last_week', '2026-06-08', '2026-06-14'],
    ['next_week', '2026-06-22', '2026-06-28'],
    ['this_month', '2026-06-01', '2026-06-30'],
    ['last_month', '2026-05-01', '2026-05-31'],
    ['next_month', '2026-07-01', '2026-07-31'],
    ['this_quarter', '2026-04-01', '2026-06-30'],
    ['last_quarter', '2026-01-01', '2026-03-31'],
    ['next_quarter', '2026-07-01', '2026-09-30'],
    ['this_year', '2026-01-01', '2026-12-31'],
    ['last_year', '2025-01-01', '2025-12-31'],
    ['next_year', '2027-01-01', '2027-12-31'],
    ['last_7_days', '2026-06-11', '2026-06-17'],
    ['last_30_days', '2026-05-19', '2026-06-17'],
    ['last_90_days', '2026-03-20', '2026-06-17'],
    ['next_7_days', '2026-06-17', '2026-06-23'],
    ['next_30_days', '2026-06-17', '2026-07-16'],
  ])('%s is %s to %s', (range, first, last) => expect(days(range)).toEqual([first, last]))

  test('weeks start on the company’s first weekday', () => {
    expect(days('this_week', at('2026-06-17T10:00:00Z', 'UTC', 'sunday'))).toEqual(['2026-06-14', '2026-06-20'])
    expect(days('this_week', at('2026-06-17T10:00:00Z', 'UTC', 'saturday'))).toEqual(['2026-06-13', '2026-06-19'])
    expect(days('this_week', at('2026-06-14T10:00:00Z', 'UTC', 'sunday'))).toEqual(['2026-06-14', '2026-06-20'])
    expect(days('this_week', at('2026-06-14T10:00:00Z', 'UTC', 'monday'))).toEqual(['2026-06-08', '2026-06-14'])
    expect(days('this_week', at('2026-06-13T10:00:00Z', 'UTC', 'saturday'))).toEqual(['2026-06-13', '2026-06-19'])
  })

  test('quarters and years end where they should', () => {
    expect(days('next_quarter', at('2026-12-31T12:00:00Z'))).toEqual(['2027-01-01', '2027-03-31'])
    expect(days('last_month', at('2026-03-31T12:00:00Z'))).toEqual(['2026-02-01', '2026-02-28'])
    expect(days('last_month', at('2028-03-31T12:00:00Z'))).toEqual(['2028-02-01', '2028-02-29'])
  })
})

test('the current day depends on the time zone', () => {
  const evening = '2026-06-17T22:30:00Z'
  expect(days('today', at(evening, 'Europe/Berlin'))[0]).toBe('2026-06-18')
  expect(days('today', at(evening, 'America/New_York'))[0]).toBe('2026-06-17')
  expect(days('today', at(evening, 'Pacific/Kiritimati'))[0]).toBe('2026-06-18')
  expect(interval('created_at in today', at(evening, 'Asia/Kolkata'))).toEqual({
    gte: '2026-06-17T18:30:00.000Z',
    lt: '2026-06-18T18:30:00.000Z',
  })
})

describe('relative times', () => {
  test.each([
    ['now', '2026-06-17T10:30:00.000Z'],
    ['-90min', '2026-06-17T09:00:00.000Z'],
    ['+36h', '2026-06-18T22:30:00.000Z'],
    ['-14d', '2026-06-03T10:30:00.000Z'],
    ['+2w', '2026-07-01T10:30:00.000Z'],
    ['-1mo', '2026-05-17T10:30:00.000Z'],
    ['+1q', '2026-09-17T10:30:00.000Z'],
    ['-1y', '2025-06-17T10:30:00.000Z'],
    ['-0d', '2026-06-17T10:30:00.000Z'],
  ])('%s', (relative, expected) => expect(instant(relative)).toBe(expected))

  test('months end with their last day', () => {
    const day = (text: string, now: string) => testOf(`birthday = ${text}`, 'people', at(now))
    expect(day('+1mo', '2026-01-31T12:00:00Z')).toEqual({ kind: 'oneOf', values: ['2026-02-28'] })
    expect(day('+1mo', '2028-01-31T12:00:00Z')).toEqual({ kind: 'oneOf', values: ['2028-02-29'] })
    expect(day('-1mo', '2026-05-31T12:00:00Z')).toEqual({ kind: 'oneOf', values: ['2026-04-30'] })
    expect(day('-1q', '2026-05-31T12:00:00Z')).toEqual({ kind: 'oneOf', values: ['2026-02-28'] })
    expect(day('-1y', '2028-02-29T12:00:00Z')).toEqual({ kind: 'oneOf', values: ['2027-02-28'] })
    expect(day('+13mo', '2026-12-15T12:00:00Z')).toEqual({ kind: 'oneOf', values: ['2028-01-15'] })
  })

  test('days keep the time of day when clocks change, hours do not', () => {
    const now = at('2026-03-29T10:00:00Z')
    expect(instant('-1d', now)).toBe('2026-03-28T11:00:00.000Z')
    expect(instant('-24h', now)).toBe('2026-03-28T10:00:00.000Z')
  })

  test('a time that clocks skip is as long after the jump', () => {
    expect(instant('+1d', at('2026-03-28T01:30:00Z'))).toBe('2026-03-29T01:30:00.000Z')
    expect(testOf('created_at = 2026-03-29T02:30')).toEqual({ kind: 'oneOf', values: ['2026-03-29T01:30:00.000Z'] })
  })

  test('a time that clocks show twice is the first', () => {
    expect(testOf('created_at = 2026-10-25T02:30')).toEqual({ kind: 'oneOf', values: ['2026-10-25T00:30:00.000Z'] })
  })
})

describe('days when clocks change', () => {
  test.each([
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2026-03-08', 'America/New_York', 23],
    ['2026-11-01', 'America/New_York', 25],
    ['2026-04-05', 'Australia/Lord_Howe', 24.5],
    ['2026-10-04', 'Australia/Lord_Howe', 23.5],
    ['2017-10-15', 'America/Sao_Paulo', 23],
    ['2018-02-17', 'America/Sao_Paulo', 25],
    ['2011-12-30', 'Pacific/Apia', 0],
    ['2011-12-31', 'Pacific/Apia', 24],
    ['2026-06-17', 'Asia/Kathmandu', 24],
  ])('%s in %s has %d hours', (day, zone, length) => {
    expect(hours(interval(`created_at = ${day}`, at('2026-06-17T10:00:00Z', zone)))).toBe(length)
  })

  test('a day that does not start at midnight starts at its first instant', () => {
    const saoPaulo = at('2026-06-17T10:00:00Z', 'America/Sao_Paulo')
    expect(interval('created_at >= 2017-10-15', saoPaulo)).toEqual({ gte: '2017-10-15T03:00:00.000Z' })
    const toronto = at('2026-06-17T10:00:00Z', 'America/Toronto')
    expect(interval('created_at >= 1919-03-31', toronto)).toEqual({ gte: '1919-03-31T04:30:00.000Z' })
  })

  test('each day ends where the next starts, all year, in every kind of time zone', () => {
    for (const zone of [
      'Europe/Berlin',
      'America/Sao_Paulo',
      'Asia/Beirut',
      'Africa/Cairo',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
      'America/St_Johns',
    ]) {
      const situation = at('2026-06-17T10:00:00Z', zone)
      const shown = new Intl.DateTimeFormat('sv', { timeZone: zone })
      let end: unknown
      for (let i = 0; i < 366; i++) {
        const day = new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10)
        const { gte, lt } = interval(`created_at = ${day}`, situation)
        if (end) expect(gte).toBe(end)
        expect(shown.format(new Date(String(gte)))).toBe(day)
        end = lt
      }
    }
  })

  test('the first and the last day of all years are days too', () => {
    expect(interval('created_at = 9999-12-31').gte).toBe('9999-12-30T23:00:00.000Z')
    expect(String(interval('created_at = 0001-01-01').gte)).toMatch(/^0000-12-31T23:/)
  })
})
