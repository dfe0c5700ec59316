import { arc, pie } from 'd3-shape'
import { numberAt, type Point } from './data.ts'

const positive = (point: Point) => Math.max(0, numberAt(point) ?? 0)

/** What part of the whole each point is. Negative values have no part in it. */
export function sharesOf(points: Point[]) {
  const total = points.reduce((sum, point) => sum + positive(point), 0)
  return points.map((point) => (total ? positive(point) / total : 0))
}

/** The paths of a ring, and the middle of each piece. A value of zero has no path. */
export function ringOf(points: Point[], outer: number, thickness: number) {
  const draw = arc<{ startAngle: number; endAngle: number }>()
    .innerRadius(outer - thickness)
    .outerRadius(outer)
    .cornerRadius(2)
  const isSingle = points.filter((point) => positive(point) > 0).length < 2
  return pie<Point>()
    .value(positive)
    .sort(null)
    .padAngle(isSingle ? 0 : 2 / outer)(points)
    .map((piece) => ({ path: piece.value ? draw(piece) : null, middle: draw.centroid(piece) }))
}

/** The whole ring, behind the pieces. */
export const wholeRing = (outer: number, thickness: number) =>
  arc()({ innerRadius: outer - thickness, outerRadius: outer, startAngle: 0, endAngle: 2 * Math.PI })!

/** Of each step of a funnel: its length compared with the longest, and which part of the step before came this far. */
export function stepsOf(points: Point[]) {
  const longest = Math.max(0, ...points.map(positive))
  return points.map((point, index) => {
    const before = index ? positive(points[index - 1]!) : 0
    return { length: longest ? positive(point) / longest : 0, rate: before ? positive(point) / before : null }
  })
}
