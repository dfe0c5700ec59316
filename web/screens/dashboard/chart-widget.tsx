// The widgets that people define, as charts.
import { type ReactNode, useMemo } from 'react'
import { readGrouping, readMeasure } from '../../../contract/aggregates.ts'
import { builtInField } from '../../records/data/built-in.ts'
import { isLeads } from '../../records/data/leads.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { asCompactMoney } from '../../records/data/value-text.ts'
import { BarChart } from '../../ui/charts/bar-chart.tsx'
import { ChartFrame } from '../../ui/charts/chart-frame.tsx'
import type { Point, Series } from '../../ui/charts/data.ts'
import { DonutChart } from '../../ui/charts/donut-chart.tsx'
import { LineChart } from '../../ui/charts/line-chart.tsx'
import { NumberChart, type Trend } from '../../ui/charts/number-chart.tsx'
import { FunnelChart, Leaderboard, RowChart } from '../../ui/charts/row-chart.tsx'
import { asPercent } from '../../ui/text/numbers.ts'
import { type Figure, useHrefOf, type Widget, type WidgetAnswer } from './dashboard-api.ts'
import { axisFormat, nameOfMeasure, numberIn, textIn } from './measured.ts'
import { asPeriod, daysInWords } from './periods.ts'

export const chartTypes = ['number', 'bar', 'stacked_bar', 'line', 'area', 'donut', 'funnel', 'leaderboard'] as const
type ChartType = (typeof chartTypes)[number]
export type ChartOf = Extract<Widget, { type: ChartType }>

export const isChart = (widget: Widget): widget is ChartOf => (chartTypes as readonly string[]).includes(widget.type)

type Props = { of: ChartOf; answer: WidgetAnswer; title: string; menu?: ReactNode }

export function ChartWidget({ of: widget, answer, title, menu }: Props) {
  const objects = useSchema()
  const key = 'object' in widget ? widget.object : (answer.figures[0]?.object ?? 'deals')
  const object = objects.find((one) => one.key === key)
  const series = useSeries(widget, answer, object)
  const by = 'group_by' in widget ? nameOfGrouping(widget.group_by, object) : widget.type === 'funnel' ? 'Stage' : ''
  const isTime = 'group_by' in widget && readGrouping(widget.group_by).period !== undefined
  return (
    <ChartFrame
      title={title}
      subtitle={subtitleOf(answer, widget)}
      by={by}
      isTime={isTime}
      series={series}
      {...axisFormat(measureOf(widget), object, answer.currency)}
      height={0}
      menu={menu}
      empty={emptyText(widget, object)}
    >
      <Drawing of={widget} answer={answer} object={object} isTime={isTime} />
    </ChartFrame>
  )
}

/** What to do about it. Without a filter of their own, leads that are missing have not come yet. */
function emptyText(widget: ChartOf, object: ObjectShape | undefined) {
  const minutes = object && isLeads(object) ? builtInField(object, 'response_minutes')?.key : undefined
  if (minutes && measureOf(widget).includes(minutes))
    return 'No lead was answered in this period. Log a call or an email on a lead, and its response time appears here.'
  if (object && isLeads(object) && 'filter' in widget && !widget.filter)
    return 'No leads in this period. Create a form for your website under Company, Website leads, or add a lead by hand.'
  return 'No records for this widget. Change its filter or time range.'
}

type DrawingProps = { of: ChartOf; answer: WidgetAnswer; object: ObjectShape | undefined; isTime: boolean }

function Drawing({ of: widget, answer, object, isTime }: DrawingProps) {
  const measure = measureOf(widget)
  switch (widget.type) {
    case 'number': {
      const trend = trendOf(answer, measure)
      return trend ? <NumberChart trend={trend} /> : <NumberChart />
    }
    case 'bar':
      return isTime ? <BarChart /> : <RowChart />
    case 'stacked_bar':
      return isTime ? <BarChart isStacked /> : <RowChart isStacked />
    case 'line':
      return <LineChart />
    case 'area':
      return <LineChart isArea />
    case 'donut':
      return answer.total ? (
        <DonutChart total={{ text: shortIn(answer.total, measure, object, answer.currency), label: 'Total' }} />
      ) : (
        <DonutChart />
      )
    case 'funnel':
      return <FunnelChart />
    case 'leaderboard':
      return <Leaderboard />
  }
}

const measureOf = (widget: ChartOf) => ('measure' in widget ? widget.measure : 'count')

function useSeries(widget: ChartOf, answer: WidgetAnswer, object: ObjectShape | undefined) {
  const hrefOf = useHrefOf()
  // biome-ignore lint/correctness/useExhaustiveDependencies: addresses follow from the figures
  return useMemo((): Series[] => {
    const measure = measureOf(widget)
    const period = 'group_by' in widget ? readGrouping(widget.group_by).period : undefined
    const pointOf = (figure: Figure, key: string, label: string): Point => {
      const href = hrefOf(figure)
      const text = textIn(figure, measure, object, answer.currency)
      return { key, label, value: numberIn(figure, measure), text, ...(href && { href }) }
    }
    const label = nameOfMeasure(measure, object)
    if (widget.type === 'number')
      return answer.total ? [{ key: measure, label, points: [pointOf(answer.total, 'total', label)] }] : []
    const placeOf = (figure: Figure) => {
      const key = figure.is_other ? 'other' : String(figure.keys[0])
      return pointOf(figure, key, labelOf(figure, 0, period))
    }
    if (widget.type !== 'stacked_bar') return [{ key: measure, label, points: answer.figures.map(placeOf) }]
    const parts = Map.groupBy(answer.figures, (figure) => (figure.is_other ? 'other' : String(figure.keys[1])))
    const split = readGrouping(widget.split_by).period
    return [...parts]
      .map(([key, figures]) => ({ key, label: labelOf(figures[0]!, 1, split), points: figures.map(placeOf) }))
      .filter(({ points }) => points.some(({ value }) => value))
  }, [widget, answer, object])
}

type Period = ReturnType<typeof readGrouping>['period']

/** What a group is called. */
export function labelOf(figure: Figure, place: number, period: Period) {
  if (figure.is_other && figure.keys[place] === null) return 'Other'
  const key = figure.keys[place]
  if (key === null || key === undefined) return figure.is_other ? 'Other' : 'None'
  return period ? asPeriod(String(key), period) : (figure.labels[place] ?? String(key))
}

export function nameOfGrouping(text: string, object: ObjectShape | undefined) {
  const { path, period } = readGrouping(text)
  const label = object?.byKey.get(path)?.label ?? path
  return period ? `${label} by ${period}` : label
}

/** Shows which days the figure covers, and whether the dashboard's range applies. */
export function subtitleOf({ range }: WidgetAnswer, widget: Widget) {
  const mode = widget.type === 'funnel' && (widget.mode === 'cohort' ? 'Created in this period' : 'In this period')
  return [range ? daysInWords(range.first, range.last) : 'All time', mode].filter(Boolean).join(' · ')
}

function trendOf({ total, before }: WidgetAnswer, measure: string): Trend | undefined {
  const [now, then] = [total && numberIn(total, measure), before && numberIn(before, measure)]
  // Nothing before: there is no share by which it changed.
  if (typeof now !== 'number' || !then) return undefined
  const direction = now > then ? 'up' : now < then ? 'down' : 'same'
  return { text: asPercent(Math.abs((now - then) / then)), label: 'vs. previous period', direction }
}

/** In the middle of a ring there is little room. */
function shortIn(figure: Figure, measure: string, object: ObjectShape | undefined, currency: string | null) {
  const value = numberIn(figure, measure)
  const read = readMeasure(measure)
  const isMoney = 'field' in read && object?.byKey.get(read.field)?.type === 'money'
  return isMoney && value !== null && currency
    ? asCompactMoney(value, currency)
    : textIn(figure, measure, object, currency)
}
