import { describe, expect, test } from 'vitest'
import { mannerIn } from '../../ui/read-day.ts'
import { dueIn, isLate, sectionsOf, untilMonday } from './days.ts'
import { readTask } from './read-task.ts'

/** A Monday, 15:20 in Berlin. */
const here = { now: Date.parse('2026-11-16T14:20:00Z'), zone: 'Europe/Berlin' }

describe('a line that ends with when it is due', () => {
  test.each([
    ['Call Anna tomorrow 10:00', 'Call Anna', '2026-11-17T09:00:00.000Z'],
    ['Call Anna at 10am tomorrow', 'Call Anna', '2026-11-17T09:00:00.000Z'],
    ['Send offer today', 'Send offer', '2026-11-16T16:00:00.000Z'],
    ['Follow up in 3 weeks', 'Follow up', '2026-12-07T08:00:00.000Z'],
    ['Follow up in a month', 'Follow up', '2026-12-16T08:00:00.000Z'],
    ['Check oven in 2 hours', 'Check oven', '2026-11-16T16:30:00.000Z'],
    ['Plan next week', 'Plan', '2026-11-23T08:00:00.000Z'],
    ['Lunch on Friday at 12:30', 'Lunch', '2026-11-20T11:30:00.000Z'],
    ['Review Monday', 'Review', '2026-11-23T08:00:00.000Z'],
    ['Renew 2027-01-15', 'Renew', '2027-01-15T08:00:00.000Z'],
    ['Renew Jan 15', 'Renew', '2026-01-15'],
  ])('reads %s', (text, title, due) => {
    const read = readTask(text, here, mannerIn('en-US'))
    expect(read?.title).toBe(title)
    if (due.length > 10) expect(read?.due_at).toBe(due)
    else expect(read?.due_at.slice(4, 10)).toBe(due.slice(4))
  })

  test('reads dates in the manner of the language', () => {
    expect(readTask('Angebot 15.12. 10:00', here, mannerIn('de-DE'))?.title).toBe('Angebot')
    expect(readTask('Offer 12/15/2026', here, mannerIn('en-US'))?.due_at).toBe('2026-12-15T08:00:00.000Z')
  })

  test.each(['Call Anna', 'today', 'Release 1.2', 'Buy 3 apples', 'Read chapter 10', 'Meet at 25:00 tomorrow', 'May'])(
    'leaves %s as it is',
    (text) => expect(readTask(text, here, mannerIn('en-US'))).toBe(undefined),
  )
})

describe('a task', () => {
  const at = (due_at?: string): Record<string, unknown> => ({ due_at })
  test('is late by its time, or when its day is over, in the zone of the reader', () => {
    expect(isLate('2026-11-16T14:19:00Z', here)).toBe(true)
    expect(isLate('2026-11-16T14:21:00Z', here)).toBe(false)
    expect(isLate('2026-11-15T23:00:00Z', here)).toBe(false)
    expect(isLate('2026-11-14T23:00:00Z', here)).toBe(true)
  })

  test('stands in the section of its day', () => {
    const [late, today, tomorrow, none] = [
      at('2026-11-10T10:00:00Z'),
      at('2026-11-16T22:59:00Z'),
      at('2026-11-16T23:00:00Z'),
      at(),
    ]
    const sections = sectionsOf([late, today, tomorrow, none], here)
    expect(sections).toEqual({
      late: [late],
      today: [today],
      upcoming: new Map([['2026-11-17', [tomorrow]]]),
      someday: [none],
    })
  })

  test('keeps its time of day when its day is moved, and is never moved into the past', () => {
    expect(dueIn(1, here, '2026-11-10T13:00:00Z')).toBe('2026-11-17T13:00:00.000Z')
    expect(dueIn(1, here)).toBe('2026-11-17T08:00:00.000Z')
    expect(dueIn(0, here, '2026-11-10T08:00:00Z')).toBe('2026-11-16T16:00:00.000Z')
    expect(dueIn(0, here, '2026-11-10T19:00:00Z')).toBe('2026-11-16T19:00:00.000Z')
    expect(untilMonday(here)).toBe(7)
  })
})
