import { line } from 'd3-shape'
import { measureAxis } from './axes.tsx'
import { type Size, useChart } from './chart.ts'
import css from './charts.module.css'
import { isolated, numberAt, type Point, paintAt } from './data.ts'
import { Hit, Label, Mark } from './marks.tsx'
import { Plot } from './plot.tsx'
import { evenly, fitText, valueScale } from './scales.ts'

export type Trend = {
  /** How much it changed: "12%". */
  text: string
  /** Compared with what: "vs. last month". */
  label: string
  direction: 'up' | 'down' | 'same'
  /** More is not always better. */
  isGood?: boolean
}

const arrows = { up: '↑', down: '↓', same: '→' }
const words = { up: 'up', down: 'down', same: 'unchanged' }

/** One figure, which is the first point. A second series is its history, drawn as a small line. */
export function NumberChart({ trend }: { trend?: Trend }) {
  const kind = trend ? `number, ${words[trend.direction]} ${trend.text} ${trend.label}` : 'number'
  return <Plot kind={kind}>{(size) => <Figure size={size} trend={trend} />}</Plot>
}

function Figure({ size: { width, height }, trend }: { size: Size; trend: Trend | undefined }) {
  const { series, categories } = useChart()
  const at = categories.findIndex(({ points }) => numberAt(points[0]) !== null)
  const figure = categories[at]?.points[0]
  const history = series[1]?.points ?? []
  if (!figure) return null
  const tone = trend?.isGood === undefined ? 'same' : trend.isGood ? 'good' : 'bad'
  const change = trend && `${arrows[trend.direction]} ${trend.text}`
  return (
    <>
      <Mark place={[at, 0]} x={Math.min(width / 2, 60)} y={36} paint={{ color: 'var(--ink)', isHatched: false }}>
        <Hit x={0} y={0} width={width} height={44} />
        <Label x={0} y={22} look="figure">
          {isolated(figure.text)}
        </Label>
      </Mark>
      {trend && change && (
        <>
          <Label x={0} y={58} look="value" data-tone={tone}>
            {change}
          </Label>
          <Label x={measureAxis(change) + 10} y={58} look="dim" full={trend.label}>
            {isolated(fitText(trend.label, width - measureAxis(change) - 10, measureAxis))}
          </Label>
        </>
      )}
      {history.length > 1 && height > 110 && (
        <History points={history} width={width} top={80} bottom={Math.min(height - 4, 152)} />
      )}
    </>
  )
}

type HistoryProps = { points: Point[]; width: number; top: number; bottom: number }

function History({ points, width, top, bottom }: HistoryProps) {
  const { categories } = useChart()
  const values = points.flatMap(({ value }) => value ?? [])
  const { scale } = valueScale(values, [bottom, top])
  // Only how it changed is of interest, so the line takes all the room.
  if (values.length) scale.domain([Math.min(...values), Math.max(...values)])
  const xs = evenly(points.length, [3, width - 3])
  const path = line<Point>()
    .defined(({ value }) => value !== null)
    .x((_, index) => xs[index]!)
    .y(({ value }) => scale(value ?? 0))(points)
  const paint = paintAt(0)
  return (
    <>
      <path d={path ?? undefined} className={css.line} style={{ color: paint.color }} />
      {points.map((point, index) => {
        const [x, y] = [xs[index]!, scale(point.value ?? 0)]
        const wide = width / points.length
        return (
          <Mark
            key={point.key}
            place={[categories.findIndex(({ key }) => key === point.key), 1]}
            x={x}
            y={y}
            paint={paint}
          >
            <Hit x={x - wide / 2} width={wide} y={top} height={bottom - top} />
            <circle cx={x} cy={y} r={4} className={css.dot} />
          </Mark>
        )
      })}
    </>
  )
}
