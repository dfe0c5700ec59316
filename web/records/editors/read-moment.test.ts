import { expect, test } from 'vitest'
import { mannerIn, readDay } from '../../ui/read-day.ts'
import { readMoment, writeMoment } from './read-moment.ts'

const german = mannerIn('de')
const american = mannerIn('en-US')

test('a date is read in the order of the language, and as 2026-06-15 in all', () => {
  expect(readDay('15.6.2026', german)).toBe('2026-06-15')
  expect(readDay('6/15/26', american)).toBe('2026-06-15')
  expect(readDay('2026-06-15', american)).toBe('2026-06-15')
  expect(readDay('31/31/2026', american)).toBe(null)
})

test('a date is read as it is shown, in every language', () => {
  for (const language of [
    'en-US',
    'en-GB',
    'de',
    'fr',
    'es',
    'pt-BR',
    'it',
    'nl',
    'pl',
    'ru',
    'he',
    'ja',
    'zh-CN',
    'ko',
    'sv',
    'ar',
    'ar-EG',
    'hi-IN',
    'ja-JP',
  ])
    for (const day of ['1980-02-03', '2026-05-30', '2031-12-01', '1999-09-09'])
      for (const dateStyle of ['medium', 'long'] as const) {
        const shown = new Intl.DateTimeFormat(language, { dateStyle, timeZone: 'UTC' }).format(new Date(day))
        expect([language, shown, readDay(shown, mannerIn(language))]).toEqual([language, shown, day])
      }
})

test('months are read by name, and a year is never guessed', () => {
  const read = (text: string) => readDay(text, american)
  for (const text of [
    'Feb 3, 1980',
    'february 3rd 1980',
    '3 Feb 1980',
    '1980 Feb 3',
    '2/3/1980',
    '1980/2/3',
    '2-3-1980',
  ])
    expect([text, read(text)]).toEqual([text, '1980-02-03'])
  expect(readDay('3. Februar 1980', german)).toBe('1980-02-03')
  expect(readDay('3 Feb 1980', german)).toBe('1980-02-03')
  expect(read('Sept 3')).toBe(`${new Date().getFullYear()}-09-03`)
  expect(read('25.2.1980')).toBe('1980-02-25')
  expect(readDay('3.2.1980', german)).toBe('1980-02-03')
  // Two readings, none, or a century to be guessed.
  for (const text of [
    '3.2.1980',
    'Feb 1980',
    'Feb 3, 198',
    '2/3/80',
    '1980-02-30',
    'hello',
    'Feb 3 4 5',
    '3 1980',
    'Ju 3',
  ])
    expect([text, read(text)]).toEqual([text, null])
})

test('a time is read in 12-hour or 24-hour format, or gets the default', () => {
  const read = (text: string) => readMoment(text, american, '09:00:00')
  expect(read('6/15/2026 14:30')).toBe('2026-06-15 14:30:00')
  expect(read('6/15/2026 2:30 PM')).toBe('2026-06-15 14:30:00')
  expect(read('6/15/2026 2pm')).toBe('2026-06-15 14:00:00')
  expect(read('6/15/2026 12 am')).toBe('2026-06-15 00:00:00')
  expect(read('2026-06-15T08:05')).toBe('2026-06-15 08:05:00')
  expect(read('6/15/2026')).toBe('2026-06-15 09:00:00')
  expect(read('6/15/2026 25:00')).toBe(null)
  expect(read('soon')).toBe(null)
  expect(readMoment('15.06.2026 7:05', german, '09:00:00')).toBe('2026-06-15 07:05:00')
})

test('formatted values are read back unchanged', () => {
  for (const manner of [german, american])
    for (const isHalfDay of [true, false])
      for (const clock of ['2026-06-05 00:07:00', '2026-12-31 12:00:00', '2026-01-02 23:59:00'])
        expect(readMoment(writeMoment(clock, manner.format, isHalfDay), manner, '')).toBe(clock)
})
