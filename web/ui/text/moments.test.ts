import { expect, test } from 'vitest'
import { dateFormat } from '../../../contract/shared/date-format.ts'
import {
  asDay,
  asFull,
  asMinute,
  asNearDay,
  asNearMoment,
  asSecond,
  asShortDay,
  asTime,
  asWeekday,
  dayOf,
  hourOf,
  isOver,
  momentsOf,
  withNearMoments,
  writeTimesFor,
} from './moments.ts'

const at = (timeZone: string) => writeTimesFor({ language: 'en-US', timeZone })

test('a day begins and ends by the clock of the reader, not of the browser', () => {
  at('Pacific/Auckland')
  expect(momentsOf({ from: '2026-11-15', to: '2026-11-15' })).toEqual({
    since: '2026-11-14T11:00:00.000Z',
    until: '2026-11-15T11:00:00.000Z',
  })
  at('America/Los_Angeles')
  expect(momentsOf({ from: '2026-11-15' })).toEqual({ since: '2026-11-15T08:00:00.000Z', until: undefined })
  const evening = Date.parse('2026-11-16T02:30:00Z')
  expect([dayOf(evening), hourOf(evening)]).toEqual(['2026-11-15', 18])
})

test('a day of 23 or 25 hours ends at its own midnight', () => {
  at('Europe/Berlin')
  expect(momentsOf({ from: '2026-03-29', to: '2026-03-29' })).toEqual({
    since: '2026-03-28T23:00:00.000Z',
    until: '2026-03-29T22:00:00.000Z',
  })
  expect(momentsOf({ from: '2026-10-25', to: '2026-10-25' })).toEqual({
    since: '2026-10-24T22:00:00.000Z',
    until: '2026-10-25T23:00:00.000Z',
  })
})

test('tomorrow and yesterday are right on days of 23 and 25 hours', () => {
  at('Europe/Berlin')
  // Half past midnight of a day with 25 hours: 24 hours later it is still that day.
  const now = Date.parse('2026-10-24T22:30:00Z')
  expect(asNearDay('2026-10-25T22:45:00Z', now)).toBe('Today')
  expect(asNearDay('2026-10-25T23:30:00Z', now)).toBe('Tomorrow')
  // A quarter to midnight before a day with 23 hours.
  const late = Date.parse('2026-03-28T22:45:00Z')
  expect(asNearDay('2026-03-29T10:00:00Z', late)).toBe('Tomorrow')
  expect(asNearDay('2026-03-29T22:30:00Z', late)).toBe('Mar 30, 2026')
  expect(asNearDay('2026-03-27T23:10:00Z', late)).toBe('Today')
  expect(asNearDay('2026-03-27T22:10:00Z', late)).toBe('Yesterday')
})

test('a task says its day and its time in English words, in the order and with the clock of the reader', () => {
  writeTimesFor({ language: 'de-AT', timeZone: 'Europe/Vienna' })
  const now = Date.parse('2026-11-16T12:00:00Z')
  expect(asNearMoment('2026-11-17T09:00:00Z', now)).toBe('Tomorrow, 10:00')
  expect(asNearMoment('2026-11-20T09:00:00Z', now)).toBe('20 Nov, 10:00')
  expect(asNearMoment('2027-01-20T09:00:00Z', now)).toBe('20.01.2027, 10:00')
  expect(asNearMoment('2026-11-16T23:00:00Z', now), 'a day without a time').toBe('Tomorrow')
  expect([asWeekday('2026-11-17', now), asWeekday('2026-11-22', now)]).toEqual([
    'Tomorrow, Tuesday 17 Nov',
    'Sunday 22 Nov',
  ])
  expect([isOver('2026-11-15T23:00:00Z', now), isOver('2026-11-16T11:59:00Z', now)]).toEqual([false, true])
  at('America/New_York')
  expect(asNearMoment('2026-11-17T15:00:00Z', now)).toMatch(/^Tomorrow, 10:00.AM$/)
  expect(asWeekday('2026-11-22', now)).toBe('Sunday, Nov 22')
})

test.each([
  ['de-DE', ['18.11.2026', '18.11.2026, 15:30', '18 Nov, 15:30:00', '15:30', 'Wednesday 18 November']],
  ['fr-FR', ['18 Nov 2026', '18 Nov 2026, 15:30', '18 Nov, 15:30:00', '15:30', 'Wednesday 18 November']],
  ['es-MX', ['18 Nov 2026', '18 Nov 2026, 3:30 pm', '18 Nov, 3:30:00 pm', '3:30 pm', 'Wednesday 18 November']],
  ['ja-JP', ['2026/11/18', '2026/11/18 15:30', '18 Nov, 15:30:00', '15:30', 'Wednesday 18 November']],
  ['en-US', ['Nov 18, 2026', 'Nov 18, 2026, 3:30 PM', 'Nov 18, 03:30:00 PM', '3:30 PM', 'Wednesday, November 18']],
])('dates have English words, and the order, marks and clock of %s', (language, written) => {
  writeTimesFor({ language, timeZone: 'UTC' })
  const at = '2026-11-18T15:30:00Z'
  const day = dateFormat(language, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
  const all = [asDay(at), asMinute(at), asSecond(at), asTime(at), day.format(new Date(at))]
  expect(all.map((text) => text.replace(/\s/g, ' ').replace(/\b0?3:30/, '3:30'))).toEqual(
    written.map((text) => text.replace(/\b0?3:30/, '3:30')),
  )
  expect(asFull(at)).toContain('Wednesday')
})

test('a day of another year is written with its year, in every language', () => {
  const now = Date.parse('2026-06-15T12:00:00Z')
  for (const [language, day] of [
    ['en-US', 'Nov 20, 2024'],
    ['en-GB', '20 Nov 2024'],
    ['de-DE', '20.11.2024'],
  ] as const) {
    writeTimesFor({ language, timeZone: 'UTC' })
    expect(asShortDay('2024-11-20T10:00:00Z', now)).toBe(day)
  }
  at('UTC')
  expect(asShortDay('2026-03-20T10:00:00Z', now)).toBe('Mar 20')
  expect(asShortDay('2026-06-14T10:00:00Z', now)).toBe('Yesterday')
})

test('a time in a text of the server is written as the reader’s clock shows it', () => {
  at('Asia/Tokyo')
  const year = new Date().getUTCFullYear() + 2
  const text = withNearMoments(`Snoozed until ${year}-03-01T16:30:00Z`)
  expect(text).toMatch(new RegExp(`^Snoozed until Mar 2, ${year}, 1:30.AM$`))
  expect(withNearMoments('Closed')).toBe('Closed')
})
