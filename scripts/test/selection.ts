// Which test files a run takes. `npm test` leaves out the long ones (*.long.test.ts), unless a folder that they cover
// has changed since the last `npm run test:long` that passed.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
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
  const added = touchedBy(changedFiles(), long)
  return { all, long, added, leftOut: long.filter((file) => !added.includes(file)) }
}

/** The test files that cover one of the changed files. */
export const touchedBy = (changed: string[], tests: string[]) =>
  tests.filter((file) => foldersOf(file).some((covered) => changed.some((path) => isIn(path, covered))))

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
