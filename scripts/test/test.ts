// `npm test`: format, lint, import rules, types and secrets, beside the essential tests. `npm run test:long` (--long):
// everything. With names (`npm test -- sessions`), only the test files whose path matches, and no checks.
//   --profile  prints where the time went
//   --record   keeps how long each file took, which decides their order
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { recordDurations } from './durations.ts'
import { longRun, recordPass, renewSeed, testedCommit } from './long-run.ts'
import { watchProcesses } from './processes.ts'
import { printProfile } from './profile.ts'
import { openRunFolder } from './run-folder.ts'
import { selectTests } from './selection.ts'

const flags = ['--long', '--profile', '--record']
const [isLong, isProfiled, isRecorded] = flags.map((flag) => process.argv.includes(flag))
const only = process.argv.slice(2).filter((arg) => !flags.includes(arg))
const isWhole = !only.length
/** Browser tests are tried twice. More second tries than this are a bug, even if they pass. */
const mostRetries = 3

const bin = (name: string) => join('node_modules', '.bin', name)
const running = new Set<ChildProcess>()
const began = Date.now()
const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`

const folder = openRunFolder()
const processes = isProfiled ? watchProcesses(folder.path) : undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    stop(signal)
    // Vitest waits for its workers, which may wait for a database that the signal has stopped.
    setTimeout(() => void end(1), 3000)
  })

/** Also what they have started: the compiler is a program within a program. */
function stop(signal: NodeJS.Signals) {
  for (const { pid, exitCode } of running) if (pid && exitCode === null) process.kill(-pid, signal)
}

async function end(code: number) {
  await folder.remove()
  process.exit(code)
}

function run(title: string, args: string[], env = process.env): Promise<boolean> {
  const began = Date.now()
  const isShown = title === 'tests'
  const child = spawn(process.execPath, args, {
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env,
    detached: true,
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text))
  return new Promise((resolve) =>
    child.on('close', (code) => {
      running.delete(child)
      console.log(`  ${code === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds(began)})`)
      if (code !== 0) console.log(output)
      resolve(code === 0)
    }),
  )
}

function check() {
  const cache = join('node_modules', '.cache', 'types.tsbuildinfo')
  const types = [bin('tsc'), '-p', '.', '--incremental', '--tsBuildInfoFile', cache]
  return [
    run('format, lint, import rules', [bin('biome'), 'check', '--error-on-warnings']),
    run('rooms', ['scripts/rooms.ts']),
    run('types', types),
    run('types of scripts for websites', [bin('tsc'), '-p', join('web', 'embeds')]),
    run('no secrets in the tree', [bin('secretlint'), '**/*']),
  ]
}

function test() {
  const env = {
    ...process.env,
    TZ: 'UTC',
    TMPDIR: folder.path,
    ...(isLong && { TEST_LONG: '1' }),
    ...(isProfiled && { TEST_PROFILE: '1' }),
    ...(isWhole && !isLong && { TEST_ESSENTIAL: '1' }),
  }
  return run('tests', [bin('vitest'), 'run', ...only], env)
}

const commit = isLong && isWhole ? testedCommit() : undefined
if (isLong && isWhole) renewSeed()
const { touched, added, leftOut } = selectTests()
if (isWhole && !isLong && added.length)
  console.log(`  Also runs these long tests, because what they cover has changed:\n    ${added.join('\n    ')}`)

const checks = isWhole ? check() : []
const tests = test()
for (const one of checks)
  void one.then((isOk) => {
    // Nothing is gained by the rest of the tests.
    if (!isOk) stop('SIGTERM')
  })
let isGreen = (await Promise.all([...checks, tests])).every(Boolean)

const { durations, retried } = folder.result()
if (retried > mostRetries) {
  console.log(`  FAILED ${retried} tests needed a second try; at most ${mostRetries} may. They are listed above.`)
  isGreen = false
}
if (isRecorded) recordDurations(durations)
if (processes) printProfile({ durations, cpu: processes(), parts: folder.parts(), wall: Date.now() - began })
if (isWhole && !isLong) {
  const due = touched.length - added.length
  const also = due ? ` (${due} cover something that has changed)` : ''
  console.log(`  Left out ${leftOut.length} long test files${also}: npm run test:long runs them`)
}
if (isGreen && isLong && isWhole) {
  if (commit) recordPass(commit)
  console.log(
    commit
      ? '  Passed. Commit test/long-run.json'
      : '  Passed, but some files are not committed, so this run does not count as the last long one',
  )
}
console.log(`  ${isGreen ? 'Passed' : 'FAILED'} in ${seconds(began)} (seed ${longRun.seed})`)
await end(isGreen ? 0 : 1)
