// When a repeating task is due next.
import { addDays, addMonths, dayOf, midnightOf } from '../../../../contract/filter/days.ts'
import { clockAt, instantAt } from '../../../../contract/filter/zones.ts'
import { dayMs } from '../../../platform/times.ts'

type Step = { days: number } | { months: number } | 'weekday'
const steps: Record<string, Step> = {
  daily: { days: 1 },
  every_weekday: 'weekday',
  weekly: { days: 7 },
  every_two_weeks: { days: 14 },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  yearly: { months: 12 },
}

export type Times = { due_at: string | undefined; remind_at: string | undefined; repeats_from: string | undefined }
type Here = { now: Date; timeZone: string }

/**
 * The next times of a task, later than now and than its due time. Counted from the first due time: one on the 31st
 * is due on the last day of shorter months, and on the 31st again in longer ones. Undefined: it does not repeat.
 */
export function nextTimes(repeats: unknown, times: Times, { now, timeZone }: Here): Times | undefined {
  const step = steps[String(repeats)]
  if (!step) return undefined
  const clock = (time: string) => clockAt(Date.parse(time), timeZone)
  const current = clock(now.toISOString())
  const { due_at, remind_at } = times
  const base = due_at ?? remind_at
  // Without any time, it is due on a day.
  const from = base ? clock(base) : midnightOf(dayOf(current))
  const first = due_at && times.repeats_from ? clock(times.repeats_from) : from
  const next = following(step, Math.min(first, from), Math.max(from, current))
  const time = (at: number) => new Date(instantAt(at, timeZone)).toISOString()
  const isReminderOnly = !due_at && remind_at
  return {
    due_at: isReminderOnly ? undefined : time(next),
    remind_at: remind_at && time(next + clock(remind_at) - from),
    repeats_from: due_at && (times.repeats_from ?? due_at),
  }
}

function following(step: Step, first: number, after: number) {
  if (step === 'weekday') {
    let next = first + Math.max(0, Math.floor((after - first) / dayMs)) * dayMs
    while (next <= after || isWeekend(next)) next = addDays(next, 1)
    return next
  }
  if ('days' in step) return addDays(first, (Math.floor((after - first) / (step.days * dayMs)) + 1) * step.days)
  const passed = monthOf(after) - monthOf(first)
  let count = Math.max(1, Math.floor(passed / step.months))
  while (addMonths(first, count * step.months) <= after) count++
  return addMonths(first, count * step.months)
}

const isWeekend = (clock: number) => [0, 6].includes(new Date(clock).getUTCDay())
const monthOf = (clock: number) => new Date(clock).getUTCFullYear() * 12 + new Date(clock).getUTCMonth()
