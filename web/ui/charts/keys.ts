// Arrow keys through the points of a chart.
import { type Category, numberAt } from './data.ts'

/** Which category, and which series in it. */
export type Place = readonly [category: number, series: number]

export const isSame = (a: Place | undefined, b: Place) => a?.[0] === b[0] && a[1] === b[1]

/** The first point that has a value. */
export const firstPlace = (categories: Category[]) => ends(categories)[0]

/**
 * Where a key leads; undefined if the key means nothing here. Along a chart, a key goes to the next category in which
 * the series has a value. Across it, it goes to the next series of the category.
 */
export function placeAfter(key: string, [category, series]: Place, categories: Category[], isVertical: boolean) {
  if (key === 'Home') return ends(categories)[0]
  if (key === 'End') return ends(categories).at(-1)
  const step = steps[key]
  if (!step) return undefined
  const isAlong = (step.axis === 'y') === isVertical || (categories[category]?.points.length ?? 1) === 1
  const next: Place[] = isAlong
    ? categories.map((_, index) => [index, series])
    : (categories[category]?.points ?? []).map((_, index) => [category, index])
  // Series are stacked upwards, rows are read downwards.
  const by = isAlong || isVertical || step.axis === 'x' ? step.by : -step.by
  const at = isAlong ? category : series
  const ahead = by > 0 ? next.slice(at + 1) : next.slice(0, at).reverse()
  return ahead.find((place) => hasValue(categories, place)) ?? ([category, series] as const)
}

const steps: Record<string, { axis: 'x' | 'y'; by: 1 | -1 }> = {
  ArrowRight: { axis: 'x', by: 1 },
  ArrowLeft: { axis: 'x', by: -1 },
  ArrowDown: { axis: 'y', by: 1 },
  ArrowUp: { axis: 'y', by: -1 },
}

const hasValue = (categories: Category[], [category, series]: Place) =>
  numberAt(categories[category]?.points[series]) !== null

const ends = (categories: Category[]): Place[] =>
  categories.flatMap(({ points }, category) =>
    points.flatMap((point, series) => (numberAt(point) === null ? [] : [[category, series] as const])),
  )
