import { type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale'

export type ValueScale = ScaleLinear<number, number>

type Ticks = { gap?: number; steps?: readonly number[] | undefined }

/** A scale with round bounds that always contains zero, and about one tick for every `gap` pixels. */
export function valueScale(values: number[], range: [from: number, to: number], { gap = 52, steps }: Ticks = {}) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const count = Math.max(2, Math.floor(Math.abs(range[1] - range[0]) / gap))
  if (steps && low < high) return steppedScale([low, high], range, count, steps)
  const scale = scaleLinear([low, low === high ? low + 1 : high], range).nice(count)
  const ticks = scale.ticks(count)
  // Half a deal does not exist.
  const shown = values.every(Number.isInteger) ? ticks.filter(Number.isInteger) : ticks
  return { scale, ticks: low === high ? [0] : shown }
}

/** Beyond the longest step, its multiples. */
function steppedScale([low, high]: [number, number], range: [number, number], count: number, steps: readonly number[]) {
  const least = (high - low) / count
  const longest = steps.at(-1)!
  const step = steps.find((one) => one >= least) ?? longest * Math.ceil(least / longest)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
  return { scale: scaleLinear([first * step, last * step], range), ticks }
}

/** Of ticks that read alike, only the first. */
export const withOwnText = (ticks: number[], format: (value: number) => string) =>
  ticks.filter((tick, index) => index === ticks.findIndex((other) => format(other) === format(tick)))

export const bandScale = (keys: string[], range: [number, number], padding: number) =>
  scaleBand(keys, range)
    .paddingInner(padding)
    .paddingOuter(padding / 2)

/** The x of each of `count` points from edge to edge; a single one stands in the middle. */
export const evenly = (count: number, [from, to]: [number, number]) =>
  Array.from({ length: count }, (_, index) =>
    count === 1 ? (from + to) / 2 : from + ((to - from) * index) / (count - 1),
  )

export type Measure = (text: string) => number

/** Cut to a width, with an ellipsis. */
export function fitText(text: string, width: number, measure: Measure) {
  if (measure(text) <= width) return text
  const letters = [...text]
  let [fits, tooLong] = [0, letters.length]
  const cut = (count: number) => `${letters.slice(0, count).join('').trimEnd()}…`
  while (fits + 1 < tooLong) {
    const middle = (fits + tooLong) >> 1
    if (measure(cut(middle)) <= width) fits = middle
    else tooLong = middle
  }
  return fits ? cut(fits) : ''
}

/** Below this width, a name that is cut says nothing. */
const leastWidth = 36

type AxisLabels = { labels: string[]; step: number; measure: Measure; isTime: boolean }

/** The labels under an axis. Names are cut to their room; of times, every second, third and so on is left. */
export function axisLabels({ labels, step, measure, isTime }: AxisLabels) {
  const widest = Math.ceil(Math.max(0, ...labels.map(measure)))
  const gap = isTime ? 16 : 6
  const isCut = !isTime && step >= leastWidth + gap
  const every = isCut ? 1 : Math.max(1, Math.ceil((Math.min(widest, 96) + gap) / step))
  const width = step * every - gap
  return labels.flatMap((label, index) => (index % every ? [] : [{ index, text: fitText(label, width, measure) }]))
}

/** Moves labels apart that would cover each other, as little as possible and not below the bottom. */
export function spread(ys: number[], gap: number, bottom: number) {
  const order = ys.map((_, index) => index).sort((a, b) => ys[a]! - ys[b]!)
  const moved = [...ys]
  for (const [rank, index] of order.entries())
    if (rank) moved[index] = Math.max(moved[index]!, moved[order[rank - 1]!]! + gap)
  let most = bottom
  for (const index of order.toReversed()) {
    moved[index] = Math.min(moved[index]!, most)
    most = moved[index]! - gap
  }
  return moved
}
