// What charts are drawn from, and what all of them do with it.

export type Hue = 'gray' | 'red' | 'orange' | 'yellow' | 'green' | 'teal' | 'blue' | 'violet' | 'pink'

export type Point = {
  /** Points of several series with the same key stand at the same place. */
  key: string
  label: string
  /** Null is a gap: no value, which is not zero. */
  value: number | null
  /** The value as people read it, with its unit. */
  text: string
  /** The list behind the figure. */
  href?: string
  color?: Hue
}

export type Series = {
  key: string
  label: string
  color?: Hue
  /** A comparison, such as the period before: drawn in gray, as a dashed line. */
  isBackground?: boolean
  points: Point[]
}

export type Category = { key: string; label: string; points: (Point | undefined)[] }

/** The points of all series by place, in the order in which the places first appear. */
export function categoriesOf(series: Series[]): Category[] {
  const found = new Map<string, Category>()
  for (const [index, { points }] of series.entries())
    for (const point of points) {
      const { key, label } = point
      if (!found.has(key)) found.set(key, { key, label, points: series.map(() => undefined) })
      found.get(key)!.points[index] = point
    }
  return [...found.values()]
}

export const numberAt = (point: Point | undefined) => point?.value ?? null

export const hasValues = (series: Series[]) => series.some(({ points }) => points.some(({ value }) => value !== null))

/** Colors in tokens.css that color-blind people can tell apart. */
export const paletteSize = 6

/** `hue` is the color of an option or object, which tokens.css has under that name. */
export type Paint = { color: string; hue?: Hue; isHatched: boolean }

/** Past the palette, the same colors come back with a pattern. */
export function paintAt(index: number, own?: Hue | 'background'): Paint {
  if (own === 'background') return { color: 'var(--outline)', isHatched: true }
  if (own) return { color: 'var(--hue)', hue: own, isHatched: false }
  return { color: `var(--chart-${(index % paletteSize) + 1})`, isHatched: index >= paletteSize }
}

export const paintOf = ({ color, isBackground }: Series, index: number) =>
  paintAt(index, isBackground ? 'background' : color)

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Keeps the direction of a label from turning the text around it. Only for plain text; elements use bdi. */
export const isolated = (text: string) => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text)

/** A point as screen readers say it. */
export function spoken(point: Point, series: Series, isOneOfMany: boolean) {
  const name = [point.label, isOneOfMany && series.label].filter((part) => typeof part === 'string')
  return `${name.map(isolated).join(', ')}: ${isolated(point.text)}`
}
