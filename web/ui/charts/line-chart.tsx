import { area as areaPath, line as linePath } from 'd3-shape'
import type { PointerEvent } from 'react'
import { type Area, areaIn, CategoryAxis, measureAxis, ValueAxis } from './axes.tsx'
import { type Size, useChart, usePlot, widestOf } from './chart.ts'
import css from './charts.module.css'
import { isolated, numberAt, paintOf, type Series } from './data.ts'
import { Hit, Label, Mark } from './marks.tsx'
import { Plot } from './plot.tsx'
import { evenly, fitText, spread, valueScale } from './scales.ts'
import { plainSpans, type Span, stackSpans } from './stacks.ts'

const mostNamed = 4

/** Lines that have room for it carry their names at the end; otherwise there is a legend. */
const namesLines = (series: Series[], width: number) => series.length > 1 && series.length <= mostNamed && width >= 520

type Props = { isArea?: boolean }

/** A line for each series, broken at gaps. Areas of several series are stacked. */
export function LineChart({ isArea = false }: Props) {
  const { series } = useChart()
  return (
    <Plot
      kind={isArea ? 'area chart' : 'line chart'}
      isLine={!isArea}
      hasLegend={({ width }) => !namesLines(series, width)}
    >
      {(size) => <Lines size={size} isArea={isArea} />}
    </Plot>
  )
}

function Lines({ size: { width, height }, isArea }: { size: Size; isArea: boolean }) {
  const { series, categories, format, steps } = useChart()
  const isStacked = isArea && series.length > 1
  const spans = isStacked ? stackSpans(categories) : plainSpans(categories)
  const values = spans.flatMap((row) => row.flatMap(({ from, to }) => [from, to]))
  const { ticks } = valueScale(values, [height - 26, 10], { steps })
  const isNamed = namesLines(series, width)
  const names = isNamed ? series.map(({ label }) => fitText(label, 128, measureAxis)) : []
  const area = areaIn(width, height, ticks.map(format), isNamed ? widestOf(names, measureAxis) + 28 : 8)
  const { scale } = valueScale(values, [area.bottom, area.top], { steps })
  const xs = evenly(categories.length, [area.left + 4, area.right - 4])
  const isShown = (category: number, index: number) =>
    isStacked || numberAt(categories[category]!.points[index]) !== null
  const drawn = series.map((one, index) => ({ one, index, paint: paintOf(one, index) }))
  const at = (category: number, index: number) => ({ x: xs[category]!, y: scale(spans[category]![index]!.to) })
  return (
    <>
      <ValueAxis ticks={ticks} scale={scale} format={format} area={area} />
      <CategoryAxis
        labels={categories.map(({ label }) => label)}
        at={(index) => xs[index]!}
        step={categories.length > 1 ? xs[1]! - xs[0]! : area.right - area.left}
        width={width}
        y={height - 9}
        isTime
      />
      {drawn.map(({ one, index, paint }) => (
        <g key={one.key} data-hue={paint.hue} style={{ color: paint.color }}>
          {isArea && (
            <path
              className={css.area}
              data-stacked={isStacked || undefined}
              d={
                areaPath<Span[]>()
                  .x((_, category) => xs[category]!)
                  .y0((row) => scale(row[index]!.from))
                  .y1((row) => scale(row[index]!.to))
                  .defined((_, category) => isShown(category, index))(spans) ?? undefined
              }
            />
          )}
          <path
            className={css.line}
            data-dashed={paint.isHatched || undefined}
            d={
              linePath<Span[]>()
                .x((_, category) => xs[category]!)
                .y((row) => scale(row[index]!.to))
                .defined((_, category) => isShown(category, index))(spans) ?? undefined
            }
          />
        </g>
      ))}
      <Nearest xs={xs} area={area} at={at} />
      {drawn.map(({ one, index, paint }) =>
        categories.map(({ key }, category) => {
          const { x, y } = at(category, index)
          const isAlone = ![category - 1, category + 1].some((near) => categories[near] && isShown(near, index))
          return (
            <Mark key={`${key} ${one.key}`} place={[category, index]} x={x} y={y} paint={paint}>
              <circle cx={x} cy={y} r={Math.min(12, Math.max(4, (xs[1]! - xs[0]!) / 2 || 12))} fill="transparent" />
              <circle cx={x} cy={y} r={4} className={css.dot} data-alone={isAlone || undefined} />
            </Mark>
          )
        }),
      )}
      {isNamed && (
        <Names
          drawn={drawn}
          names={names}
          at={at}
          x={area.right + 8}
          last={categories.length - 1}
          bottom={area.bottom}
        />
      )}
    </>
  )
}

type At = (category: number, series: number) => { x: number; y: number }

/** Whatever is pointed at, the nearest point is the current one. */
function Nearest({ xs, area, at }: { xs: number[]; area: Area; at: At }) {
  const { series, categories } = useChart()
  const { activate } = usePlot()
  const move = (event: PointerEvent<SVGRectElement>) => {
    const box = event.currentTarget.ownerSVGElement!.getBoundingClientRect()
    const [x, y] = [event.clientX - box.left, event.clientY - box.top]
    const places = categories.flatMap(({ points }, category) =>
      series.flatMap((_, index) => (numberAt(points[index]) === null ? [] : [[category, index] as const])),
    )
    // First the category, then the series in it.
    const farFrom = ([category, index]: readonly [number, number]) =>
      Math.abs(xs[category]! - x) * 1000 + Math.abs(at(category, index).y - y)
    const place = places.sort((a, b) => farFrom(a) - farFrom(b))[0]
    if (place) activate({ place, ...at(...place) })
  }
  return (
    <Hit
      x={area.left}
      y={area.top}
      width={Math.max(0, area.right - area.left)}
      height={Math.max(0, area.bottom - area.top)}
      data-nearest
      onPointerMove={move}
    />
  )
}

type NamesProps = {
  drawn: { one: Series; index: number; paint: ReturnType<typeof paintOf> }[]
  names: string[]
  at: At
  x: number
  last: number
  bottom: number
}

function Names({ drawn, names, at, x, last, bottom }: NamesProps) {
  const ys = spread(
    drawn.map(({ index }) => at(last, index).y),
    15,
    bottom,
  )
  return drawn.map(({ one, index, paint }) => (
    <g key={one.key} data-hue={paint.hue} style={{ color: paint.color }}>
      <line
        x1={x}
        x2={x + 8}
        y1={ys[index]}
        y2={ys[index]}
        className={css.line}
        data-dashed={paint.isHatched || undefined}
      />
      <Label x={x + 14} y={ys[index]} full={one.label} look="name">
        {isolated(names[index]!)}
      </Label>
    </g>
  ))
}
