// How long each test file took, by the run that was last recorded (`npm test -- --record`), in milliseconds.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Durations = Record<string, number>

const file = join(import.meta.dirname, '..', '..', 'test', 'durations.json')

export const knownDurations = (): Durations => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})

/** Files that did not run keep their duration; files that are gone lose it. */
export function recordDurations(measured: Durations) {
  const all = Object.entries({ ...knownDurations(), ...measured }).filter(([path]) => existsSync(path))
  const sorted = all.sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, ms]) => [path, Math.round(ms / 100) * 100])
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
