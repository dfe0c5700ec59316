import { describe, expect, test } from 'vitest'
import { dueIn, isLate, sectionsOf, untilMonday } from './days.ts'

/** A Monday, 15:20 in Berlin. */
const here = { now: Date.parse('2026-11-16T14:20:00Z'), zone: 'Europe/Berlin' }

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
