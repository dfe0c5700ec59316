import { asNearMoment, atHour, dayOf, hourOf, plusDays } from '../../../ui/text/moments.ts'

const morning = 9

/** Moments that are usual, in the reader's zone. */
export function laterChoices(now = Date.now()) {
  const today = dayOf(now)
  const evening = atHour(today, 18)
  const weekday = new Date(today).getUTCDay()
  const monday = plusDays(today, (8 - weekday) % 7 || 7)
  const inHours = new Date(now + 3 * 3_600_000).toISOString()
  return [
    hourOf(now) < 15 ? { label: 'Later today', at: evening } : { label: 'In three hours', at: inHours },
    { label: 'Tomorrow', at: atHour(plusDays(today, 1), morning) },
    { label: 'Next week', at: atHour(monday, morning) },
    { label: 'In a month', at: atHour(plusDays(today, 30), morning) },
  ].map((choice) => ({ ...choice, detail: asNearMoment(choice.at, now) }))
}
