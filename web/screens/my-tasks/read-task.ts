// Finds when a task is due in the line that someone typed, if the line ends with it: "Call Anna tomorrow 10:00".
import { type Manner, readDay } from '../../ui/read-day.ts'
import { dayAfter, dayAt, dueInHours, dueOn, type Here, nextWeekday } from './days.ts'

export type ReadTask = { title: string; due_at: string; words: string }

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const time = String.raw`(?:at\s+)?(\d{1,2}:\d{2}\s*(?:[ap]m)?|\d{1,2}\s*[ap]m)`
const phrase = String.raw`today|tomorrow|next week|next month|(?:(?:on|next)\s+)?(?:${weekdays.join('|')})|in (?:\d{1,3}|an?) (?:hours?|days?|weeks?|months?)`
const relative = new RegExp(String.raw`(?:^|\s)(?:${time}\s+)?(${phrase})(?:\s+${time})?$`, 'i')
const timeAtEnd = new RegExp(String.raw`\s${time}$`, 'i')

/** Undefined if nothing was said, or nothing that has only one meaning. */
export function readTask(text: string, here: Here, manner: Manner): ReadTask | undefined {
  const line = text.trim()
  const read = readRelative(line, here) ?? readDate(line, here, manner)
  return read && read.title !== '' ? read : undefined
}

function readRelative(line: string, here: Here): ReadTask | undefined {
  const found = relative.exec(line)
  if (!found) return undefined
  const [words, before, said = '', after] = found
  const clock = readTime(after ?? before)
  if (clock === null || (before && after)) return undefined
  const due_at = dueFor(said.toLowerCase(), clock, here)
  if (!due_at) return undefined
  return { title: line.slice(0, found.index).trim(), due_at, words: words.trim() }
}

function dueFor(said: string, clock: number | undefined, here: Here) {
  const [, count = '', unit = ''] = /^in (\S+) (hour|day|week|month)/.exec(said) ?? []
  const number = /^an?$/.test(count) ? 1 : Number(count)
  if (unit === 'hour') return clock === undefined ? dueInHours(number, here) : undefined
  return dueOn(dayFor(said, number, unit as 'day' | 'week' | 'month' | '', here), clock, here)
}

function dayFor(said: string, number: number, unit: 'day' | 'week' | 'month' | '', here: Here) {
  if (unit) return dayAfter(number, unit, here)
  if (said === 'today') return dayAt(here.now, here.zone)
  if (said === 'tomorrow') return dayAfter(1, 'day', here)
  if (said === 'next month') return dayAfter(1, 'month', here)
  if (said === 'next week') return nextWeekday(1, here)
  return nextWeekday(weekdays.indexOf(said.split(/\s+/).at(-1)!), here)
}

/** Milliseconds since midnight; null if there is no such time. */
function readTime(text: string | undefined) {
  const [, hour, minute = '0', half] = /^(\d{1,2})(?::(\d{2}))?\s*([ap])?m?$/i.exec(text?.trim() ?? '') ?? []
  if (hour === undefined) return undefined
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  if (hours > 23 || Number(minute) > 59 || (half && Number(hour) > 12)) return null
  return (hours * 60 + Number(minute)) * 60_000
}

/** Two numbers with a dot between may be anything, such as a version. */
const isDated = (text: string) =>
  /^(?:on\s+)?(\d{4}-\d\d-\d\d|\d{1,2}\.\s?\d{1,2}\.(\d{2}|\d{4})?|\d{1,2}\/\d{1,2}(\/\d{2,4})?|(?=.*\d)(?=.*\p{L}{3}).*)$/iu.test(
    text,
  )

/** A date in the manner of the reader's language. One that has passed this year means the next. */
function readDate(line: string, here: Here, manner: Manner): ReadTask | undefined {
  const timed = timeAtEnd.exec(line)
  const clock = readTime(timed?.[1])
  if (clock === null) return undefined
  const rest = timed ? line.slice(0, timed.index) : line
  const words = rest.split(/\s+/)
  for (const count of [3, 2, 1]) {
    const text = words.slice(-count).join(' ')
    const day = words.length > count && isDated(text) ? readDay(text.replace(/^on\s+/i, ''), manner) : null
    if (!day) continue
    const isPast = day < dayAt(here.now, here.zone)
    if (isPast && text.includes(day.slice(0, 4))) return undefined
    const due = isPast ? `${Number(day.slice(0, 4)) + 1}${day.slice(4)}` : day
    const title = words.slice(0, -count).join(' ')
    return { title, due_at: dueOn(due, clock, here), words: line.slice(title.length).trim() }
  }
  return undefined
}
