// How long `npm start` takes in a fresh clone with nothing installed, and the second time.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './harness.ts'

const bar = 5
const folder = mkdtempSync(join(tmpdir(), 'kith-bench-start-'))
const clone = join(folder, 'kith')
execFileSync('git', ['clone', '--quiet', '--no-hardlinks', process.cwd(), clone])
console.log(
  `first start   ${(await start()).toFixed(1)} s (installs packages, builds the web app, creates the database)`,
)
const again: number[] = []
for (let i = 0; i < 5; i++) again.push(await start())
const second = median(again)
console.log(`second start  ${second.toFixed(2)} s (median of 5: ${again.map((value) => value.toFixed(2)).join(', ')})`)
const bare = median(Array.from({ length: 5 }, bareNode))
console.log(
  `bare node     ${bare.toFixed(2)} s (npm run of an empty script: what nothing can go below); ratio ${(bare / second).toFixed(2)}`,
)
console.log(second < bar ? `bar: under ${bar} s, met` : `bar: under ${bar} s, MISSED`)
rmSync(folder, { recursive: true, force: true })

async function start() {
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...process.env, PORT: '3917', LANG: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for await (const chunk of child.stdout) if (String(chunk).includes('Kith is ready')) break
  const seconds = (performance.now() - began) / 1000
  const answer = await fetch('http://localhost:3917/')
  if (answer.status !== 200) throw new Error(`GET / answered ${answer.status}`)
  child.kill('SIGINT')
  await ended
  return seconds
}

function bareNode() {
  const began = performance.now()
  execFileSync('npm', ['exec', '--offline', '-c', 'true'], { cwd: clone, stdio: 'ignore' })
  return (performance.now() - began) / 1000
}
