// Dates and times as spreadsheets write them, in the notation of the API.
import type { CsvFormat } from '../../../contract/csv.ts'

type Order = CsvFormat['date_order']

const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/
const numeric = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?!\d)/
const dayMonth = /^(\d{1,2})\.?[ -]([a-z]{3,9})\.?,?[ -](\d{4})/i
const monthDay = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})/i
const clock = /^[ T,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap]m)?$/i
const zone = /(Z|[+-]\d{2}:?\d{2})$/
/** As vCards and Google write a birthday without a year: --0614, --06-14. */
const withoutYear = /^--\d{2}-?\d{2}$/
/** As Outlook and databases write that there is no date: 0/0/00, 0000-00-00. */
const noDate = /^0{1,4}([-/.])0{1,2}\1(?:0{1,4})(?:[ T]0{1,2}:00(?::00)?)?$/
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** YYYY-MM-DD. A time, which spreadsheets and other products add, is dropped: the day counts as it is written. */
export function readDate(cell: string, order: Order, thisYear: number): string | undefined {
  const text = cell.trim()
  const found = dayAtStart(text, order, thisYear)
  if (!found) return undefined
  return found.rest === '' || clock.test(found.rest.replace(zone, '')) ? found.day : undefined
}

/** Local time without a zone, such as 2026-06-15T14:30. */
export function readTime(cell: string, order: Order, thisYear: number): string | undefined {
  const text = cell.trim()
  if (zone.test(text) && yearFirst.test(text)) return text.replace(' ', 'T')
  const found = dayAtStart(text, order, thisYear)
  if (!found?.rest) return found?.day
  const [, hour, minute, second = '00', half] = clock.exec(found.rest) ?? []
  if (hour === undefined) return undefined
  return `${found.day}T${hoursOf(hour, half)}:${minute}:${second}`
}

const hoursOf = (hour: string, half: string | undefined) =>
  two(half ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour))

export const hasNoYear = (cell: string) => withoutYear.test(cell.trim())

export const isNoDate = (cell: string) => noDate.test(cell.trim())

/** A time of day, such as 14:30 or 2:30 PM, as 14:30:00. */
export function readClock(cell: string): string | undefined {
  const [, hour, minute, second = '00', half] = clock.exec(` ${cell.trim()}`) ?? []
  return hour === undefined ? undefined : `${hoursOf(hour, half)}:${minute}:${second}`
}

function dayAtStart(text: string, order: Order, thisYear: number) {
  const [match, year, month, day] = partsOf(text, order) ?? []
  if (match === undefined) return undefined
  const full = year!.length === 2 ? centuryOf(Number(year), thisYear) : year!
  return { day: `${full}-${two(Number(month))}-${two(Number(day))}`, rest: text.slice(match.length) }
}

type DateMatch = [match: string, year: string, month: string, day: string]

function partsOf(text: string, order: Order): DateMatch | undefined {
  const first = yearFirst.exec(text)
  if (first) return [first[0], first[1]!, first[2]!, first[3]!]
  const plain = numeric.exec(text)
  if (plain) {
    const [match, a, b, c] = plain as unknown as [string, string, string, string]
    if (order === 'ymd') return c.length === 2 ? [match, a, b, c] : [match, c, b, a]
    return order === 'mdy' ? [match, c, a, b] : [match, c, b, a]
  }
  const named = dayMonth.exec(text)
  if (named) return withMonth(named[0], named[3]!, named[2]!, named[1]!)
  const american = monthDay.exec(text)
  return american ? withMonth(american[0], american[3]!, american[1]!, american[2]!) : undefined
}

function withMonth(match: string, year: string, name: string, day: string): DateMatch | undefined {
  const month = months.indexOf(name.slice(0, 3).toLowerCase()) + 1
  return month ? [match, year, String(month), day] : undefined
}

/** Two digits mean a year from 80 years ago to 19 years ahead. */
function centuryOf(year: number, thisYear: number) {
  const century = Math.floor(thisYear / 100) * 100
  const full = century + year
  return String(full > thisYear + 19 ? full - 100 : full)
}

const two = (number: number) => String(number).padStart(2, '0')
