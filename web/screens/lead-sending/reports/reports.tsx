import { SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { Panel, Part } from '../../../ui/basics/layout.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { Cell, Head, Row, Table } from '../../../ui/page/table.tsx'
import { asNumber, asPercent } from '../../../ui/text/numbers.ts'
import css from '../shared/lead-sending.module.css'
import { reportQuery, useMoney } from '../shared/queries.ts'

type Report = Output<typeof contract.getLeadSendingReport>
type Figures = Report['total']

const columns = [
  'Name',
  'Sent',
  'Accepted',
  'Rejected',
  'Unknown',
  'Returned',
  'Revenue',
  'Answer time',
  'Lead to delivery',
].map((column) => <Head key={column}>{column}</Head>)

export function Reports() {
  const [by, setBy] = useState<'destination' | 'source'>('destination')
  const [since, setSince] = useState('-30d')
  const report = useQuery(reportQuery(by, since))
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
          allowDeselect={false}
          value={since}
          onChange={(next) => next && setSince(next)}
        />
      </div>
      <Loaded query={report} what="the report" height={220}>
        {(shown) =>
          shown.rows.length ? (
            <div className={css.reports} data-stale={report.isPlaceholderData || undefined}>
              <Summary of={shown.total} />
              <Table label="Report" className={css.report} head={columns} stackOn="laptop">
                {shown.rows.map((row) => (
                  <ReportRow key={row.destination_id ?? row.name} name={row.name} of={row} />
                ))}
                {shown.rows.length > 1 && <ReportRow name="Total" of={shown.total} isTotal />}
              </Table>
              <Reasons of={shown.total} />
            </div>
          ) : (
            <Message icon={ChartColumn} title="No leads sent in this time">
              Once routes send leads, you see here what each destination and source brought. Choose another time to look
              further back.
            </Message>
          )
        }
      </Loaded>
    </>
  )
}

/** All of it, in a line. */
function Summary({ of: { sent, accepted, returned, revenue, median_delivery_ms } }: { of: Figures }) {
  const asMoney = useMoney()
  const facts: [string, string, string?][] = [
    ['Sent', asNumber(sent)],
    ['Accepted', asNumber(accepted), sent ? asPercent(accepted / sent) : undefined],
    ['Returned', asNumber(returned), accepted ? asPercent(returned / accepted) : undefined],
    ['Revenue', asMoney(revenue)],
    ['Lead to delivery', asTime(median_delivery_ms)],
  ]
  return (
    <Panel as="dl" className={css.summary}>
      {facts.map(([name, value, share]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {share && <span className={css.dim}> {share}</span>}
          </dd>
        </div>
      ))}
    </Panel>
  )
}

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

type RowProps = { name: string; of: Figures; isTotal?: boolean }

function ReportRow({ name, of: one, isTotal }: RowProps) {
  const asMoney = useMoney()
  return (
    <Row data-total={isTotal || undefined}>
      <Cell kind="name">
        <bdi>{name}</bdi>
      </Cell>
      <Cell kind="sent" label="Sent">
        {asNumber(one.sent)}
      </Cell>
      <Cell kind="accepted" label="Accepted">
        {asNumber(one.accepted)}
        {one.sent > 0 && <span className={css.dim}> {asPercent(one.accepted / one.sent)}</span>}
      </Cell>
      <Cell kind="rejected" label="Rejected">
        {asNumber(one.rejected + one.duplicate + one.failed)}
      </Cell>
      <Cell kind="unknown" label="Unknown">
        {asNumber(one.unknown)}
      </Cell>
      <Cell kind="returned" label="Returned">
        {asNumber(one.returned)}
      </Cell>
      <Cell kind="revenue" label="Revenue">
        {asMoney(one.revenue)}
      </Cell>
      <Cell kind="answer" label="Answer">
        {asTime(one.median_answer_ms)}
      </Cell>
      <Cell kind="delivery" label="Delivery">
        {asTime(one.median_delivery_ms)}
      </Cell>
    </Row>
  )
}

/** 340 ms, 2.1 s, 12 min */
function asTime(ms: number | null) {
  if (ms === null) return '–'
  if (ms < 1000) return `${asNumber(ms)} ms`
  return ms < 60_000 ? `${asNumber(Math.round(ms / 100) / 10)} s` : `${asNumber(Math.round(ms / 60_000))} min`
}
