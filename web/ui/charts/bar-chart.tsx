import { areaIn, CategoryAxis, ValueAxis } from './axes.tsx'
import { type Size, useChart } from './chart.ts'
import { paintAt, paintOf, type Series } from './data.ts'
import { Bar, Hit, Mark } from './marks.tsx'
import { Plot } from './plot.tsx'
import { bandScale, valueScale } from './scales.ts'
import { plainSpans, stackSpans } from './stacks.ts'

const widest = 44

type Props = { isStacked?: boolean }

/** Columns. Several series stand side by side, or on top of each other. */
export const BarChart = ({ isStacked = false }: Props) => (
  <Plot kind={isStacked ? 'stacked bar chart' : 'bar chart'} hasLegend>
    {(size) => <Columns size={size} isStacked={isStacked} />}
  </Plot>
)

/** A single series may have a color for each point. */
export const paintOfBar = (series: Series[], index: number, category: number) => {
  const one = series[index]!
  const own = series.length === 1 ? one.points[category]?.color : undefined
  return own ? paintAt(index, own) : paintOf(one, index)
}

function Columns({ size: { width, height }, isStacked }: { size: Size; isStacked: boolean }) {
  const { series, categories, format, steps, isTime } = useChart()
  const spans = isStacked ? stackSpans(categories) : plainSpans(categories)
  const values = spans.flatMap((row) => row.flatMap(({ from, to }) => [from, to]))
  const { ticks } = valueScale(values, [height - 26, 10], { steps })
  const area = areaIn(width, height, ticks.map(format))
  const { scale } = valueScale(values, [area.bottom, area.top], { steps })
  const band = bandScale(
    categories.map(({ key }) => key),
    [area.left, area.right],
    0.3,
  )
  const lanes = isStacked ? 1 : series.length
  const lane = Math.min(widest, band.bandwidth() / lanes)
  const startOf = (key: string) => band(key)! + (band.bandwidth() - lane * lanes) / 2
  const centerOf = (key: string) => band(key)! + band.bandwidth() / 2
  return (
    <>
      <ValueAxis ticks={ticks} scale={scale} format={format} area={area} />
      <CategoryAxis
        labels={categories.map(({ label }) => label)}
        at={(index) => centerOf(categories[index]!.key)}
        step={band.step()}
        width={width}
        y={height - 9}
        isTime={isTime}
      />
      {categories.map(({ key }, category) =>
        series.map((one, index) => {
          const paint = paintOfBar(series, index, category)
          const { from, to } = spans[category]![index]!
          const [top, bottom] = [scale(Math.max(from, to)), scale(Math.min(from, to))]
          const left = startOf(key) + (isStacked ? 0 : lane * index)
          const gap = lanes > 1 && lane > 6 ? 1 : 0
          const isLone = series.length === 1
          return (
            <Mark key={`${key} ${one.key}`} place={[category, index]} x={left + lane / 2} y={top} paint={paint}>
              {!isStacked && (
                <Hit
                  x={isLone ? centerOf(key) - band.step() / 2 : left}
                  width={isLone ? band.step() : lane}
                  y={area.top}
                  height={area.bottom - area.top}
                />
              )}
              {from !== to && (
                <Bar
                  x={left + gap}
                  width={Math.max(1, lane - 2 * gap)}
                  y={top}
                  height={Math.max(1, bottom - top - (isStacked ? 1 : 0))}
                  paint={paint}
                  radius={isStacked ? 1 : 3}
                />
              )}
            </Mark>
          )
        }),
      )}
    </>
  )
}
