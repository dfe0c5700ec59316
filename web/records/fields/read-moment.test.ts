import { expect, test } from 'vitest'
import { mannerIn, readDay } from '../../ui/text/read-day.ts'
import { readMoment, takeMoment, writeMoment } from './read-moment.ts'

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

// A Monday.
const now = '2026-11-16 14:50:00'

test('a day as people say it can have a time, before or after it', () => {
  const all = (language: string, cases: Record<string, string | null>) => {
    for (const [typed, clock] of Object.entries(cases))
      expect([language, typed, readMoment(typed, mannerIn(language), '09:00:00', now)]).toEqual([
        language,
        typed,
        clock,
      ])
  }
  for (const language of ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'ar-EG', 'hi-IN', 'ja-JP'])
    all(language, {
      tomorrow: '2026-11-17 09:00:00',
      'tomorrow 10:00': '2026-11-17 10:00:00',
      'tomorrow at 10': '2026-11-17 10:00:00',
      '10:00 tomorrow': '2026-11-17 10:00:00',
      'fri 3pm': '2026-11-20 15:00:00',
      'next friday, 3:30 p.m.': '2026-11-27 15:30:00',
      'in 2 hours': '2026-11-16 16:50:00',
      'in 30 minutes': '2026-11-16 15:20:00',
      '15:30': '2026-11-16 15:30:00',
      '8:00': '2026-11-17 08:00:00',
      'tomorrow at 3': null,
      'tomorrow 25:00': null,
      'someday 10:00': null,
    })
  all('de-DE', { 'morgen um 10:00 Uhr': '2026-11-17 10:00:00', 'Fr 15 Uhr': '2026-11-20 15:00:00' })
  all('fr-FR', { 'demain à 15h30': '2026-11-17 15:30:00', 'vendredi 15h': '2026-11-20 15:00:00' })
  all('ja-JP', { '明日 15:00': '2026-11-17 15:00:00', '明日 午後3:00': '2026-11-17 15:00:00' })
  all('ar-EG', { 'غدًا ٣ م': '2026-11-17 15:00:00' })
  all('hi-IN', { 'शुक्रवार 3:00 pm बजे': null, 'शुक्रवार 3:00 pm': '2026-11-20 15:00:00' })
})

test('a moment at the end of a line is separated from what is before it, and nothing doubtful is taken for one', () => {
  const at = Date.parse('2026-11-16T14:50:00Z')
  const take = (text: string, language = 'en-US', zone = 'UTC') => takeMoment(text, { language, zone }, at)
  const cases: Record<string, [string, string]> = {
    'Call Anna tomorrow': ['Call Anna', '2026-11-17T09:00:00.000Z'],
    'Call Anna next friday 10:00': ['Call Anna', '2026-11-27T10:00:00.000Z'],
    'Send 3 offers by Friday': ['Send 3 offers', '2026-11-20T09:00:00.000Z'],
    'Send offer on Dec 4, 2026 at 3pm': ['Send offer', '2026-12-04T15:00:00.000Z'],
    'Renew in 3 weeks': ['Renew', '2026-12-07T09:00:00.000Z'],
    'Ring back in 2 hours': ['Ring back', '2026-11-16T16:50:00.000Z'],
    'Invoice 11/20/2026': ['Invoice', '2026-11-20T09:00:00.000Z'],
    'Report end of month': ['Report', '2026-11-30T09:00:00.000Z'],
    'Call back today': ['Call back', '2026-11-16T17:00:00.000Z'],
    'Call Mo fri 3pm': ['Call Mo', '2026-11-20T15:00:00.000Z'],
  }
  for (const [text, [rest, moment]] of Object.entries(cases))
    expect([text, take(text)]).toEqual([text, { rest, moment }])
  for (const text of [
    'Call Mo',
    'Call Jan',
    'Install version 2.1',
    'Send 1/2',
    'Work 8h',
    'tomorrow',
    'Meet Sun',
    'Buy 12',
    '',
  ])
    expect([text, take(text)]).toEqual([text, undefined])
  expect(take('Anna anrufen morgen 10:00', 'de-DE', 'Europe/Berlin')).toEqual({
    rest: 'Anna anrufen',
    moment: '2026-11-17T09:00:00.000Z',
  })
})

test('formatted values are read back unchanged', () => {
  for (const manner of [german, american])
    for (const isHalfDay of [true, false])
      for (const clock of ['2026-06-05 00:07:00', '2026-12-31 12:00:00', '2026-01-02 23:59:00'])
        expect(readMoment(writeMoment(clock, manner.format, isHalfDay), manner, '')).toBe(clock)
})
