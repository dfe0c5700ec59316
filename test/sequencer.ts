// The order of test files: the longest first, so that no worker is left with one at the end.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { knownDurations } from '../scripts/test/durations.ts'

/** A new file is probably not among the long ones. */
const usualMs = 5000

/** Tests with processes of their own mostly wait for them, so they run beside tests that do not. */
const hasProcesses = ({ moduleId }: TestSpecification) =>
  /from '.*\/(installation|process|backup|dovecot)\.ts'/.test(readFileSync(moduleId, 'utf8'))

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const known = knownDurations()
    const ms = ({ moduleId }: TestSpecification) => known[relative(process.cwd(), moduleId)] ?? usualMs
    const sorted = [...files].sort((a, b) => ms(b) - ms(a))
    return spread(
      sorted.filter((file) => !hasProcesses(file)),
      sorted.filter(hasProcesses),
    )
  }
}

/** The few among the first two thirds of the many, at even distances. */
export function spread<T>(many: T[], few: T[]): T[] {
  const all: T[] = []
  const distance = Math.max(1, Math.floor((many.length * 2) / 3 / Math.max(1, few.length)))
  for (const [i, one] of many.entries()) {
    if (i % distance === 0 && few.length) all.push(few.shift()!)
    all.push(one)
  }
  return [...all, ...few]
}
