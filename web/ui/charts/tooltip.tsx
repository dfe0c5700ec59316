import { type Active, type Size, useChart } from './chart.ts'
import css from './charts.module.css'
import { paintOf } from './data.ts'
import { Swatch } from './legend.tsx'

/** The current point in full, with the other series at the same place. Screen readers hear the point instead. */
export function Tooltip({ place: [category, current], x, y, width, height, note }: Active & Size) {
  const { series, categories } = useChart()
  const shown = categories[category]
  if (!shown) return null
  // About as high as it will be. Where there is no room above the point, it stands beside it.
  const high = 40 + 18 * (shown.points.filter(Boolean).length + (note ? 1 : 0))
  const isBeside = y < high
  const [left, right] = isBeside ? [width / 2, width / 2] : [width / 3, (width * 2) / 3]
  const side = x < left ? 'start' : x >= right ? 'end' : 'middle'
  return (
    <div
      className={css.tooltip}
      data-side={side}
      data-beside={isBeside || undefined}
      style={{ left: x, top: isBeside ? Math.max(0, Math.min(y - 12, height - high)) : y }}
      aria-hidden="true"
    >
      <p className={css.tooltipTitle}>
        <bdi>{shown.label}</bdi>
      </p>
      {series.map((one, index) => {
        const point = shown.points[index]
        if (!point) return null
        return (
          <p
            key={one.key}
            className={css.tooltipLine}
            data-current={series.length > 1 && index === current ? true : undefined}
          >
            {series.length > 1 && <Swatch paint={paintOf(one, index)} />}
            {series.length > 1 && <bdi className={css.tooltipName}>{one.label}</bdi>}
            <bdi className={css.tooltipValue}>{point.text}</bdi>
          </p>
        )
      })}
      {note && <p className={css.tooltipTitle}>{note}</p>}
    </div>
  )
}
