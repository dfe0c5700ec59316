import type { ReactNode, SVGProps } from 'react'
import { useChart, usePlot } from './chart.ts'
import css from './charts.module.css'
import { type Paint, spoken } from './data.ts'
import { isSame, type Place } from './keys.ts'

type MarkProps = {
  place: Place
  /** Where its tooltip points to. */
  x: number
  y: number
  paint: Paint
  /** What else there is to say about it. */
  note?: string
  children: ReactNode
}

/** A point of a chart: a link to the list behind it, if there is one. What is drawn in it has its color. */
export function Mark({ place, x, y, paint, note, children }: MarkProps) {
  const { series, categories } = useChart()
  const { active, activate, tabStop } = usePlot()
  const point = categories[place[0]]?.points[place[1]]
  if (!point || point.value === null) return null
  const common = {
    className: css.mark,
    'data-place': place.join(),
    'data-active': isSame(active?.place, place) || undefined,
    'data-hue': paint.hue,
    style: { color: paint.color },
    'aria-label': [spoken(point, series[place[1]]!, series.length > 1), note].filter(Boolean).join(', '),
    tabIndex: tabStop && isSame(tabStop, place) ? 0 : -1,
    onFocus: () => activate({ place, x, y, note }),
    onPointerEnter: () => activate({ place, x, y, note }),
  }
  return point.href ? (
    <a href={point.href} {...common}>
      {children}
    </a>
  ) : (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it takes the focus to be read, not to act
    <g role="img" {...common}>
      {children}
    </g>
  )
}

type BarProps = { x: number; y: number; width: number; height: number; paint: Paint; radius?: number }

export function Bar({ paint, radius = 2, ...box }: BarProps) {
  const { hatch } = usePlot()
  const rx = Math.min(radius, box.width / 2, box.height / 2)
  return (
    <>
      <rect {...box} rx={rx} className={css.bar} />
      {paint.isHatched && <rect {...box} rx={rx} fill={`url(#${hatch})`} />}
    </>
  )
}

/** What can be pointed at, more than what is drawn. */
export const Hit = (box: SVGProps<SVGRectElement> & { 'data-nearest'?: true }) => (
  <rect fill="transparent" stroke="none" {...box} />
)

type LabelProps = SVGProps<SVGTextElement> & {
  /** The whole text, if not all of it is shown. */
  full?: string
  look?: 'axis' | 'name' | 'value' | 'dim' | 'total' | 'figure'
  'data-tone'?: 'good' | 'bad' | 'same'
}

/** Text in a drawing. Screen readers hear it with the point. */
export const Label = ({ full, look = 'axis', children, ...place }: LabelProps) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus
  <text className={css.label} data-look={look} aria-hidden="true" dy="0.36em" {...place}>
    {full && full !== children && <title>{full}</title>}
    {children}
  </text>
)
