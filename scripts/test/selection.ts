// Which test files a run takes. `npm test` leaves out the long ones (*.long.test.ts), unless a folder that they cover
// has changed since the last `npm run test:long` that passed.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Durations, knownDurations } from './durations.ts'
import { longRun } from './long-run.ts'

export const testFiles = [
  'test/**/*.test.ts',
  'server/**/*.test.ts',
  'contract/**/*.test.ts',
  'web/**/*.test.ts',
  'scripts/**/*.test.ts',
]

const isLongFile = (file: string) => file.endsWith('.long.test.ts')

export function selectTests() {
  const all = testFiles.flatMap((pattern) => globSync(pattern)).sort()
  const long = all.filter(isLongFile)
  const touched = touchedBy(changedFiles(), long)
  const added = affordable(touched, knownDurations())
  return { all, long, touched, added, leftOut: long.filter((file) => !added.includes(file)) }
}

/** After a change to many folders, only as many as take a few minutes, the most affected first. */
export function affordable(files: string[], durations: Durations, most = 4 * 60_000) {
  const taken: string[] = []
  let sum = 0
  for (const file of files) {
    sum += durations[file] ?? 20_000
    if (sum > most) break
    taken.push(file)
  }
  return taken
}

/** The test files that cover changed files, those that cover the most first. */
export function touchedBy(changed: string[], tests: string[]) {
  const countFor = (folders: string[]) =>
    changed.filter((path) => folders.some((covered) => isIn(path, covered))).length
  const counts = new Map(tests.map((file) => [file, countFor(foldersOf(file))]))
  return tests.filter((file) => counts.get(file)).toSorted((a, b) => counts.get(b)! - counts.get(a)!)
}

const isIn = (path: string, covered: string) => path === covered || path.startsWith(`${covered}/`)

/** The folders and files in its first line, such as `// Covers: web/records web/ui`, or else the folder it is in. */
export function foldersOf(file: string) {
  const [, folders] = /^\/\/ Covers: (.+)\n/.exec(readFileSync(file, 'utf8')) ?? []
  return folders?.split(' ') ?? [dirname(file)]
}

/** Since the last long run, committed or not. Nothing if there was none, or this clone does not have its commit. */
function changedFiles() {
  const { commit } = longRun
  if (!commit) return []
  try {
    const list = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).split('\n')
    const files = [...list('diff', '--name-only', commit, '--'), ...list('ls-files', '--others', '--exclude-standard')]
    return files.filter(Boolean)
  } catch {
    return []
  }
}
