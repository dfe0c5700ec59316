import { SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { Part } from '../../../ui/basics/layout.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { type Total, Totals } from '../../../ui/page/facts.tsx'
import { type Column, DataTable } from '../../../ui/page/table.tsx'
import { asNumber, asPercent } from '../../../ui/text/numbers.ts'
import css from '../shared/lead-sending.module.css'
import { reportQuery, useMoney } from '../shared/queries.ts'

type Report = Output<typeof contract.getLeadSendingReport>
type Figures = Report['total']

type Line = Figures & { name: string; destination_id?: string | null; isTotal?: boolean }

type Money = ReturnType<typeof useMoney>

const columns = (asMoney: Money): Column<Line>[] => [
  { key: 'name', label: 'Name', bare: true, cell: ({ name }) => <bdi>{name}</bdi> },
  { key: 'sent', label: 'Sent', cell: ({ sent }) => asNumber(sent) },
  {
    key: 'accepted',
    label: 'Accepted',
    cell: ({ sent, accepted }) => (
      <>
        {asNumber(accepted)}
        {sent > 0 && <span className={css.dim}> {asPercent(accepted / sent)}</span>}
      </>
    ),
  },
  { key: 'rejected', label: 'Rejected', cell: (one) => asNumber(one.rejected + one.duplicate + one.failed) },
  { key: 'unknown', label: 'Unknown', cell: ({ unknown }) => asNumber(unknown) },
  { key: 'returned', label: 'Returned', cell: ({ returned }) => asNumber(returned) },
  { key: 'revenue', label: 'Revenue', cell: ({ revenue }) => asMoney(revenue) },
  { key: 'answer', label: 'Response time', cell: ({ median_answer_ms }) => asTime(median_answer_ms) },
  { key: 'delivery', label: 'Time to delivery', cell: ({ median_delivery_ms }) => asTime(median_delivery_ms) },
]

export function Reports() {
  const [by, setBy] = useState<'destination' | 'source'>('destination')
  const [since, setSince] = useState('-30d')
  const report = useQuery(reportQuery(by, since))
  const asMoney = useMoney()
  return (
    <>
      <div className={css.tools}>
        <SegmentedControl
          aria-label="By"
          data={[
            { value: 'destination', label: 'By destination' },
            { value: 'source', label: 'By source' },
          ]}
          value={by}
          onChange={(next) => setBy(next as typeof by)}
        />
        <Select
          aria-label="Time"
          data={[
            { value: 'today', label: 'Today' },
            { value: '-7d', label: 'Last 7 days' },
            { value: '-30d', label: 'Last 30 days' },
            { value: '-90d', label: 'Last 90 days' },
          ]}
          value={since}
          onChange={(next) => next && setSince(next)}
        />
      </div>
      <Loaded query={report} what="the report" height={220}>
        {(shown) =>
          shown.rows.length ? (
            <div className={css.reports} data-stale={report.isPlaceholderData || undefined}>
              <Totals of={totalsOf(shown.total, asMoney)} />
              <DataTable
                label="Report"
                className={css.report}
                stackOn="laptop"
                columns={columns(asMoney)}
                items={[
                  ...shown.rows,
                  ...(shown.rows.length > 1 ? [{ ...shown.total, name: 'Total', isTotal: true }] : []),
                ]}
                keyOf={({ destination_id, name }: Line) => destination_id ?? name}
                row={({ isTotal }: Line) => ({ 'data-total': isTotal })}
              />
              <Reasons of={shown.total} />
            </div>
          ) : (
            <Message icon={ChartColumn} title="No leads sent in this period">
              Once routes send leads, the results of each destination and source appear here. Choose a longer period.
            </Message>
          )
        }
      </Loaded>
    </>
  )
}

const totalsOf = ({ sent, accepted, returned, revenue, median_delivery_ms }: Figures, asMoney: Money): Total[] => [
  ['Sent', asNumber(sent)],
  ['Accepted', asNumber(accepted), sent ? asPercent(accepted / sent) : undefined],
  ['Returned', asNumber(returned), accepted ? asPercent(returned / accepted) : undefined],
  ['Revenue', asMoney(revenue)],
  ['Time to delivery', asTime(median_delivery_ms)],
]

/** Why leads were rejected, all destinations together. */
function Reasons({ of: { reasons } }: { of: Figures }) {
  const most = Math.max(...reasons.map(({ count }) => count))
  if (!reasons.length) return null
  return (
    <Part title="Why leads were rejected">
      <ul className={css.reasonList}>
        {reasons.map(({ reason, count }) => (
          <li key={reason}>
            <bdi>{reason}</bdi>
            <span className={css.reasonBar} aria-hidden="true">
              <span style={{ width: `${(100 * count) / most}%` }} />
            </span>
            <span>{asNumber(count)}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** 340 ms, 2.1 s, 12 min */
function asTime(ms: number | null) {
  if (ms === null) return '–'
  if (ms < 1000) return `${asNumber(ms)} ms`
  return ms < 60_000 ? `${asNumber(Math.round(ms / 100) / 10)} s` : `${asNumber(Math.round(ms / 60_000))} min`
}
