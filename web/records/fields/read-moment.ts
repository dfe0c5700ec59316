// Moments as people type them, in the manner of their language.
import { clockAt, instantAt } from '../../../contract/filter/zones.ts'
import { withLatinDigits } from '../../ui/text/numbers.ts'
import { type Manner, mannerIn, readDay } from '../../ui/text/read-day.ts'
import { isWholeWeekday, readRelativeTime, readWeekday } from '../../ui/text/relative-days.ts'

/**
 * A day and a time such as 14:30, 2:30 pm or 2pm, or "in 2 hours". Without a time: the one that is given. A time without
 * a day is the next one. `now` is what the clock shows: 2026-06-15 14:30:00.
 */
export function readMoment(
  text: string,
  manner: Manner,
  usualTime: string,
  now = clockText(Date.now()),
): string | null {
  const today = now.slice(0, 10)
  const soon = readRelativeTime(text, manner.language, now)
  if (soon) return soon
  const { time, rest } = takeTime(text.trim(), manner.language)
  if (time === null) return null
  if (rest === '') return time === undefined ? null : nextAt(time, now, manner)
  const day = readDay(rest, manner, today)
  return day && `${day} ${time ?? usualTime}`
}

function nextAt(time: string, now: string, manner: Manner) {
  const today = now.slice(0, 10)
  return `${time > now.slice(11) ? today : readDay('tomorrow', manner, today)} ${time}`
}

type Timed = { time: string | null | undefined; rest: string }

/** A time at the end or at the beginning of a text. null: one that no clock shows. */
function takeTime(typed: string, language: string): Timed {
  const { at, halves } = timeWords(language)
  const text = halves(withLatinDigits(typed))
  const time = String.raw`(?:(${at})\s+)?(\d{1,2})(?:[:h](\d{2}))?(?::\d{2})?\s*(?:([ap])\.?\s?m\.?|(uhr|h))?`
  const end = new RegExp(String.raw`(?:^|[\sT,])${time}$`, 'iu').exec(text)
  const start = new RegExp(String.raw`^${time}[\s,]+(?=\D)`, 'iu').exec(text)
  const found = [end, start].find((one) => one && isTime(one))
  if (!found) return { time: undefined, rest: text }
  return { time: readTime(found), rest: text.replace(found[0], ' ').trim() }
}

/** Hours alone are not a time, except after "at", and then only if they are clearly AM or PM. */
const isTime = ([, at, hour, minute, half, word]: RegExpMatchArray) =>
  Boolean(minute ?? half ?? word) || (at !== undefined && Number(hour) >= 7)

function readTime([, , hour = '', minute = '00', half]: RegExpMatchArray) {
  const isHalf = half !== undefined
  const hours = isHalf ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  const isWrong = hours > 23 || Number(minute) > 59 || (isHalf && Number(hour) > 12)
  return isWrong ? null : `${String(hours).padStart(2, '0')}:${minute}:00`
}

const known = new Map<string, ReturnType<typeof timeWordsOf>>()

function timeWords(language: string) {
  const words = known.get(language) ?? timeWordsOf(language)
  known.set(language, words)
  return words
}

/** What stands before a time ("at"), and what the halves of the day are called. */
function timeWordsOf(language: string) {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', hour12: true })
  const parts = [9, 21].map((hour) => format.formatToParts(new Date(2026, 0, 5, hour, 7)))
  const hourAt = parts[0]!.findIndex(({ type }) => type === 'hour')
  const before = parts[0]!.slice(0, hourAt).findLast(({ type }) => type === 'literal')?.value
  const at = ['at', '@', ...(before?.match(/\p{L}+/gu) ?? [])].join('|')
  const [am, pm] = parts.map((all) =>
    (all.find(({ type }) => type === 'dayPeriod')?.value ?? '').replaceAll('.', '\\.'),
  )
  const halves = (text: string) => {
    if (!am || !pm || /^[ap]/i.test(am)) return text
    const clock = String.raw`(\d{1,2}(?::\d{2})?)`
    const half = (name: string, letter: string) => (now: string) =>
      now
        .replace(new RegExp(`${name}\\s*${clock}`, 'u'), `$1 ${letter}m`)
        .replace(new RegExp(`${clock}\\s*${name}(?!\\p{L})`, 'u'), `$1 ${letter}m`)
    return half(pm, 'p')(half(am, 'a')(text))
  }
  return { at, halves }
}

/** 2026-06-15 14:30:00 as a language writes it. */
export function writeMoment(clock: string, format: string, isHalfDay: boolean) {
  const [day = '', time = '00:00'] = clock.split(/[ T]/)
  const [year = '', month = '', date = ''] = day.split('-')
  const [hour = '', minute = ''] = time.split(':')
  const shown = isHalfDay
    ? `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`
    : `${hour}:${minute}`
  return `${format.replace('YYYY', year).replace('MM', month).replace('DD', date)} ${shown}`
}

/** The time of a day that was entered without one. */
export const usualTime = '09:00:00'

export const instantText = (clock: string, zone: string) =>
  new Date(instantAt(Date.parse(`${clock.replace(' ', 'T')}Z`), zone)).toISOString()

/** What the clock shows: 2026-06-15 14:30:00. */
export const clockText = (moment: number, zone = new Intl.DateTimeFormat().resolvedOptions().timeZone) =>
  new Date(clockAt(moment, zone)).toISOString().slice(0, 19).replace('T', ' ')

type Place = { language: string; zone: string }

const mostWords = 7
/** Words that belong to the moment and not to what is before it. */
const leading = /^(?:on|by|due|until|before)\s+/i

/**
 * "Call Anna next friday 10:00" as what is to be done and when. Only for a moment at the end that can mean nothing else:
 * neither "version 2.1" nor "Call Mo". Nothing if there is none, or nothing before it.
 */
export function takeMoment(text: string, { language, zone }: Place, now = Date.now()) {
  const words = [...text.trim().matchAll(/\S+/g)]
  const manner = mannerIn(language)
  const clock = clockText(now, zone)
  for (const first of words.slice(1).slice(-mostWords)) {
    const said = text.trim().slice(first.index).replace(leading, '')
    if (!isPlainlyMoment(said, language)) continue
    const read = readMoment(said, manner, '', clock)
    if (!read) continue
    const moment = read.length > 11 ? read : `${read}${timeOn(read.trim(), clock)}`
    return { rest: text.trim().slice(0, first.index).trim(), moment: instantText(moment, zone) }
  }
  return undefined
}

/** Digits need a year, a month's name or a time; a weekday alone needs its whole name; "8h" may be how long. */
function isPlainlyMoment(said: string, language: string) {
  if (/^\d+\s*h$/i.test(said)) return false
  if (/^\p{L}+\.?$/u.test(said)) return isWholeWeekday(said, language) || readWeekday(said, language) === undefined
  if (/\p{L}/u.test(said) || /\d[:h]\d\d/.test(said)) return true
  return (withLatinDigits(said).match(/\d+/g) ?? []).length === 3
}

/** A day without a time means its morning, and today what is left of it. */
function timeOn(day: string, clock: string) {
  const times = [usualTime, '17:00:00', '23:59:00']
  return day > clock.slice(0, 10) ? usualTime : (times.find((time) => time > clock.slice(11)) ?? '23:59:00')
}
