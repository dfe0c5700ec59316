// The product in processes of its own, as a user starts it.

import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { compiled } from '../scripts/frugal.mjs'
import { readLockFile, stopProcess } from '../server/platform/postgres-process.ts'
import { timed } from './timed.ts'

export type Started = { child: ChildProcess; output: () => string; ended: Promise<number | null> }

export type Program = 'main' | 'worker' | `commands/${string}` | `../test/${string}`

/** `cwd`: where another version is. */
export function launch(program: Program, env: Record<string, string>, args: string[] = [], cwd?: string): Started {
  const child = spawn(process.execPath, [...(cwd ? [] : watching), `server/${program}.ts`, ...args], {
    cwd,
    env: { PATH: process.env.PATH!, NODE_COMPILE_CACHE: compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const started = { child, ended, output: () => output }
  launched.add({ ...started, dataDir: env.DATA_DIR })
  return started
}

/**
 * Benchmarks run the product alone. Optimizing the SQL parser of this check would cost every process one second of CPU.
 */
const watching = process.env.VITEST
  ? ['--liftoff-only', '--import', join(import.meta.dirname, 'one-company', 'watch-process.ts')]
  : []
const launched = new Set<Started & { dataDir: string | undefined }>()
process.on('exit', () => {
  for (const { child } of launched) child.kill('SIGKILL')
})

/** Ends what a failed test left running, with the databases of killed processes. */
export async function endLaunched() {
  const all = [...launched]
  launched.clear()
  for (const { child } of all) child.kill('SIGKILL')
  await Promise.all(all.map(({ ended }) => ended))
  for (const { dataDir } of all) {
    const running = dataDir ? readLockFile(join(dataDir, 'postgres', 'cluster')) : undefined
    if (running?.isOurs) await stopProcess(running.pid)
  }
}

export const until = (started: Started, text: string) => timed('process: start', () => hasSaid(started, text))

async function hasSaid(started: Started, text: string) {
  for (const end = Date.now() + 120_000; !started.output().includes(text); ) {
    if (started.child.exitCode !== null) throw new Error(`ended early: ${started.output()}`)
    if (Date.now() > end) throw new Error(`not ready in time: ${started.output()}`)
    await sleep(50)
  }
  return started
}

const ports = { first: 10_000, ofWorker: 1000, workers: 20 }
// Two runs on one machine begin at different places.
let tried = process.ppid * 37

/**
 * A port that no other worker of this run gets, because each has a range of its own. All are below the ports that the
 * system gives to connections and to servers on port 0, so none of these takes it before the process listens.
 */
export async function freePort() {
  const worker = Number(process.env.VITEST_POOL_ID ?? 0) % ports.workers
  for (;;) {
    const port = ports.first + worker * ports.ofWorker + (tried++ % ports.ofWorker)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, () => server.close(() => resolve(true)))
  })

/** The connection of a test's database as DATABASE_URL. */
export function databaseUrlOf({ user, password = '', host, port = 5432, database }: pg.ClientConfig) {
  return `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`
}
