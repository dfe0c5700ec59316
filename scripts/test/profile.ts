// Where the time of a test run went: by kind of process, by part of set-up and by file.
import type { Durations } from './durations.ts'
import type { Parts } from './run-folder.ts'

type Profile = { durations: Durations; cpu: Map<string, number>; parts: Parts[]; wall: number }

const mostFiles = 40

export function printProfile({ durations, cpu, parts, wall }: Profile) {
  const total = [...cpu.values()].reduce((sum, seconds) => sum + seconds, 0)
  print(
    `CPU by kind of process: ${Math.round(total)} s in ${Math.round(wall / 1000)} s`,
    [...cpu].map(([kind, seconds]) => [seconds, kind]),
  )
  const sums = new Map<string, { count: number; ms: number }>()
  for (const [part, { count, ms }] of parts.flatMap(Object.entries) as [string, Parts[string]][]) {
    const sum = sums.get(part) ?? { count: 0, ms: 0 }
    sums.set(part, { count: sum.count + count, ms: sum.ms + ms })
  }
  print(
    'Parts of set-up, added up over all test workers',
    [...sums].map(([part, { count, ms }]) => [
      ms / 1000,
      `${part} (${count} times, ${Math.round(ms / count)} ms each)`,
    ]),
  )
  const files = Object.entries(durations)
  print(
    `The slowest of ${files.length} test files (${Math.round(files.reduce((sum, [, ms]) => sum + ms, 0) / 1000)} s in all)`,
    files.map(([file, ms]) => [ms / 1000, file]),
  )
}

function print(title: string, rows: [number, string][]) {
  console.log(`\n${title}`)
  for (const [seconds, name] of rows.sort(([a], [b]) => b - a).slice(0, mostFiles))
    console.log(`${seconds.toFixed(1).padStart(9)} s  ${name}`)
}
