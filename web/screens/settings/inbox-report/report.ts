import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InboxFigures } from '../../../../contract/inbox-report.ts'
import type { contract } from '../../../../contract/index.ts'
import type { Input, Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import type { Series } from '../../../ui/charts/data.ts'
import { asDay, asDuration, dayOf, plusDays } from '../../../ui/text/moments.ts'
import { asNumber, asPercent } from '../../../ui/text/numbers.ts'

export type Report = Output<typeof contract.getInboxReport>
export type Asked = Input<typeof contract.getInboxReport>
export type Figures = InboxFigures

export const reportQuery = (asked: Asked) =>
  queryOptions({
    queryKey: ['inbox', 'report', asked],
    queryFn: ({ signal }) => api.getInboxReport(asked, { signal }),
    placeholderData: keepPreviousData,
  })

export const lastDays = (count: number) => {
  const today = dayOf(Date.now())
  return { from: plusDays(today, 1 - count), to: today }
}

export const asMinutes = (minutes: number | null) => (minutes === null ? '–' : asDuration(minutes))
export const shareOf = ({ in_time, with_target }: Figures) => (with_target ? asPercent(in_time / with_target) : '–')

type Column = { key: keyof Figures; label: string; cell: (of: Figures) => string }

/** The columns of tables and files. */
export const figureColumns: Column[] = [
  { key: 'received', label: 'Received', cell: ({ received }) => asNumber(received) },
  { key: 'answered', label: 'Answered', cell: ({ answered }) => asNumber(answered) },
  { key: 'in_time', label: 'In time', cell: shareOf },
  { key: 'response_median', label: 'First response, median', cell: (of) => asMinutes(of.response_median) },
  { key: 'response_p90', label: 'First response, 90%', cell: (of) => asMinutes(of.response_p90) },
  { key: 'closed', label: 'Closed', cell: ({ closed }) => asNumber(closed) },
  { key: 'resolution_median', label: 'Time to close, median', cell: (of) => asMinutes(of.resolution_median) },
  { key: 'resolution_p90', label: 'Time to close, 90%', cell: (of) => asMinutes(of.resolution_p90) },
  {
    key: 'response_missed',
    label: 'Targets missed',
    cell: (of) => asNumber(of.response_missed + of.resolution_missed),
  },
]

const perDay = (
  { days }: Report,
  key: string,
  label: string,
  value: (of: Figures) => number | null,
  text: (value: number) => string,
): Series => ({
  key,
  label,
  points: days.map((one) => {
    const number = value(one)
    return { key: one.day, label: asDay(one.day), value: number, text: number === null ? 'None' : text(number) }
  }),
})

export const receivedSeries = (report: Report): Series[] => [
  perDay(report, 'received', 'Received', (of) => of.received, asNumber),
  perDay(report, 'answered', 'Answered', (of) => of.answered, asNumber),
]

export const responseSeries = (report: Report): Series[] => [
  perDay(report, 'median', 'Median', (of) => of.response_median, asDuration),
  perDay(report, 'p90', '90% within', (of) => of.response_p90, asDuration),
]

export const missedSeries = (report: Report): Series[] => [
  perDay(report, 'response', 'First response', (of) => of.response_missed, asNumber),
  perDay(report, 'resolution', 'Closing', (of) => of.resolution_missed, asNumber),
]
