// Lets `npm start` and `npm test` run with only Node 20 and npm: installs Node 24 and the packages, builds the web app.
// Packages for tests and development are installed only when one of their commands runs.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { frugal } from './frugal.mjs'
import { installPlan } from './install-plan.mjs'
import { canRunKith, neededNode } from './node-version.mjs'

const root = join(fileURLToPath(import.meta.url), '..', '..')
const at = (...parts) => join(root, ...parts)
const bundledNode = at('node_modules', `node-${process.platform}-${process.arch}`)
const bin = (name) => at('node_modules', '.bin', name)

const commands = {
  start: { needsWeb: true, run: ['server/main.ts'] },
  build: { needsWeb: true },
  worker: { run: ['server/worker.ts'] },
  doctor: { needsWeb: true, run: ['server/commands/doctor.ts'] },
  backup: { run: ['server/commands/backup.ts'] },
  restore: { run: ['server/commands/restore.ts'] },
  company: { run: ['server/commands/company.ts'] },
  distribute: { run: ['server/commands/distribute.ts'] },
  'reset-password': { run: ['server/commands/reset-password.ts'] },
  test: { needsDev: true, needsWeb: true, run: ['scripts/test/test.ts'] },
  'test:long': { needsDev: true, needsWeb: true, run: ['scripts/test/test.ts', '--long'] },
  bench: { needsDev: true, needsWeb: true, run: ['bench/run.ts'] },
  dev: { needsDev: true, run: ['scripts/dev.ts'] },
  format: { needsDev: true, run: [bin('biome'), 'check', '--write'] },
  pictures: { needsDev: true, needsWeb: true, run: ['scripts/pictures.ts'] },
  generate: { needsDev: true, run: ['scripts/generate.ts'] },
  release: { needsDev: true, needsWeb: true, run: ['scripts/release/release.ts'] },
}

const [name, ...args] = process.argv.slice(2)
const command = commands[name]
if (!command) fail(`Unknown command "${name}". Use one of: ${Object.keys(commands).join(', ')}`)

process.chdir(root)
await ensureInstalled()
const node = findNode()
if (command.needsWeb) await ensureWebBuilt()
if (!command.run) process.exit(0)
process.exit(await runInTerminal(node, [...frugal.execArgv, ...settings(), ...command.run, ...args]))

/** Tests and benchmarks bring their own settings. */
function settings() {
  const bringsSettings = command.needsDev && name !== 'dev'
  return !bringsSettings && existsSync(at('.env')) ? ['--env-file=.env'] : []
}

/** The machine's Node if it is recent enough, otherwise the one in node_modules. */
function findNode() {
  if (canRunKith(process.versions.node)) return process.execPath
  const bundled = join(bundledNode, 'bin', 'node')
  if (existsSync(bundled)) return bundled
  fail(
    `Kith needs ${neededNode}, but this is ${process.version}. Install the current Node 24 LTS and try again.\n` +
      `  (Kith includes its own Node on Linux x64 and arm64. This machine is ${process.platform} ${process.arch}.)`,
  )
}

async function ensureInstalled() {
  const stampFile = at('node_modules', '.kith-installed')
  const plan = installPlan({
    needsDev: command.needsDev,
    stamp: read(stampFile),
    lock: hashOf([at('package-lock.json')], process.platform, process.arch),
    hasDevPackages: existsSync(bin('vitest')),
  })
  if (!plan) return
  const npm = process.env.npm_execpath
  await step(
    'Installing packages (only when they changed)',
    npm ? process.execPath : 'npm',
    npm ? [npm, ...plan.args] : plan.args,
  )
  // Headers for compiling native add-ons: 67 MB that Kith never uses.
  rmSync(join(bundledNode, 'include'), { recursive: true, force: true })
  writeFileSync(stampFile, plan.stamp)
}

async function ensureWebBuilt() {
  const stamp = at('dist', 'web.stamp')
  const files = ['vite.config.ts', 'package-lock.json', 'docs/filter-syntax.md', 'docs/webhooks.md'].map((file) =>
    at(file),
  )
  const sources = [...filesIn(at('web')), ...filesIn(at('contract')), ...files]
  const wanted = hashOf(sources)
  if (read(stamp) === wanted && existsSync(at('dist', 'web', 'index.html'))) return
  await step('Building the web app (only when it changed)', node, [bin('vite'), 'build', '--logLevel', 'warn'])
  writeFileSync(stamp, wanted)
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function hashOf(files, ...texts) {
  const hash = createHash('sha256').update(texts.join('\n'))
  for (const file of files.sort()) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

/** Shows one progress line, and the output only if the program fails. */
async function step(title, program, args) {
  const began = Date.now()
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`
  const show = (text, end) => process.stdout.write(process.stdout.isTTY ? `\r\x1b[2K  ${text}${end}` : `  ${text}\n`)
  show(`${title} ...`, '')
  const timer = process.stdout.isTTY && setInterval(() => show(`${title} ... ${seconds()}`, ''), 1000)
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const code = await new Promise((resolve) => child.on('error', () => resolve(-1)).on('close', resolve))
  clearInterval(timer)
  if (code !== 0) fail(`${title} failed.\n\n${output}`)
  show(`${title}: ${seconds()}`, '\n')
}

/** Gives the program the terminal, forwards signals to it and returns its exit code. */
function runInTerminal(program, args) {
  const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: frugal.env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

function fail(text) {
  process.stderr.write(`\n  ${text}\n\n`)
  process.exit(1)
}
