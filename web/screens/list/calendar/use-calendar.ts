// Which days a calendar shows, and the records of each.
import { useEffect, useMemo } from 'react'
import { type Filter, print } from '../../../../contract/filter/index.ts'
import { dateFormat } from '../../../../contract/shared/date-format.ts'
import type { Question, RecordShape } from '../../../records/data/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { useUpdateRecord } from '../../../records/data/update-record.ts'
import { askedFields, type Span } from '../../../records/lists/list-search.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { useRows } from '../../../records/lists/use-rows.ts'
import { dayOf, firstWeekday, momentsOf, onDay, plusDays, timeLanguage } from '../../../ui/text/moments.ts'

export type Days = { from: string; to: string; days: string[] }
const agendaDays = 30

/** The whole weeks around a month, one week, or the days from this one on. */
export function daysOf(day: string, span: Span): Days {
  if (span === 'agenda') return between(day, plusDays(day, agendaDays - 1))
  if (span === 'week') return between(weekStart(day), plusDays(weekStart(day), 6))
  const first = `${day.slice(0, 7)}-01`
  const last = plusDays(nextMonth(day, 1), -1)
  return between(weekStart(first), plusDays(weekStart(last), 6))
}

function between(from: string, to: string): Days {
  const days = [from]
  while (days.at(-1)! < to) days.push(plusDays(days.at(-1)!, 1))
  return { from, to, days }
}

const weekStart = (day: string) => plusDays(day, -((new Date(day).getUTCDay() - firstWeekday() + 7) % 7))

/** The first day of a month before or after. */
function nextMonth(day: string, step: number) {
  const date = new Date(`${day.slice(0, 7)}-01`)
  date.setUTCMonth(date.getUTCMonth() + step)
  return date.toISOString().slice(0, 10)
}

export function stepped(day: string, span: Span, step: number) {
  if (span === 'month') return nextMonth(day, step)
  return plusDays(day, step * (span === 'week' ? 7 : agendaDays))
}

/** "November 2026", or the days from one to another. */
export function titleOf(day: string, span: Span) {
  const language = timeLanguage()
  const at = (text: string) => new Date(text)
  if (span === 'month') return dateFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at(day))
  const { from, to } = daysOf(day, span)
  return dateFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).formatRange(at(from), at(to))
}

export const dayName = (day: string, options: Intl.DateTimeFormatOptions) =>
  dateFormat(timeLanguage(), { ...options, timeZone: 'UTC' }).format(new Date(day))

/** More do not fit on a screen; the list has them all. */
const mostRecords = 500

export function useCalendar(object: ObjectShape, field: FieldShape, state: ListState, { from, to }: Days) {
  const { asked, columns } = state
  const question: Question = useMemo(() => {
    const here = print(conditionOf(field, from, to))
    const fields = askedFields(columns.filter(({ key }) => object.byKey.has(key)))
    return {
      object: object.key,
      filter: asked ? `(${asked}) and ${here}` : here,
      sort: [field.key],
      ...(fields && { fields }),
    }
  }, [object, field, asked, columns, from, to])
  const rows = useRows(question)
  useEffect(() => {
    const { length } = rows.rows
    if (!rows.isWhole && length && length < mostRecords) rows.seen(0, length - 1)
  })
  const byDay = useMemo(() => {
    const found = new Map<string, RecordShape[]>()
    for (const record of rows.rows) {
      const day = dayIn(field, record)
      if (day) found.set(day, [...(found.get(day) ?? []), record])
    }
    return found
  }, [rows.rows, field])
  return { rows, byDay, isCut: !rows.isWhole && rows.rows.length >= mostRecords, filter: question.filter! }
}

function conditionOf(field: FieldShape, from: string, to: string): Filter {
  const { since, until } = momentsOf({ from, to })
  return field.type === 'date'
    ? { field: field.key, op: 'between', value: [from, to] }
    : {
        and: [
          { field: field.key, op: 'gte', value: since! },
          { field: field.key, op: 'lt', value: until! },
        ],
      }
}

export function dayIn(field: FieldShape, record: RecordShape) {
  const value = record[field.key]
  if (typeof value !== 'string') return undefined
  return field.type === 'date' ? value.slice(0, 10) : dayOf(Date.parse(value))
}

/** Moves a record to another day; one with a time keeps it. */
export function useMoveToDay(object: ObjectShape, field: FieldShape) {
  const { mutate } = useUpdateRecord(object.key, {
    said: ({ values }) => `Moved to ${dayName(String(values[field.key]).slice(0, 10), { dateStyle: 'medium' })}.`,
    isAnnounced: true,
  })
  return (record: RecordShape, day: string) => {
    const value = String(record[field.key])
    if (dayIn(field, record) === day) return
    mutate({ id: record.id, values: { [field.key]: field.type === 'date' ? day : onDay(value, day) } })
  }
}
