// Reports as tables: what became of leads that were sent on, and how the inbox is doing.

import { Select } from '@mantine/core'
import { Inbox, type LucideIcon, Send } from 'lucide-react'
import { asRoundMoney } from '../../records/data/value-text.ts'
import { Message } from '../../ui/basics/states.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import { subtitleOf } from './chart-widget.tsx'
import type { Figure, Widget, WidgetAnswer } from './dashboard-api.ts'
import { type Draft, widgetOf } from './draft.ts'
import { RangeSelect } from './scope-select.tsx'
import { WidgetCard } from './widget-card.tsx'
import css from './widgets.module.css'

type Column = { label: string; text: (values: Figure['values'], currency: string) => string }

const sum = (...counts: unknown[]) => counts.reduce<number>((all, one) => all + Number(one ?? 0), 0)
function asSpan(ms: number) {
  if (ms < 1000) return `${asNumber(ms)} ms`
  const [unit, length] = ms < 60_000 ? ['s', 1000] : ms < 3_600_000 ? ['min', 60_000] : ['h', 3_600_000]
  return `${asNumber(Math.round((ms / Number(length)) * 10) / 10)} ${unit}`
}
const count = (label: string, key: string): Column => ({ label, text: (values) => asNumber(Number(values[key] ?? 0)) })
const time = (label: string, key: string): Column => ({
  label,
  text: (values) => {
    const ms = values[key]
    return typeof ms === 'number' ? asSpan(ms) : '–'
  },
})

const reported: Column[] = [
  count('Sent', 'count'),
  count('Accepted', 'accepted'),
  {
    label: 'Rejected',
    text: ({ rejected, duplicate, failed }) => asNumber(sum(rejected, duplicate, failed)),
  },
  count('Returned', 'returned'),
  { label: 'Revenue', text: (values, currency) => asRoundMoney(Number(values.revenue ?? 0), currency) },
  time('Response time', 'median_answer_ms'),
  time('Delivery', 'median_delivery_ms'),
]
const written: Column[] = [
  count('Open now', 'open'),
  count('Received', 'count'),
  count('Sent', 'sent'),
  time('First response', 'median_response_ms'),
]
type Of = Extract<Widget, { type: 'lead_sending' | 'inbox' }>
type Report = { groups: Record<string, string>; columns: Column[]; icon: LucideIcon; none: string }

const reports: Record<Of['type'], Report> = {
  lead_sending: {
    groups: { destination: 'Destination', source: 'Source', reason: 'Reason' },
    columns: reported,
    icon: Send,
    none: 'No leads were sent in this period.',
  },
  inbox: {
    groups: { channel: 'Channel', assignee: 'Assigned to' },
    columns: written,
    icon: Inbox,
    none: 'No messages in this period.',
  },
}

export function ReportWidget({ of: widget, answer, title }: { of: Of; answer: WidgetAnswer; title: string }) {
  const report = reports[widget.type]
  const columns = widget.by === 'reason' ? [count('Leads', 'count')] : report.columns
  const group = report.groups[widget.by] ?? ''
  const currency = answer.currency ?? 'EUR'
  const { figures } = answer
  const total = widget.by === 'reason' ? null : answer.total
  const textsOf = ({ values }: Figure) => columns.map(({ label, text }) => ({ label, text: text(values, currency) }))
  const saved = [
    [group, ...columns.map(({ label }) => label)].map((text) => ({ text })),
    ...figures.map((figure) => [{ text: figure.labels[0] ?? '' }, ...textsOf(figure)]),
  ]
  return (
    <WidgetCard title={title} subtitle={subtitleOf(answer, widget)} cells={figures.length ? saved : undefined}>
      {figures.length ? (
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col" data-text>
                {group}
              </th>
              {columns.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figures.map((figure) => (
              <tr key={figure.key}>
                <th scope="row" data-text>
                  <bdi>{figure.labels[0]}</bdi>
                </th>
                {textsOf(figure).map(({ label, text }) => (
                  <td key={label}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
          {total && (
            <tfoot>
              <tr>
                <th scope="row">Total</th>
                {textsOf(total).map(({ label, text }) => (
                  <td key={label}>{text}</td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      ) : (
        <Message size="small" icon={report.icon}>
          {report.none}
        </Message>
      )}
    </WidgetCard>
  )
}

export const isReport = (type: Widget['type']): type is Of['type'] => Object.hasOwn(reports, type)

type FieldsProps = { type: Of['type']; draft: Draft; change: (patch: Partial<Draft>) => void }

export const ReportFields = ({ type, draft, change }: FieldsProps) => (
  <>
    <Select
      label="Group by"
      data={Object.entries(reports[type].groups).map(([value, label]) => ({ value, label }))}
      value={(widgetOf(draft) as Of).by}
      onChange={(by) => by && change({ by })}
    />
    <RangeSelect
      label="Range"
      none="Same as dashboard"
      value={draft.range || null}
      onChange={(range) => change({ range: range ?? '' })}
    />
  </>
)
