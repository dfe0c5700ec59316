import { clockAt, instantAt, startOfDay } from '../../../contract/filter/zones.ts'
import { dateFormat } from '../../../contract/shared/date-format.ts'

type Region = { language?: string; timeZone?: string; firstWeekday?: 0 | 1 | 6 }

const formatsFor = ({ language, timeZone }: Region) => ({
  second: dateFormat(language, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone,
  }),
  day: dateFormat(language, { dateStyle: 'medium', timeZone }),
  minute: dateFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
  time: dateFormat(language, { timeStyle: 'short', timeZone }),
  full: dateFormat(language, { dateStyle: 'full', timeStyle: 'long', timeZone }),
  relative: new Intl.RelativeTimeFormat('en', { numeric: 'auto' }),
  near: dateFormat(language, { month: 'short', day: 'numeric', timeZone }),
  weekday: dateFormat(language, {
    weekday: 'long',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }),
})

let region: Region = {}

let formats = formatsFor(region)

/** Times are written in the zone and the manner that someone chose; before that, in those of the browser. */
export function writeTimesFor(chosen: Region) {
  const isSame = chosen.language === region.language && chosen.timeZone === region.timeZone
  region = chosen
  if (!isSame) formats = formatsFor(chosen)
}

export const timeLanguage = () => region.language ?? 'en-US'

export const firstWeekday = () => region.firstWeekday ?? 1

const zone = () => region.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

const clockText = (moment: number) => new Date(clockAt(moment, zone())).toISOString()

/** The day of the reader's zone, as 2026-06-15. */
export const dayOf = (moment: number) => clockText(moment).slice(0, 10)

export const hourOf = (moment: number) => Number(clockText(moment).slice(11, 13))

/** When a day begins in the reader's zone, or one some days later. */
const startOf = (day: string, later = 0) => new Date(startOfDay(Date.parse(plusDays(day, later)), zone())).toISOString()

/** The same time on another day, in the reader's zone. */
export const onDay = (moment: string, day: string) => {
  const time = clockAt(Date.parse(moment), zone()) % 86_400_000
  return new Date(instantAt(Date.parse(day) + time, zone())).toISOString()
}

/** This hour of a day in the reader's zone. */
export const atHour = (day: string, hour: number) =>
  new Date(instantAt(Date.parse(day) + hour * 3_600_000, zone())).toISOString()

export const plusDays = (day: string, count: number) => {
  const date = new Date(day)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

/** From the first day to the end of the last one; either of them may be left out. */
export const momentsOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  since: from ? startOf(from) : undefined,
  until: to ? startOf(to, 1) : undefined,
})

/** "Today", "Tomorrow", "Yesterday", else the date. */
export function asNearDay(moment: string, now = Date.now()) {
  const today = dayOf(now)
  const day = dayOf(Date.parse(moment))
  if (day === today) return 'Today'
  if (day === plusDays(today, 1)) return 'Tomorrow'
  return day === plusDays(today, -1) ? 'Yesterday' : asDay(moment)
}

/** "Tomorrow", "Nov 20"; without the year if it is this one. */
export function asShortDay(moment: string, now = Date.now()) {
  const [near, date] = [asNearDay(moment, now), asDay(moment)]
  const isThisYear = dayOf(Date.parse(moment)).slice(0, 4) === dayOf(now).slice(0, 4)
  return near === date && isThisYear ? formats.near.format(new Date(moment)) : near
}

/** "Tomorrow, 10:00", "Nov 20, 10:00"; without the year if it is this one, and without the time if nobody set one. */
export function asNearMoment(moment: string, now = Date.now()) {
  const day = asShortDay(moment, now)
  return isWholeDay(moment) ? day : `${day}, ${asTime(moment)}`
}

/** Times inside of a text of the server, as people write them. */
export const withNearMoments = (text: string) =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (moment) => asNearMoment(moment))

/** "Tomorrow, Tuesday, Nov 17"; then "Wednesday, Nov 18". Takes a day such as 2026-11-17. */
export function asWeekday(day: string, now = Date.now()) {
  const name = formats.weekday.format(new Date(day))
  return day === plusDays(dayOf(now), 1) ? `Tomorrow, ${name}` : name
}

/** A day without a time is stored as its start. */
const isWholeDay = (moment: string) => clockText(Date.parse(moment)).slice(11, 16) === '00:00'

/** What is due on a day without a time is late when the day is over. */
export const isOver = (moment: string, now = Date.now()) =>
  isWholeDay(moment) ? dayOf(Date.parse(moment)) < dayOf(now) : Date.parse(moment) < now

export const asSecond = (moment: string) => formats.second.format(new Date(moment))

export const asDay = (moment: string) => formats.day.format(new Date(moment))

export const asMinute = (moment: string) => formats.minute.format(new Date(moment))

export const asTime = (moment: string) => formats.time.format(new Date(moment))

export const asFull = (moment: string) => formats.full.format(new Date(moment))

const units = [
  ['minute', 60, 60],
  ['hour', 3600, 24],
  ['day', 86_400, 30],
] as const

/** "5 minutes ago"; after a month, the day. */
export function asAgo(moment: string, now = Date.now()) {
  const seconds = (now - Date.parse(moment)) / 1000
  if (seconds < 60) return 'just now'
  const unit = units.find(([, length, most]) => seconds < length * most)
  return unit ? formats.relative.format(-Math.floor(seconds / unit[1]), unit[0]) : asDay(moment)
}

/** "25 min", "3 h 5 min", "4 days": how long something took. */
export function asDuration(minutes: number) {
  const whole = Math.round(minutes)
  if (whole < 1) return 'less than 1 min'
  if (whole < 60) return `${whole} min`
  const [hours, rest] = [Math.floor(whole / 60), whole % 60]
  if (hours < 48) return rest ? `${hours} h ${rest} min` : `${hours} h`
  return `${Math.round(hours / 24)} days`
}
