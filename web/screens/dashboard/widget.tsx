import type { ReactNode } from 'react'
import { builtIns, isBuiltIn } from './built-in-widgets.tsx'
import { ChartWidget, isChart } from './chart-widget.tsx'
import type { Widget as Defined, WidgetAnswer } from './dashboard-api.ts'
import { ListWidget, TableWidget, TextWidget } from './list-widgets.tsx'
import { ReportWidget } from './report-widgets.tsx'
import { WidgetFailed, WidgetSkeleton } from './widget-card.tsx'

type Props = { of: Defined; answer: WidgetAnswer | undefined; isLoading: boolean }

/** One widget, whatever its type: while it loads, with its own error, or with what was computed. */
export function Widget({ of: widget, answer, isLoading }: Props): ReactNode {
  const title = titleOf(widget)
  if (!answer) return isLoading ? <WidgetSkeleton title={title} /> : null
  if (answer.error !== null) return <WidgetFailed title={title} words={answer.error} />
  if (isChart(widget)) return <ChartWidget of={widget} answer={answer} title={title} />
  if (widget.type === 'table') return <TableWidget of={widget} answer={answer} title={title} />
  if (widget.type === 'list') return <ListWidget of={widget} answer={answer} title={title} />
  if (widget.type === 'lead_sending' || widget.type === 'inbox')
    return <ReportWidget of={widget} answer={answer} title={title} />
  if (widget.type === 'text') return <TextWidget of={widget} answer={answer} title={title} />
  const { draw: Draw } = builtIns[widget.type]
  return <Draw title={title} of={answer} />
}

export const typeNames: Record<Exclude<Defined['type'], keyof typeof builtIns>, string> = {
  number: 'Number',
  bar: 'Bars',
  stacked_bar: 'Stacked bars',
  line: 'Line',
  area: 'Area',
  donut: 'Donut',
  funnel: 'Funnel',
  table: 'Table',
  leaderboard: 'Leaderboard',
  list: 'List of records',
  lead_sending: 'Leads sent',
  inbox: 'Inbox',
  text: 'Text',
}

export const titleOf = ({ title, type }: Pick<Defined, 'title' | 'type'>) =>
  title || (isBuiltIn(type) ? builtIns[type].title : typeNames[type])
