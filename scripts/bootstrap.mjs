// Makes `npm start` and `npm test` need nothing but Node 20 and npm: brings Node 24, the packages and the built web app.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { frugal } from './frugal.mjs'

const root = join(fileURLToPath(import.meta.url), '..', '..')
const at = (...parts) => join(root, ...parts)
const bin = (name) => at('node_modules', '.bin', name)

const commands = {
  start: { needsWeb: true, run: ['server/main.ts'] },
  worker: { run: ['server/worker.ts'] },
  doctor: { needsWeb: true, run: ['server/commands/doctor.ts'] },
  backup: { run: ['server/commands/backup.ts'] },
  restore: { run: ['server/commands/restore.ts'] },
  company: { run: ['server/commands/company.ts'] },
  'reset-password': { run: ['server/commands/reset-password.ts'] },
  test: { needsWeb: true, run: ['scripts/test.ts'] },
  bench: { needsWeb: true, run: ['bench/run.ts'] },
  dev: { run: ['scripts/dev.ts'] },
  format: { run: [bin('biome'), 'check', '--write'] },
  pictures: { needsWeb: true, run: ['scripts/pictures.ts'] },
  generate: { run: ['scripts/generate.ts'] },
}

const [name, ...args] = process.argv.slice(2)
const command = commands[name]
if (!command) fail(`Unknown command "${name}". There are: ${Object.keys(commands).join(', ')}`)

process.chdir(root)
await ensureInstalled()
const node = findNode()
if (command.needsWeb) await ensureWebBuilt()
process.exit(await pass(node, [...frugal.execArgv, ...command.run, ...args]))

/** Node 24 of the machine if it has it, else the one among our packages. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  const own = at('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (existsSync(own)) return own
  fail(
    `Kith needs Node 24 or newer on ${process.platform} ${process.arch}; this is ${process.version}. Install it and try again.`,
  )
}

async function ensureInstalled() {
  const stamp = at('node_modules', '.kith-installed')
  const wanted = hashOf([at('package-lock.json')], process.platform, process.arch)
  if (read(stamp) === wanted) return
  const npm = process.env.npm_execpath
  const install = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  await step(
    'Installing packages (only when they changed)',
    npm ? process.execPath : 'npm',
    npm ? [npm, ...install] : install,
  )
  writeFileSync(stamp, wanted)
}

async function ensureWebBuilt() {
  const stamp = at('dist', 'web.stamp')
  const alone = ['vite.config.ts', 'package-lock.json', 'docs/filter-syntax.md'].map((file) => at(file))
  const sources = [...filesIn(at('web')), ...filesIn(at('contract')), ...alone]
  const wanted = hashOf(sources)
  if (read(stamp) === wanted && existsSync(at('dist', 'web', 'index.html'))) return
  await step('Building the web app (only when it changed)', node, [bin('vite'), 'build', '--logLevel', 'warn'])
  writeFileSync(stamp, wanted)
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function hashOf(files, ...more) {
  const hash = createHash('sha256').update(more.join('\n'))
  for (const file of files.sort()) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

/** Runs one step quietly: a line while it works, its output only when it fails. */
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

/** Hands the terminal over, passes signals on, and answers with the exit code. */
function pass(program, args) {
  const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: frugal.env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

function fail(text) {
  process.stderr.write(`\n  ${text}\n\n`)
  process.exit(1)
}
