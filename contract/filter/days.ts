// Days as YYYY-MM-DD and times as fixed-width UTC text, so that comparing texts compares times.

const dayPattern = /^\d{4}-\d\d-\d\d$/
const momentPattern = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:\d\d)?$/
const firstMoment = Date.parse('0000-01-01T00:00:00Z')
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z')

export function isDay(text: string) {
  const midnight = midnightOf(text)
  return dayPattern.test(text) && text > '0001' && Number.isFinite(midnight) && dayOf(midnight) === text
}

/** A day with a time of day, with or without an offset from UTC. */
export const isMomentText = (text: string) => readMoment(text) !== undefined

/** The clock time, and the offset from UTC if the text has one. */
export function readMoment(text: string) {
  const [, day, hour, minute, second = '0', fraction = '0', zone] = momentPattern.exec(text) ?? []
  if (!day || !isDay(day) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (zone !== undefined && !isOffset(zone)) return undefined
  const time = (Number(hour) * 60 + Number(minute)) * 60_000 + Number(second) * 1000 + Number(fraction.padEnd(3, '0'))
  return { clock: midnightOf(day) + time, offset: zone === undefined ? undefined : offsetOf(zone) }
}

export const midnightOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
export const dayOf = (clock: number) => momentText(clock).slice(0, 10)
export const momentText = (instant: number) =>
  new Date(Math.max(firstMoment, Math.min(lastMoment, instant))).toISOString()

export const addDays = (clock: number, days: number) => clock + days * 86_400_000

/** 31 January plus a month is the last day of February. */
export function addMonths(clock: number, months: number) {
  const moved = new Date(clock)
  const day = moved.getUTCDate()
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const lastDay = new Date(moved)
  lastDay.setUTCMonth(moved.getUTCMonth() + 1, 0)
  moved.setUTCDate(Math.min(day, lastDay.getUTCDate()))
  return moved.getTime()
}

/** No time zone is more than 14 hours from UTC. */
const isOffset = (zone: string) => zone === 'Z' || (Number(zone.slice(1, 3)) <= 14 && Number(zone.slice(4, 6)) <= 59)

function offsetOf(zone: string) {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}
