// A second evaluator, to hold the first against. It is slow and plain on purpose: it reads the tree and the values as
// entered, looks at clocks through Intl alone, and finds ranges by asking the calendar of each single day.
import type { Filter, FilterField, Range, Situation, Value } from '../../contract/filter/index.ts'
import { valuesOf } from '../../contract/filter/tree.ts'

export type Entered = Record<string, unknown>
type Compared = -1 | 0 | 1

export function holds(filter: Filter, record: Entered, fields: FilterField[], here: Situation): boolean {
  if ('and' in filter) return !filter.and.some((part) => !holds(part, record, fields, here))
  if ('or' in filter) return filter.or.some((part) => holds(part, record, fields, here))
  if ('not' in filter) return !holds(filter.not, record, fields, here)
  if ('quiet_for' in filter) {
    const since = moved(`-${filter.quiet_for}`, here)
    return new Date(String(record.last_activity_at ?? record.created_at)) < since
  }
  if (!('field' in filter)) throw new Error('not about own fields')
  const field = fields.find(({ key }) => key === filter.field)!
  const stored = record[filter.field]
  const entered = (Array.isArray(stored) ? stored : [stored]).filter(
    (one) => one !== undefined && one !== null && one !== '',
  )
  const operands = valuesOf(filter)
  const text = (value: unknown) => normal(field, String(value))
  const part = plain(field, operands[0])
  const whole = (value: unknown) => (field.type === 'country' ? countryTexts(String(value)) : [text(value)])
  const someText = (fits: (one: string) => boolean) => entered.some((one) => whole(one).some(fits))
  const compare = (one: unknown, operand: Value) => compared(field, one, operand, here)
  const some = (fits: (one: unknown) => boolean) => entered.some(fits)
  switch (filter.op) {
    case 'is_empty':
      return entered.length === 0
    case 'is_not_empty':
      return entered.length !== 0
    case 'eq':
      return some((one) => compare(one, operands[0]!) === 0)
    case 'ne':
      return !some((one) => compare(one, operands[0]!) === 0)
    case 'in':
    case 'has_any':
      return some((one) => operands.some((operand) => compare(one, operand) === 0))
    case 'not_in':
    case 'has_none':
      return !some((one) => operands.some((operand) => compare(one, operand) === 0))
    case 'has_all':
      return operands.every((operand) => some((one) => compare(one, operand) === 0))
    case 'contains':
      return someText((one) => one.split(part).length > 1)
    case 'not_contains':
      return !someText((one) => one.split(part).length > 1)
    case 'starts_with':
      return someText((one) => one.indexOf(part) === 0)
    case 'ends_with':
      return someText((one) => one.slice(-part.length) === part)
    case 'lt':
      return some((one) => compare(one, operands[0]!) === -1)
    case 'lte':
      return some((one) => [-1, 0].includes(compare(one, operands[0]!) ?? 9))
    case 'gt':
      return some((one) => compare(one, operands[0]!) === 1)
    case 'gte':
      return some((one) => [0, 1].includes(compare(one, operands[0]!) ?? 9))
    case 'between':
      return some(
        (one) => [0, 1].includes(compare(one, operands[0]!) ?? 9) && [-1, 0].includes(compare(one, operands[1]!) ?? 9),
      )
  }
}

/** Whether a stored value lies before, within or after what the operand stands for; undefined if they do not compare. */
function compared(field: FilterField, one: unknown, operand: Value, here: Situation): Compared | undefined {
  if (field.type === 'money') {
    const { amount, currency } = one as { amount: string; currency: string }
    if (currency === 'XXX') return undefined
    // One dollar is two euros here: no rounding to worry about.
    return sign(Number(amount) * (currency === 'USD' ? 2 : 1) - (operand as number))
  }
  if (field.type === 'number') return sign((one as number) - (operand as number))
  if (field.type === 'date' || field.type === 'datetime') return comparedTimes(field, String(one), operand, here)
  if (field.type === 'user' && typeof operand === 'object') return one === here.me ? 0 : 1
  if (['text', 'long_text', 'url', 'email', 'phone', 'country'].includes(field.type))
    return normal(field, String(one)) === normal(field, String(operand)) ? 0 : 1
  return one === operand ? 0 : 1
}

const sign = (difference: number) => Math.sign(difference) as Compared
const order = (a: string, b: string): Compared => (a < b ? -1 : a > b ? 1 : 0)

function comparedTimes(field: FilterField, one: string, operand: Value, here: Situation): Compared {
  const localDay = (date: Date) => clock(date, here.timeZone).slice(0, 10)
  const day = field.type === 'date' ? one : localDay(new Date(one))
  if (typeof operand === 'object' && 'range' in operand) {
    const all = daysIn(operand.range, localDay(here.now), here)
    return all.includes(day) ? 0 : order(day, all[0]!)
  }
  if (typeof operand === 'string' && operand.length === 10) return order(day, operand)
  const moment =
    typeof operand === 'string' ? new Date(operand) : moved((operand as { relative: string }).relative, here)
  if (field.type === 'date') return order(day, localDay(moment))
  return sign(new Date(one).getTime() - moment.getTime())
}

/** Tries each offset around the wanted clock time until one shows it. Long ago, offsets had seconds. */
function moved(relative: string, { now, timeZone }: Situation) {
  if (relative === 'now') return now
  const amount = Number.parseInt(relative, 10)
  const unit = relative.replace(/[^a-z]/g, '')
  if (unit === 'min' || unit === 'h') return new Date(now.getTime() + amount * (unit === 'h' ? 60 : 1) * 60_000)
  const [day, time] = clock(now, timeZone).split(' ') as [string, string]
  const wanted = `${movedDay(day, amount, unit)} ${time}`
  const around = asUtc(wanted) + (now.getTime() % 1000)
  // Skipped by the clocks: an hour later they show the same minutes again.
  const found = showing(around, timeZone) ?? showing(around + 3_600_000, timeZone)
  if (!found) throw new Error(`no ${wanted} in ${timeZone}`)
  return found
}

const asUtc = (time: string) => Date.parse(`${time.replace(' ', 'T')}.000Z`)

/** The first time at which the clocks of the zone show this clock time, which is given as if it were UTC. */
function showing(wanted: number, timeZone: string) {
  const text = clock(new Date(wanted), 'UTC')
  for (let minutes = -15 * 60; minutes <= 15 * 60; minutes += 15) {
    const near = wanted + minutes * 60_000
    const candidate = new Date(near + asUtc(text) - asUtc(clock(new Date(near), timeZone)))
    if (clock(candidate, timeZone) === text) return candidate
  }
  return undefined
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clock(date: Date, timeZone: string) {
  const shown =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(timeZone, shown)
  return shown.format(date)
}

function movedDay(day: string, amount: number, unit: string) {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  if (unit === 'd' || unit === 'w')
    return new Date(Date.UTC(year, month - 1, date + amount * (unit === 'w' ? 7 : 1))).toISOString().slice(0, 10)
  const months = amount * (unit === 'mo' ? 1 : unit === 'q' ? 3 : 12)
  for (let d = date; ; d--) {
    const candidate = new Date(Date.UTC(year, month - 1 + months, d))
    if (candidate.getUTCDate() === d) return candidate.toISOString().slice(0, 10)
  }
}

const known = new Map<string, string[]>()

/** All days of a range: each day of some years is asked whether it belongs. */
function daysIn(range: Range, today: string, { firstWeekday }: Situation) {
  const key = `${range} ${today} ${firstWeekday}`
  if (known.has(key)) return known.get(key)!
  const midnight = Date.parse(`${today}T00:00:00Z`)
  const days: string[] = []
  for (let distance = -800; distance <= 800; distance++) {
    const date = new Date(midnight + distance * 86_400_000)
    if (belongs(range, date, new Date(midnight), distance, firstWeekday)) days.push(date.toISOString().slice(0, 10))
  }
  known.set(key, days)
  return days
}

function belongs(range: Range, date: Date, today: Date, distance: number, firstWeekday: string) {
  const rolling = /^(last|next)_(\d+)_days$/.exec(range)
  if (rolling)
    return rolling[1] === 'last'
      ? distance <= 0 && distance > -Number(rolling[2])
      : distance >= 0 && distance < Number(rolling[2])
  const near = { yesterday: -1, today: 0, tomorrow: 1 }[range as string]
  if (near !== undefined) return distance === near
  const number = (d: Date) => {
    const months = d.getUTCFullYear() * 12 + d.getUTCMonth()
    // 4 January 1970 was a Sunday, the 5th a Monday, the 3rd a Saturday.
    const weekStart = { sunday: 3, monday: 4, saturday: 2 }[firstWeekday]!
    if (range.endsWith('week')) return Math.floor((d.getTime() / 86_400_000 - weekStart) / 7)
    if (range.endsWith('month')) return months
    return range.endsWith('quarter') ? Math.floor(months / 3) : Math.floor(months / 12)
  }
  return number(date) - number(today) === { last: -1, this: 0, next: 1 }[range.split('_')[0] as 'last']
}

const plainLetters: Record<string, string> = { ä: 'a', Ä: 'a', ß: 'ss', A: 'a', B: 'b' }

const codes: Record<string, string> = { germany: 'de', deutschland: 'de', usa: 'us', france: 'fr' }
const english: Record<string, string> = { de: 'germany', us: 'united states', fr: 'france' }

/** What a country is found by: its code and its English name, or the text that is none. */
export function countryTexts(text: string) {
  const code = codes[text.toLowerCase()] ?? text.toLowerCase()
  return code in english ? [code, english[code]!] : [code]
}

const plain = (field: FilterField, operand: unknown) =>
  field.type === 'country' ? String(operand).toLowerCase() : normal(field, String(operand))

function normal(field: FilterField, text: string) {
  if (field.type === 'country') return countryTexts(text)[0]!
  if (field.type === 'phone') return [...text].filter((c) => '+0123456789'.includes(c)).join('')
  if (field.type === 'email') return text.toLowerCase()
  return [...text].map((c) => plainLetters[c] ?? c).join('')
}
