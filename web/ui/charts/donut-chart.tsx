import { asPercent } from '../text/numbers.ts'
import { measureAxis } from './axes.tsx'
import { measureIn, type Size, useChart, usePlot, widestOf } from './chart.ts'
import css from './charts.module.css'
import { isolated, type Point, paintAt } from './data.ts'
import { Hit, Label, Mark } from './marks.tsx'
import { Plot } from './plot.tsx'
import { fitText } from './scales.ts'
import { ringOf, sharesOf, wholeRing } from './shares.ts'

const rowHeight = 26
const thickness = 22
const measureValue = measureIn('value')

/** Ring and list stand beside each other where there is room. */
const isBeside = (width: number) => width >= 280
const stackedRing = (width: number) => Math.min(160, width)
const ringSize = ({ width, height }: Size) =>
  isBeside(width) ? Math.min(height, width * 0.4, 200) : stackedRing(width)

type Props = {
  /** In the middle: the whole. */
  total?: { text: string; label: string }
}

/** The parts of a whole, named and counted in a list beside the ring. */
export function DonutChart({ total }: Props) {
  const { categories } = useChart()
  const list = categories.length * rowHeight
  return (
    <Plot
      kind="donut chart"
      isVertical
      leastHeight={(width) => (isBeside(width) ? list : stackedRing(width) + 16 + list)}
    >
      {(size) => <Ring size={size} total={total} />}
    </Plot>
  )
}

function Ring({ size, total }: { size: Size; total: Props['total'] }) {
  const { categories } = useChart()
  const { hatch } = usePlot()
  const points = categories.map(({ points }) => points[0]).filter((point): point is Point => point !== undefined)
  const shares = sharesOf(points).map(asPercent)
  const diameter = ringSize(size)
  const beside = isBeside(size.width)
  const center = beside ? { x: diameter / 2, y: size.height / 2 } : { x: size.width / 2, y: diameter / 2 }
  const pieces = ringOf(points, diameter / 2, thickness)
  const left = beside ? diameter + 20 : 0
  const hasShares = size.width >= 380
  const top = beside ? (size.height - points.length * rowHeight) / 2 : diameter + 16
  const shareWidth = hasShares ? widestOf(shares, measureAxis) + 16 : 4
  const valueWidth =
    widestOf(
      points.map(({ text }) => text),
      measureValue,
    ) + 12
  const inner = diameter - 2 * thickness - 16
  return (
    <>
      <path
        className={css.track}
        d={wholeRing(diameter / 2, thickness)}
        transform={`translate(${center.x} ${center.y})`}
      />
      {total && (
        <>
          <Label x={center.x} y={center.y - 8} textAnchor="middle" look="total" full={total.text}>
            {isolated(total.text)}
          </Label>
          <Label x={center.x} y={center.y + 14} textAnchor="middle" look="dim" full={total.label}>
            {isolated(fitText(total.label, inner, measureAxis))}
          </Label>
        </>
      )}
      {points.map((point, index) => {
        const paint = paintAt(index, point.color)
        const { path, middle } = pieces[index]!
        const y = top + index * rowHeight + rowHeight / 2
        const anchor = path ? { x: center.x + middle[0], y: center.y + middle[1] } : { x: left, y }
        const room = size.width - left - 20 - shareWidth - valueWidth
        return (
          <Mark key={point.key} place={[index, 0]} {...anchor} paint={paint} note={shares[index]}>
            <Hit
              x={left}
              y={y - rowHeight / 2}
              width={Math.max(0, size.width - left)}
              height={rowHeight}
              className={css.rowHit}
            />
            {path && (
              <g transform={`translate(${center.x} ${center.y})`}>
                <path d={path} className={css.bar} />
                {paint.isHatched && <path d={path} fill={`url(#${hatch})`} />}
              </g>
            )}
            <rect x={left + 4} y={y - 4} width={8} height={8} rx={2} className={css.bar} />
            {paint.isHatched && <rect x={left + 4} y={y - 4} width={8} height={8} fill={`url(#${hatch})`} />}
            <Label x={left + 20} y={y} full={point.label} look="name">
              {isolated(fitText(point.label, room, measureAxis))}
            </Label>
            <Label x={size.width - shareWidth} y={y} textAnchor="end" look="value">
              {isolated(point.text)}
            </Label>
            {hasShares && (
              <Label x={size.width - 4} y={y} textAnchor="end" look="dim">
                {shares[index]}
              </Label>
            )}
          </Mark>
        )
      })}
    </>
  )
}
