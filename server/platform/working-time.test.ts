import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockAt } from '../../contract/filter/zones.ts'
import { Hours, weekdays } from '../../contract/working-hours.ts'
import { patience, runs, seed } from '../../test/random.ts'
import { addWorkingTime, isOpenAt, type Schedule, workingTimeBetween } from './working-time.ts'

const hour = 3_600_000
const at = (text: string) => new Date(text)

const office = (zone: string, holidays: string[] = []): Schedule => ({
  zone,
  hours: Hours.parse({
    days: Object.fromEntries(
      weekdays.map((day, i) => [
        day,
        i < 5
          ? [
              { from: '09:00', to: '12:00' },
              { from: '13:00', to: '17:00' },
            ]
          : [],
      ]),
    ),
    holidays: holidays.map((day) => ({ day })),
  }),
})

test('only the time during working hours counts: not breaks, nights, weekends and holidays', () => {
  const berlin = office('Europe/Berlin', ['2026-06-16'])
  // Monday, 15 June 2026, in summer time.
  expect(workingTimeBetween(berlin, at('2026-06-15T06:00:00Z'), at('2026-06-15T16:00:00Z'))).toBe(7 * hour)
  expect(workingTimeBetween(berlin, at('2026-06-15T14:00:00Z'), at('2026-06-17T08:00:00Z'))).toBe(2 * hour)
  expect(workingTimeBetween(berlin, at('2026-06-19T15:00:00Z'), at('2026-06-22T07:00:00Z'))).toBe(0)
  expect(addWorkingTime(berlin, at('2026-06-15T14:30:00Z'), hour)).toEqual(at('2026-06-17T07:30:00Z'))
  expect(addWorkingTime(berlin, at('2026-06-15T09:30:00Z'), hour)).toEqual(at('2026-06-15T11:30:00Z'))
  expect(isOpenAt(berlin, at('2026-06-15T10:30:00Z'))).toBe(false)
  expect(isOpenAt(berlin, at('2026-06-15T11:00:00Z'))).toBe(true)
  expect(isOpenAt(berlin, at('2026-06-16T11:00:00Z'))).toBe(false)
})

test('a day on which clocks change has as many hours as clocks show', () => {
  const always = (zone: string): Schedule => ({
    zone,
    hours: Hours.parse({ days: Object.fromEntries(weekdays.map((day) => [day, [{ from: '00:00', to: '24:00' }]])) }),
  })
  const day = (zone: string, from: string, to: string) => workingTimeBetween(always(zone), at(from), at(to)) / hour
  expect(day('Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z')).toBe(23)
  expect(day('Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')).toBe(25)
  // The office opens at nine by the clock before and after the change.
  expect(addWorkingTime(office('America/New_York'), at('2026-03-06T22:30:00Z'), 0.5 * hour)).toEqual(
    at('2026-03-09T13:30:00Z'),
  )
})

test('hours that never open have no working time', () => {
  const never: Schedule = { zone: 'UTC', hours: { ...office('UTC').hours!, days: noDays() } }
  expect(addWorkingTime(never, at('2026-06-15T09:00:00Z'), 1)).toBe(null)
  expect(isOpenAt(never, at('2026-06-15T09:00:00Z'))).toBe(false)
})

const noDays = () => Object.fromEntries(weekdays.map((day) => [day, []])) as unknown as Hours['days']

const minutes = fc.integer({ min: 0, max: 24 * 60 })
const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
const day = fc.uniqueArray(minutes, { minLength: 0, maxLength: 6 }).map((times) => {
  const sorted = times.toSorted((a, b) => a - b)
  return Array.from({ length: Math.floor(sorted.length / 2) }, (_, i) => ({
    from: clock(sorted[2 * i]!),
    to: clock(sorted[2 * i + 1]!),
  }))
})
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Havana']
const schedule = fc
  .record({
    zone: fc.constantFrom(...zones),
    days: fc.tuple(day, day, day, day, day, day, day),
    holidays: fc.array(fc.integer({ min: 0, max: 365 }), { maxLength: 10 }),
  })
  .filter(({ days }) => days.some((one) => one.length))
  .map(
    ({ zone, days, holidays }): Schedule => ({
      zone,
      hours: Hours.parse({
        days: Object.fromEntries(weekdays.map((name, i) => [name, days[i]])),
        holidays: holidays.map((n) => ({
          day: new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10),
        })),
      }),
    }),
  )
const instant = fc.integer({ min: 0, max: 366 * 24 * 60 }).map((n) => new Date(Date.UTC(2026, 0, 1) + n * 60_000))

test(
  'working time adds up, whatever the hours, zone and times',
  () => {
    fc.assert(
      fc.property(schedule, fc.tuple(instant, instant, instant), (plan, times) => {
        const [a, b, c] = times.toSorted((x, y) => +x - +y) as [Date, Date, Date]
        const sum = workingTimeBetween(plan, a, b) + workingTimeBetween(plan, b, c)
        expect(workingTimeBetween(plan, a, c)).toBe(sum)
        expect(sum).toBeLessThanOrEqual(+c - +a)
      }),
      { seed, numRuns: runs(150) },
    )
  },
  patience,
)

test(
  'what is added is what has passed, and ends in working hours',
  () => {
    fc.assert(
      fc.property(schedule, instant, fc.integer({ min: 1, max: 5000 }), (plan, from, count) => {
        const due = addWorkingTime(plan, from, count * 60_000)!
        expect(workingTimeBetween(plan, from, due)).toBe(count * 60_000)
        expect(workingTimeBetween(plan, from, new Date(+due - 1))).toBe(count * 60_000 - 1)
      }),
      { seed, numRuns: runs(150) },
    )
  },
  patience,
)

test(
  'it is open exactly when clocks in the zone say so, on days without a change of clocks',
  () => {
    fc.assert(
      fc.property(schedule, instant, (plan, time) => {
        const shown = (shift: number) => clockAt(+time + shift, plan.zone) - (+time + shift)
        fc.pre(shown(-36 * hour) === shown(0) && shown(36 * hour) === shown(0))
        const local = new Date(clockAt(+time, plan.zone))
        const text = local.toISOString()
        const openings = plan.hours!.days[weekdays[(local.getUTCDay() + 6) % 7]!]
        const isHoliday = plan.hours!.holidays.some((one) => one.day === text.slice(0, 10))
        const isOpen =
          !isHoliday && openings.some(({ from, to }) => from <= text.slice(11, 16) && text.slice(11, 16) < to)
        expect(isOpenAt(plan, time)).toBe(isOpen)
      }),
      { seed, numRuns: runs(900) },
    )
  },
  patience,
)
