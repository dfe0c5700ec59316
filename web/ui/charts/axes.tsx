import { measureIn, widestOf } from './chart.ts'
import css from './charts.module.css'
import { isolated } from './data.ts'
import { Label } from './marks.tsx'
import { axisLabels, type ValueScale, withOwnText } from './scales.ts'

export const measureAxis = measureIn('axis')

/** Where things are drawn, between the labels. */
export type Area = { left: number; right: number; top: number; bottom: number }

/** The area of a chart whose values go upwards. */
export const areaIn = (width: number, height: number, tickTexts: string[], right = 4): Area => ({
  left: widestOf(tickTexts, measureAxis) + 12,
  right: width - right,
  top: 10,
  bottom: height - 26,
})

type ValueAxisProps = { ticks: number[]; scale: ValueScale; format: (value: number) => string; area: Area }

export const ValueAxis = ({ ticks, scale, format, area }: ValueAxisProps) => (
  <g>
    {withOwnText(ticks, format).map((tick) => (
      <g key={tick} transform={`translate(0 ${Math.round(scale(tick)) + 0.5})`}>
        <line x1={area.left} x2={area.right} className={tick === 0 ? css.zero : css.grid} />
        <Label x={area.left - 8} textAnchor="end">
          {format(tick)}
        </Label>
      </g>
    ))}
  </g>
)

type CategoryAxisProps = {
  labels: string[]
  at: (index: number) => number
  step: number
  width: number
  y: number
  isTime?: boolean
}

export const CategoryAxis = ({ labels, at, step, width, y, isTime = false }: CategoryAxisProps) => (
  <g>
    {axisLabels({ labels, step, measure: measureAxis, isTime }).map(({ index, text }) => {
      const half = measureAxis(text) / 2
      // The outermost labels stay inside of the drawing.
      const x = Math.max(half, Math.min(width - half, at(index)))
      return (
        <Label key={index} x={x} y={y} textAnchor="middle" full={labels[index]}>
          {isolated(text)}
        </Label>
      )
    })}
  </g>
)
