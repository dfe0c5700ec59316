import { expect, test } from 'vitest'
import { orderIn, readDay, readMoment, writeMoment } from './read-moment.ts'

const german = orderIn('de')
const american = orderIn('en-US')

test('a day is read in the order of the language, and as 2026-06-15 in all', () => {
  expect(readDay('15.6.2026', german.parts)).toBe('2026-06-15')
  expect(readDay('6/15/26', american.parts)).toBe('2026-06-15')
  expect(readDay('2026-06-15', american.parts)).toBe('2026-06-15')
  expect(readDay('31/31/2026', american.parts)).toBe(null)
})

test('a moment is read with its time in either clock, or with the usual one', () => {
  const read = (text: string) => readMoment(text, american.parts, '09:00:00')
  expect(read('6/15/2026 14:30')).toBe('2026-06-15 14:30:00')
  expect(read('6/15/2026 2:30 PM')).toBe('2026-06-15 14:30:00')
  expect(read('6/15/2026 2pm')).toBe('2026-06-15 14:00:00')
  expect(read('6/15/2026 12 am')).toBe('2026-06-15 00:00:00')
  expect(read('2026-06-15T08:05')).toBe('2026-06-15 08:05:00')
  expect(read('6/15/2026')).toBe('2026-06-15 09:00:00')
  expect(read('6/15/2026 25:00')).toBe(null)
  expect(read('soon')).toBe(null)
  expect(readMoment('15.06.2026 7:05', german.parts, '09:00:00')).toBe('2026-06-15 07:05:00')
})

test('what is written is read again as the same', () => {
  for (const { format, parts } of [german, american])
    for (const isHalfDay of [true, false])
      for (const clock of ['2026-06-05 00:07:00', '2026-12-31 12:00:00', '2026-01-02 23:59:00'])
        expect(readMoment(writeMoment(clock, format, isHalfDay), parts, '')).toBe(clock)
})
