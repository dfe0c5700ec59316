// Alternates short runs of our server and the ceiling and compares neighbors, so that a machine that is slow for a second
// is slow for both.
import { load, type Source } from './load.ts'

type Options = { connections?: number; seconds?: number; bar?: number; names?: [ours: string, ceiling: string] }
type Slice = { rps: number; p50: number; p99: number }
const sliceSeconds = 0.5
/** Long enough for V8 to optimize the hot code, as in a server that has been running for a while. */
const warmUp = { connections: 16, seconds: 3 }

export async function compare(
  title: string,
  sides: { ours: Source; ceiling: Source },
  { connections = 16, seconds = 10, bar, names = ['ours', 'ceiling'] }: Options = {},
) {
  const seen: Record<'ours' | 'ceiling', Slice[]> = { ours: [], ceiling: [] }
  for (const side of ['ours', 'ceiling'] as const)
    await load(sides[side], { ...warmUp, connections: Math.min(warmUp.connections, connections) })
  const slices = seconds / sliceSeconds
  for (let slice = 0; slice < slices; slice++) {
    const order = ['ours', 'ceiling'] as const
    for (const side of slice % 2 ? order : order.toReversed()) {
      const { requests, seconds: took, latencies } = await load(sides[side], { connections, seconds: sliceSeconds })
      seen[side].push({ rps: requests / took, p50: at(latencies, 0.5), p99: at(latencies, 0.99) })
    }
  }
  const [ours, ceiling] = [summary(seen.ours), summary(seen.ceiling)]
  const pairs = (of: (slice: Slice) => number) => seen.ours.map((slice, i) => of(slice) / of(seen.ceiling[i]!))
  const ratios = pairs(({ rps }) => rps).toSorted((a, b) => a - b)
  const ratio = median(ratios)
  console.log(`\n${title} (${connections} connections, median of ${slices} slices of ${sliceSeconds} s)`)
  for (const [name, side] of [
    [names[0], ours],
    [names[1], ceiling],
  ] as const) {
    const noise = `noise ±${side.noise.toFixed(0)} %`
    console.log(
      `  ${name.padEnd(9)} ${side.rps.toFixed(0).padStart(7)} rps   p50 ${side.p50.toFixed(2)} ms   p99 ${side.p99.toFixed(2)} ms   ${noise}`,
    )
  }
  const verdict = bar === undefined ? '' : ratio >= bar ? `  (bar ${bar}: met)` : `  (bar ${bar}: MISSED)`
  const [low, high] = [ratios[Math.floor(slices / 4)]!, ratios[Math.floor((slices * 3) / 4)]!]
  console.log(`  ratio     ${ratio.toFixed(2)}${verdict}   half of the pairs ${low.toFixed(2)} to ${high.toFixed(2)}`)
  return { ratio, latency: median(pairs(({ p50 }) => p50)), ours, ceiling }
}

const at = (sorted: Float64Array, share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

function summary(list: Slice[]) {
  const rates = list.map((slice) => slice.rps)
  const rps = median(rates)
  return {
    rps,
    p50: median(list.map((slice) => slice.p50)),
    p99: median(list.map((slice) => slice.p99)),
    noise: ((Math.max(...rates) - Math.min(...rates)) / 2 / rps) * 100,
  }
}
