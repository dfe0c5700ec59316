import { expect, test } from 'vitest'
import { writeTimesFor } from './moments.ts'
import { mannerIn, readDay } from './read-day.ts'

// A Monday.
const today = '2026-11-16'
const all = (language: string, cases: Record<string, string | null>) => {
  for (const [typed, day] of Object.entries(cases))
    expect([language, typed, readDay(typed, mannerIn(language), today)]).toEqual([language, typed, day])
}
const english = {
  today: '2026-11-16',
  Tomorrow: '2026-11-17',
  yesterday: '2026-11-15',
  'in 2 days': '2026-11-18',
  'in 3 weeks': '2026-12-07',
  'in a week': '2026-11-23',
  '2 weeks from now': '2026-11-30',
  '3 days ago': '2026-11-13',
  'in 1 month': '2026-12-16',
  '+14d': '2026-11-30',
  '-2w': '2026-11-02',
  'end of month': '2026-11-30',
  'end of the month': '2026-11-30',
  'end of next month': '2026-12-31',
  'end of quarter': '2026-12-31',
  eoy: '2026-12-31',
  monday: '2026-11-23',
  fri: '2026-11-20',
  'on Friday': '2026-11-20',
  'next friday': '2026-11-27',
  'last friday': '2026-11-13',
  'next week': '2026-11-23',
  'next month': '2026-12-01',
  'next year': '2027-01-01',
}

test('days are read as people say them, in English whatever the language', () => {
  for (const language of ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'ar-EG', 'hi-IN', 'ja-JP']) all(language, english)
})

test('days are read in the words of the language', () => {
  all('de-DE', {
    heute: '2026-11-16',
    morgen: '2026-11-17',
    übermorgen: '2026-11-18',
    ubermorgen: '2026-11-18',
    gestern: '2026-11-15',
    'in 3 Wochen': '2026-12-07',
    'vor 2 Tagen': '2026-11-14',
    'nächsten Monat': '2026-12-01',
    Freitag: '2026-11-20',
    Fr: '2026-11-20',
    'Fr.': '2026-11-20',
  })
  all('fr-FR', {
    "aujourd'hui": '2026-11-16',
    demain: '2026-11-17',
    'après-demain': '2026-11-18',
    'dans 3 semaines': '2026-12-07',
    'le mois prochain': '2026-12-01',
    vendredi: '2026-11-20',
    'ven.': '2026-11-20',
  })
  all('ar-EG', { غدًا: '2026-11-17', غدا: '2026-11-17', 'خلال ٣ أسابيع': '2026-12-07', 'خلال يومين': '2026-11-18' })
  all('ja-JP', {
    明日: '2026-11-17',
    '3 週間後': '2026-12-07',
    '３週間後': '2026-12-07',
    来月: '2026-12-01',
    金曜日: '2026-11-20',
  })
  // The same word for tomorrow and yesterday, and for two days ahead and ago.
  all('hi-IN', { आज: '2026-11-16', कल: null, परसों: null, '३ सप्ताह में': '2026-12-07', शुक्रवार: '2026-11-20' })
})

test('what names no single day is not read, and neither is a weekday that contradicts its date', () => {
  all('en-US', {
    someday: null,
    'this week': null,
    'last month': null,
    soon: null,
    'in weeks': null,
    '3 weeks': null,
    m: null,
    t: null,
    'Fri, Nov 20, 2026': '2026-11-20',
    'friday november 20': '2026-11-20',
    'Mon, Nov 20, 2026': null,
  })
  all('fr-FR', { 'mar. 17 nov. 2026': '2026-11-17', 'mar 3': '2026-03-03' })
})

test('a week begins on the day the company chose', () => {
  writeTimesFor({ language: 'en-US', firstWeekday: 0 })
  all('en-US', { 'next week': '2026-11-22', 'next sunday': '2026-11-22' })
  writeTimesFor({ language: 'en-US', firstWeekday: 1 })
  all('en-US', { 'next sunday': '2026-11-29', sunday: '2026-11-22' })
})
