// Which tasks belong to which day, in the time zone of the reader.
import { addDays, dayOf, midnightOf } from '../../../contract/filter/days.ts'
import { clockAt, instantAt, localDay } from '../../../contract/filter/zones.ts'

export type Here = { now: number; zone: string }
type Task = { [field: string]: unknown }

const hour = 3_600_000
/** The time of a day that was entered without one; for today, the end of the working day. */
const [morning, evening] = [9 * hour, 17 * hour]

/** Agents may set a day without a time, which is stored as its start. */
export function isWholeDay(due: string, zone: string) {
  const clock = clockAt(Date.parse(due), zone)
  return clock === midnightOf(dayOf(clock))
}

/** A task for a whole day is late when the day is over. */
export const isLate = (due: string, { now, zone }: Here) =>
  isWholeDay(due, zone) ? localDay(Date.parse(due), zone) < localDay(now, zone) : Date.parse(due) < now

export function sectionsOf<T extends Task>(tasks: T[], here: Here) {
  const today = localDay(here.now, here.zone)
  const sections = { late: [] as T[], today: [] as T[], upcoming: new Map<string, T[]>(), someday: [] as T[] }
  for (const task of tasks) {
    const due = typeof task.due_at === 'string' ? task.due_at : undefined
    const day = due && localDay(Date.parse(due), here.zone)
    if (!due || !day) sections.someday.push(task)
    else if (isLate(due, here)) sections.late.push(task)
    else if (day === today) sections.today.push(task)
    else sections.upcoming.set(day, [...(sections.upcoming.get(day) ?? []), task])
  }
  return sections
}

/** A clock time of the zone as the instant that is stored. */
const instant = (clock: number, zone: string) => new Date(instantAt(clock, zone)).toISOString()

const startOfToday = ({ now, zone }: Here) => midnightOf(localDay(now, zone))

/** The end of the working day, or the next full hour after it. */
function laterToday(here: Here) {
  const clock = clockAt(here.now, here.zone)
  const today = startOfToday(here)
  const next = Math.ceil((clock + 1) / hour) * hour
  return Math.min(Math.max(today + evening, next), today + 24 * hour - 60_000)
}

/** Some days from today, at the time the task had, or at a usual one. */
export function dueIn(days: number, here: Here, before?: string | null) {
  const timed = before && !isWholeDay(before, here.zone) ? before : undefined
  const time = timed === undefined ? morning : timeOfDay(clockAt(Date.parse(timed), here.zone))
  const at = addDays(startOfToday(here), days) + time
  return instant(at > clockAt(here.now, here.zone) ? at : laterToday(here), here.zone)
}

const timeOfDay = (clock: number) => clock - midnightOf(dayOf(clock))

/** Days until the next Monday. */
export const untilMonday = (here: Here) => ((8 - new Date(startOfToday(here)).getUTCDay()) % 7 || 7) as number

export const dueInHours = (hours: number, { now }: Here) =>
  new Date(Math.ceil((now + hours * hour) / (15 * 60_000)) * 15 * 60_000).toISOString()
