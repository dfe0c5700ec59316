import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { channelsQuery } from '../../../channels/channels.ts'
import { Filters, Part } from '../../../ui/basics/layout.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { BarChart } from '../../../ui/charts/bar-chart.tsx'
import { ChartFrame } from '../../../ui/charts/chart-frame.tsx'
import { LineChart } from '../../../ui/charts/line-chart.tsx'
import { cellsCsv } from '../../../ui/charts/to-csv.ts'
import { DateRange } from '../../../ui/form/date-range.tsx'
import { type Total, Totals } from '../../../ui/page/facts.tsx'
import { DataTable } from '../../../ui/page/table.tsx'
import { asDuration } from '../../../ui/text/moments.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import { saveFile } from '../../../ui/text/save-file.ts'
import { knownUsersQuery } from '../../../users/users.ts'
import { CompanyPage } from '../company-area.tsx'
import css from './inbox-report.module.css'
import {
  asMinutes,
  type Figures,
  figureColumns,
  lastDays,
  missedSeries,
  type Report,
  receivedSeries,
  reportQuery,
  responseSeries,
  shareOf,
} from './report.ts'

const ranges = [7, 30, 90]

export function InboxReport() {
  const [range, setRange] = useState(lastDays(30))
  const [channel_id, setChannel] = useState<string | null>(null)
  const [user_id, setUser] = useState<string | null>(null)
  const { data: channels = [] } = useQuery(channelsQuery)
  const { data: users } = useQuery(knownUsersQuery)
  const report = useQuery(reportQuery({ ...range, ...(channel_id && { channel_id }), ...(user_id && { user_id }) }))
  const days = ranges.find((count) => JSON.stringify(lastDays(count)) === JSON.stringify(range))
  return (
    <CompanyPage
      title="Inbox report"
      lead="How fast the team answers and closes conversations, in working time. A conversation counts on the day it started or reopened. First responses are credited to the person who responded, closed conversations to the person who closed them."
      wide
    >
      <Filters>
        <Select
          label="Time"
          data={[
            ...ranges.map((count) => ({ value: String(count), label: `Last ${count} days` })),
            ...(days ? [] : [{ value: '', label: 'Custom range' }]),
          ]}
          value={String(days ?? '')}
          onChange={(next) => next && setRange(lastDays(Number(next)))}
        />
        <DateRange {...range} onChange={({ from, to }) => from && to && setRange({ from, to })} />
        <Select
          label="Channel"
          placeholder="All"
          clearable
          data={channels
            .filter(({ owner_id }) => owner_id === null)
            .map(({ id, name }) => ({ value: id, label: name }))}
          value={channel_id}
          onChange={setChannel}
        />
        <Select
          label="Member"
          placeholder="All"
          clearable
          searchable
          data={[
            { value: 'none', label: 'Unassigned' },
            ...[...(users?.values() ?? [])].map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={user_id}
          onChange={setUser}
        />
      </Filters>
      <Loaded query={report} what="the report" height={420}>
        {(shown) =>
          shown.total.received + shown.total.answered + shown.total.closed ? (
            <div className={css.report} data-stale={report.isPlaceholderData || undefined}>
              <Totals of={totalsOf(shown.total)} />
              <Charts of={shown} />
              <FigureTable title="Members" by="Member" received="Assigned" rows={shown.members} />
              <FigureTable title="Channels" by="Channel" rows={shown.channels} />
            </div>
          ) : (
            <Message icon={ChartColumn} title="No conversations in this period">
              Once people write to team channels, response times appear here. Choose a longer period.
            </Message>
          )
        }
      </Loaded>
    </CompanyPage>
  )
}

const totalsOf = (of: Figures): Total[] => [
  ['Received', asNumber(of.received)],
  [
    'Answered in time',
    shareOf(of),
    of.with_target ? `of ${asNumber(of.with_target)} with a target` : 'none had a target',
  ],
  ['First response', asMinutes(of.response_median), withinOf(of.response_p90, 'none answered')],
  ['Time to close', asMinutes(of.resolution_median), withinOf(of.resolution_p90, 'none closed')],
  [
    'Targets missed',
    asNumber(of.response_missed + of.resolution_missed),
    `first response ${asNumber(of.response_missed)}, closing ${asNumber(of.resolution_missed)}`,
  ],
]

const withinOf = (p90: number | null, none: string) => (p90 === null ? none : `90% within ${asMinutes(p90)}`)

function Charts({ of: report }: { of: Report }) {
  const [received, response, missed] = useMemo(
    () => [receivedSeries(report), responseSeries(report), missedSeries(report)],
    [report],
  )
  return (
    <div className={css.charts}>
      <ChartFrame title="Conversations" subtitle="Received and answered, per day" by="Day" isTime series={received}>
        <BarChart />
      </ChartFrame>
      <ChartFrame
        title="First response"
        subtitle="Working time, per day"
        by="Day"
        isTime
        format={onAxis}
        steps={minuteSteps}
        series={response}
        empty="No conversation was answered in this period."
      >
        <LineChart />
      </ChartFrame>
      <ChartFrame title="Targets missed" subtitle="First response and closing, per day" by="Day" isTime series={missed}>
        <BarChart isStacked />
      </ChartFrame>
    </div>
  )
}

const onAxis = (minutes: number) => (minutes ? asDuration(minutes) : '0')
/** From a minute to two weeks, so that an axis shows whole hours and days. */
const minuteSteps = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, 2880, 7200, 14_400]

type Named = Figures & { name: string }

type TableProps = { title: string; by: string; received?: string; rows: Named[] }

/** `received`: the word for it. A conversation is assigned to a member, who may not be the one who answers. */
function FigureTable({ title, by, received = 'Received', rows }: TableProps) {
  const columns = figureColumns.map((column) => (column.key === 'received' ? { ...column, label: received } : column))
  const save = () => {
    const head = [by, ...columns.map(({ label }) => label)].map((text) => ({ text }))
    const lines = rows.map((row) => [
      { text: row.name },
      ...columns.map(({ key }) => ({ text: '', value: key === 'response_missed' ? missedOf(row) : row[key] })),
    ])
    saveFile(`inbox-report-${title.toLowerCase()}.csv`, new Blob([cellsCsv([head, ...lines])], { type: 'text/csv' }))
  }
  return (
    <Part
      title={title}
      action={
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Download size={14} />}
          aria-label={`Save ${title.toLowerCase()} as CSV`}
          onClick={save}
        >
          CSV
        </Button>
      }
    >
      <DataTable
        label={title}
        className={css.table}
        stackOn="laptop"
        columns={[{ key: 'name', label: by, bare: true, cell: ({ name }) => <bdi>{name}</bdi> }, ...columns]}
        items={rows}
        keyOf={({ name }) => name}
      />
    </Part>
  )
}

const missedOf = ({ response_missed, resolution_missed }: Figures) => response_missed + resolution_missed
