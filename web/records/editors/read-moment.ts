// Moments as people type them, in the manner of their language.
import { instantAt } from '../../../contract/filter/zones.ts'
import { type Manner, readDay } from '../../ui/read-day.ts'

const timePattern = /(?:^|[\sT])(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*([ap])?\.?\s*m?\.?$/i

/** A day and a time such as 14:30, 2:30 pm or 2pm. Without a time: the one that is given. */
export function readMoment(text: string, manner: Manner, usualTime: string): string | null {
  const found = text.trim().match(timePattern)
  const isTime = found && (found[2] || found[3])
  const day = readDay(isTime ? text.trim().slice(0, found.index) : text, manner)
  const time = isTime ? readTime(found) : usualTime
  return day && time && `${day} ${time}`
}

function readTime([, hour = '', minute = '00', half]: RegExpMatchArray) {
  const isHalf = half !== undefined
  const hours = isHalf ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  const isWrong = hours > 23 || Number(minute) > 59 || (isHalf && Number(hour) > 12)
  return isWrong ? null : `${String(hours).padStart(2, '0')}:${minute}:00`
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

/** Of a day whose time nobody said. */
export const usualTime = '09:00:00'

export const instantText = (clock: string, zone: string) =>
  new Date(instantAt(Date.parse(`${clock.replace(' ', 'T')}Z`), zone)).toISOString()
