// How long the parts of set-up take: `npm test -- --profile` prints it.
import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { partsFile } from '../scripts/test/run-folder.ts'

const file = process.env.TEST_PROFILE && join(tmpdir(), partsFile)
const parts = new Map<string, { count: number; ms: number }>()

/** Does the work, and notes how long it took if the run is profiled. */
export async function timed<T>(part: string, work: () => Promise<T>): Promise<T> {
  if (!file) return work()
  const began = performance.now()
  try {
    return await work()
  } finally {
    const sum = parts.get(part) ?? { count: 0, ms: 0 }
    parts.set(part, { count: sum.count + 1, ms: sum.ms + performance.now() - began })
  }
}

/** After each test file, because workers end without notice. */
export function writeParts() {
  if (!file || !parts.size) return
  appendFileSync(file, `${JSON.stringify(Object.fromEntries(parts))}\n`)
  parts.clear()
}
