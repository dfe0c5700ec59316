// The widgets that people define: a question about one object, drawn in different ways.
import type { Widget } from '../../contract/shared/widget.ts'
import { type Computed, type Frame, listFigure, measuredFigures, subjectOf, within } from './figures.ts'
import { daysBefore, daysOf } from './ranges.ts'

type WidgetOf<T extends Widget['type']> = Extract<Widget, { type: T }>

export async function numberWidget(frame: Frame, widget: WidgetOf<'number'>): Promise<Computed> {
  const subject = subjectOf(frame, widget)
  const { parts, range } = within(frame, subject)
  const { object } = subject
  const { total, currency } = await measuredFigures(frame, { object, parts, measures: [widget.measure] })
  if (!widget.compare || !range) return { total, currency, range }
  const days = daysBefore(subject.range!, daysOf(subject.range!, frame.schema, frame.context.now))
  const earlier = within(frame, subject, days)
  const before = await measuredFigures(frame, { object, parts: earlier.parts, measures: [widget.measure] })
  return { total, before: before.total, currency, range }
}

type Chart = WidgetOf<'bar' | 'stacked_bar' | 'line' | 'area' | 'donut'>

export function chartWidget(frame: Frame, widget: Chart): Promise<Computed> {
  const group_by = widget.type === 'stacked_bar' ? [widget.group_by, widget.split_by] : [widget.group_by]
  return grouped(frame, widget, { measures: [widget.measure], group_by, order: widget.order, top: widget.top })
}

export const tableWidget = (frame: Frame, widget: WidgetOf<'table'>): Promise<Computed> =>
  grouped(frame, widget, widget)

export const leaderboardWidget = (frame: Frame, { measure, group_by, ...widget }: WidgetOf<'leaderboard'>) =>
  grouped(frame, widget, { measures: [measure], group_by: [group_by], order: 'measure', top: widget.top })

type Grouped = { measures: string[]; group_by: string[]; order: 'key' | 'measure'; top: number }

async function grouped(frame: Frame, about: Parameters<typeof subjectOf>[1], asked: Grouped): Promise<Computed> {
  const subject = subjectOf(frame, about)
  const { parts, range } = within(frame, subject)
  const { measures, group_by, order, top } = asked
  const answer = await measuredFigures(frame, { object: subject.object, parts, measures, group_by, order, top })
  return { ...answer, range }
}

export async function listWidget(
  frame: Frame,
  { sort, fields, limit, ...widget }: WidgetOf<'list'>,
): Promise<Computed> {
  const subject = subjectOf(frame, widget)
  const { parts, range } = within(frame, subject)
  // Without fields, all of them are read; otherwise the title is always needed.
  const read = fields.length ? [...new Set(['title', ...fields])] : []
  const total = await listFigure(frame, 'list', subject.object, parts, { sort, fields: read, limit })
  return { figures: [total], range }
}
