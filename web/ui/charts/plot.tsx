import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { type Active, PlotContext, type Size, useChart, useSize } from './chart.ts'
import css from './charts.module.css'
import { numberAt, paintOf } from './data.ts'
import { firstPlace, placeAfter } from './keys.ts'
import { Legend } from './legend.tsx'
import { useOpenLink } from './open-link.ts'
import { Tooltip } from './tooltip.tsx'

type Props = {
  /** As screen readers say it: "bar chart". */
  kind: string
  /** The categories follow each other downwards. */
  isVertical?: boolean
  /** Names the series above the drawing. */
  hasLegend?: boolean | ((size: Size) => boolean)
  isLine?: boolean
  /** The drawing takes the height that there is, and at least this; what is over scrolls. */
  leastHeight?: (width: number) => number
  children: (size: Size) => ReactNode
}

/** The drawing of a chart: one stop for the Tab key, arrow keys from point to point, and a tooltip for the current one. */
export function Plot({ kind, isVertical = false, hasLegend = false, isLine, leastHeight, children }: Props) {
  const { title, series, categories } = useChart()
  const box = useRef<HTMLDivElement>(null)
  const svg = useRef<SVGSVGElement>(null)
  const size = useSize(box)
  const [active, setActive] = useState<Active>()
  const [last, setLast] = useState<Active['place']>()
  const openLink = useOpenLink()
  const id = useId()
  const isThere = last && numberAt(categories[last[0]]?.points[last[1]]) !== null
  const tabStop = isThere ? last : firstPlace(categories)

  const plot = useMemo(() => {
    const activate = (next: Active | undefined) => {
      setActive(next)
      if (next) setLast(next.place)
    }
    return { active, activate, tabStop, hatch: `${id}-hatch` }
  }, [active, tabStop, id])

  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return setActive(undefined)
    if (!tabStop || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const next = placeAfter(event.key, tabStop, categories, isVertical)
    if (!next) return
    event.preventDefault()
    svg.current?.querySelector<SVGElement>(`[data-place="${next.join()}"]`)?.focus()
  }
  return (
    <>
      {series.length > 1 && (typeof hasLegend === 'function' ? hasLegend(size) : hasLegend) && (
        <Legend
          isLine={isLine}
          items={series.map((one, index) => ({ label: one.label, paint: paintOf(one, index) }))}
        />
      )}
      <div ref={box} className={css.plot} style={{ minHeight: leastHeight?.(size.width) }}>
        {size.width > 0 && (
          <div className={css.drawing} onPointerLeave={() => setActive(undefined)}>
            {/* biome-ignore lint/a11y/useSemanticElements: a drawing has no fieldset */}
            <svg
              ref={svg}
              role="group"
              aria-label={`${title}, ${kind}`}
              aria-describedby={`${id}-keys`}
              width={size.width}
              height={size.height}
              onKeyDown={press}
              onClick={openLink}
              onBlur={() => setActive(undefined)}
            >
              <desc id={`${id}-keys`}>Arrow keys move between the points.</desc>
              <defs>
                <pattern
                  id={plot.hatch}
                  width={6}
                  height={6}
                  patternUnits="userSpaceOnUse"
                  patternTransform="rotate(45)"
                >
                  <rect width={2.5} height={6} className={css.hatch} />
                </pattern>
              </defs>
              <PlotContext value={plot}>{children(size)}</PlotContext>
            </svg>
            {active && <Tooltip {...active} {...size} />}
          </div>
        )}
      </div>
    </>
  )
}
