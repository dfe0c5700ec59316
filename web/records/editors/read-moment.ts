// Days and times as people type them, in the order of their language.
import { isDay } from '../../../contract/filter/days.ts'

type Part = 'day' | 'month' | 'year'
const written: Record<Part, string> = { day: 'DD', month: 'MM', year: 'YYYY' }

/** In which order a language writes day, month and year, and what stands between them. */
export function orderIn(language: string) {
  const settings = { day: '2-digit', month: '2-digit', year: 'numeric', calendar: 'gregory' } as const
  const all = new Intl.DateTimeFormat(`${language}-u-nu-latn`, settings).formatToParts(new Date(0))
  const isPart = (type: string): type is Part => type in written
  const format = all
    .map(({ type, value }) => (isPart(type) ? written[type] : value.replace(/[^\d\s./-]/g, '')))
    .join('')
  return { format: format.trim(), parts: all.map(({ type }) => type).filter(isPart) }
}

/** 2026-06-15 in every language; else in the order of this one, with the year in two digits or left out. */
export function readDay(text: string, parts: Part[]): string | null {
  if (isDay(text.trim())) return text.trim()
  const numbers = text.match(/\d+/g) ?? []
  const order = numbers.length === 2 ? parts.filter((part) => part !== 'year') : parts
  if (numbers.length !== order.length) return null
  const read = Object.fromEntries(order.map((part, i) => [part, numbers[i]!])) as Partial<Record<Part, string>>
  const year = read.year ?? String(new Date().getFullYear())
  const whole = `${year.length === 2 ? `20${year}` : year}-${read.month!.padStart(2, '0')}-${read.day!.padStart(2, '0')}`
  return isDay(whole) ? whole : null
}

const timePattern = /(?:^|[\sT])(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*([ap])?\.?m?\.?$/i

/** A day and a time such as 14:30, 2:30 pm or 2pm. Without a time: the one that is given. */
export function readMoment(text: string, parts: Part[], usualTime: string): string | null {
  const found = text.trim().match(timePattern)
  const isTime = found && (found[2] || found[3])
  const day = readDay(isTime ? text.trim().slice(0, found.index) : text, parts)
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
