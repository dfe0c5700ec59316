import { type Category, numberAt } from './data.ts'

export type Span = { from: number; to: number }

/** Where each series lies in each category: positive values upwards from zero, negative ones downwards. */
export const stackSpans = (categories: Category[]): Span[][] =>
  categories.map(({ points }) => {
    const ends = { above: 0, below: 0 }
    return points.map((point) => {
      const value = numberAt(point) ?? 0
      const side = value < 0 ? 'below' : 'above'
      const from = ends[side]
      ends[side] += value
      return { from, to: ends[side] }
    })
  })

/** Side by side, each from zero. */
export const plainSpans = (categories: Category[]): Span[][] =>
  categories.map(({ points }) => points.map((point) => ({ from: 0, to: numberAt(point) ?? 0 })))
