import { expect, test } from 'vitest'
import { writeTimesFor } from './moments.ts'
import { isHalfDay, readTime } from './time-of-day.ts'

test('a time of day is typed and shown with 24 hours where the language has them', () => {
  const isHalfDayIn = (language: string) => {
    writeTimesFor({ language })
    return isHalfDay()
  }
  expect(['en-US', 'en-GB', 'de-DE', 'fr-FR'].map(isHalfDayIn)).toEqual([true, false, false, false])
  expect(['9', '9:30', '0930', '17.15', '23:59'].map(readTime)).toEqual(['09:00', '09:30', '09:30', '17:15', '23:59'])
  expect(['', '24:00', '9:60', 'noon'].map(readTime)).toEqual([undefined, undefined, undefined, undefined])
})
