// The last `npm run test:long` that passed, and the seed of all random cases. Both are committed, so that `npm test`
// repeats on every machine exactly what its author ran.
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type LongRun = { seed: number; commit: string | null }

const file = join(import.meta.dirname, '..', '..', 'test', 'long-run.json')

export const longRun: LongRun = JSON.parse(readFileSync(file, 'utf8'))

const write = (run: LongRun) => writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`)

/** A long run tries random cases that no run has tried before. If it fails, `npm test` fails with the same ones. */
export function renewSeed() {
  longRun.seed = randomInt(2 ** 31)
  write(longRun)
}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()

/** What test runs write. */
const written = [':!test/long-run.json', ':!test/durations.json']

/** The commit that is being tested, or undefined if the files differ from it. */
export const testedCommit = () =>
  git('status', '--porcelain', '--', '.', ...written) ? undefined : git('rev-parse', 'HEAD')

/** Whether the files are those of the last long run. */
export function hasPassed() {
  const { commit } = longRun
  return commit !== null && testedCommit() !== undefined && !git('diff', '--name-only', commit, '--', '.', ...written)
}

export function recordPass(commit: string) {
  write({ ...longRun, commit })
}
