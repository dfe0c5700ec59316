import { asPercent } from '../text/numbers.ts'
import { measureAxis } from './axes.tsx'
import { paintOfBar } from './bar-chart.tsx'
import { measureIn, type Size, useChart, widestOf } from './chart.ts'
import css from './charts.module.css'
import { isolated, type Point } from './data.ts'
import { Bar, Hit, Label, Mark } from './marks.tsx'
import { Plot } from './plot.tsx'
import { bandScale, fitText, valueScale } from './scales.ts'
import { stepsOf } from './shares.ts'
import { plainSpans, stackSpans } from './stacks.ts'

const rowHeight = 32
const measureValue = measureIn('value')

/** Names take as much as they need, up to a third. */
const nameWidth = (names: string[], width: number) =>
  Math.min(widestOf(names, measureAxis), Math.floor(width * 0.34)) + 12

type RowProps = { isStacked?: boolean; isRanked?: boolean }

/** Bars from left to right, one row for each category. Their values stand beside them. */
export function RowChart({ isStacked = false, isRanked = false }: RowProps) {
  const { series, categories } = useChart()
  const lanes = isStacked ? 1 : series.length
  const row = Math.max(rowHeight, lanes * 16 + 8)
  return (
    <Plot
      kind={isRanked ? 'leaderboard' : isStacked ? 'stacked bar chart' : 'bar chart'}
      isVertical
      hasLegend
      leastHeight={() => categories.length * row}
    >
      {(size) => <Rows size={size} row={row} isStacked={isStacked} isRanked={isRanked} />}
    </Plot>
  )
}

/** Who is first: rows with their ranks. The order is that of the data. */
export const Leaderboard = () => <RowChart isRanked />

function Rows({ size: { width }, row, isStacked, isRanked }: Required<RowProps> & { size: Size; row: number }) {
  const { series, categories } = useChart()
  const height = categories.length * row
  const spans = isStacked ? stackSpans(categories) : plainSpans(categories)
  const values = spans.flatMap((one) => one.flatMap(({ from, to }) => [from, to]))
  const hasTexts = !isStacked || series.length === 1
  const texts = hasTexts ? categories.flatMap(({ points }) => points.map((point) => point?.text ?? '')) : []
  const rank = isRanked ? widestOf([String(categories.length)], measureAxis) + 12 : 0
  const name = nameWidth(
    categories.map(({ label }) => label),
    width - rank,
  )
  const left = rank + name
  const beside = hasTexts ? widestOf(texts, measureValue) + 8 : 0
  const isTwoSided = values.some((value) => value < 0)
  const range: [number, number] = [left + (isTwoSided ? beside : 0), Math.max(left + 8, width - beside)]
  // Without an axis, the longest bar takes all the room.
  const { scale } = valueScale(values, range)
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  scale.domain(low === high ? [0, 1] : [low, high])
  const band = bandScale(
    categories.map(({ key }) => key),
    [0, height],
    0.44,
  )
  const lanes = isStacked ? 1 : series.length
  const lane = Math.min(16, band.bandwidth() / lanes)
  return (
    <>
      {isTwoSided && <line x1={scale(0)} x2={scale(0)} y1={0} y2={height} className={css.zero} />}
      {categories.map(({ key, label }, category) => {
        const middle = band(key)! + band.bandwidth() / 2
        const isEmpty = categories[category]!.points.every((point) => !point || point.value === null)
        return (
          <g key={key}>
            {series.map((one, index) => {
              const { from, to } = spans[category]![index]!
              const paint = paintOfBar(series, index, category)
              const [start, end] = [scale(Math.min(from, to)), scale(Math.max(from, to))]
              const y = middle - (lane * lanes) / 2 + (isStacked ? 0 : lane * index)
              const isBack = to < 0
              return (
                <Mark key={one.key} place={[category, index]} x={isBack ? start : end} y={y} paint={paint}>
                  {!isStacked && (
                    <Hit
                      x={0}
                      width={width}
                      y={lanes === 1 ? middle - row / 2 : y}
                      height={lanes === 1 ? row : lane}
                      data-row={lanes === 1 ? true : undefined}
                      className={lanes === 1 ? css.rowHit : undefined}
                    />
                  )}
                  {from !== to && (
                    <Bar
                      x={start}
                      width={Math.max(1.5, end - start - (isStacked ? 1 : 0))}
                      y={y + (lanes > 1 ? 1 : 0)}
                      height={lane - (lanes > 1 ? 2 : 0)}
                      paint={paint}
                      radius={isStacked ? 1 : 3}
                    />
                  )}
                  {hasTexts && (
                    <Label
                      x={isBack ? start - 8 : end + 8}
                      y={y + lane / 2}
                      textAnchor={isBack ? 'end' : 'start'}
                      look="value"
                    >
                      {isolated(categories[category]!.points[index]?.text ?? '')}
                    </Label>
                  )}
                </Mark>
              )
            })}
            {isRanked && (
              <Label x={rank - 12} y={middle} textAnchor="end" look="dim">
                {category + 1}
              </Label>
            )}
            <Label x={rank} y={middle} full={label} look="name">
              {isolated(fitText(label, name - 12, measureAxis))}
            </Label>
            {isEmpty && (
              <Label x={scale(0) + 8} y={middle} look="dim">
                –
              </Label>
            )}
          </g>
        )
      })}
    </>
  )
}

const stepHeight = 44

/** Steps from the first to the last; between them, which part came further. */
export function FunnelChart() {
  const { categories } = useChart()
  return (
    <Plot kind="funnel" isVertical leastHeight={() => categories.length * stepHeight}>
      {(size) => <Steps width={size.width} />}
    </Plot>
  )
}

function Steps({ width }: { width: number }) {
  const { series, categories } = useChart()
  const points = categories.map(({ points }) => points[0]).filter((point): point is Point => point !== undefined)
  const steps = stepsOf(points)
  const name = nameWidth(
    points.map(({ label }) => label),
    width,
  )
  const value = widestOf(
    points.map(({ text }) => text),
    measureValue,
  )
  const rate = widestOf(
    steps.map((step) => (step.rate === null ? '' : asPercent(step.rate))),
    measureAxis,
  )
  const right = width - value - rate - 28
  const lengthOf = (index: number) => Math.max(2, (right - name) * (steps[index]?.length ?? 0))
  const thick = 26
  return points.map((point, index) => {
    const top = index * stepHeight + (stepHeight - thick) / 2
    const middle = top + thick / 2
    const paint = paintOfBar(series, 0, index)
    const share = steps[index]!.rate
    return (
      <g key={point.key}>
        <Mark
          place={[index, 0]}
          x={name + lengthOf(index) / 2}
          y={top}
          paint={paint}
          note={share === null ? undefined : `${asPercent(share)} of the previous step`}
        >
          <Hit x={0} width={width} y={middle - stepHeight / 2} height={stepHeight} className={css.rowHit} />
          {index + 1 < points.length && (
            <path
              className={css.slope}
              d={`M${name} ${top + thick} H${name + lengthOf(index)} L${name + lengthOf(index + 1)} ${top + stepHeight} H${name} Z`}
            />
          )}
          <Bar x={name} width={lengthOf(index)} y={top} height={thick} paint={paint} radius={3} />
          <Label x={0} y={middle} full={point.label} look="name">
            {isolated(fitText(point.label, name - 12, measureAxis))}
          </Label>
          <Label x={width - rate - 16} y={middle} textAnchor="end" look="value">
            {isolated(point.text)}
          </Label>
          {share !== null && (
            <Label x={width} y={middle} textAnchor="end" look="dim">
              {asPercent(share)}
            </Label>
          )}
        </Mark>
      </g>
    )
  })
}
