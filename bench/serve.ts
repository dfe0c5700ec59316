// Runs our server or the ceiling in its own process, on a database of the benchmark.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { frugal } from '../scripts/frugal.mjs'
import { createDb, createPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { migrate } from '../server/platform/migrate.ts'
import { givenFor } from '../test/given.ts'

/** A new database with one company and an API key of its Admin. */
export async function benchDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'kith-bench-'))
  const database = await startEmbeddedPostgres(folder)
  await migrate(database.superuser)
  const pool = createPool(database.superuser)
  const given = givenFor(createDb(pool), () => new Date())
  const key = await given.key(await given.company())
  await pool.end()
  const stop = async () => {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { connection: database.superuser, key, stop }
}

/** Forks a file that reports its port when it listens and, on request, its memory or how long its event loop was blocked. */
export async function serve(file: string, ...args: string[]) {
  const child = fork(file, args, { ...frugal, env: { ...frugal.env, ...process.env } })
  const next = () => new Promise<number>((resolve) => child.once('message', (value) => resolve(Number(value))))
  const port = await next()
  const ask = (what: 'rss' | 'held' | 'busy') => () => {
    child.send(what)
    return next()
  }
  return {
    port,
    rss: ask('rss'),
    held: ask('held'),
    busy: ask('busy'),
    tell: (what: object) => child.send(what),
    /** Resolves when it has ended, and with it Node has kept what it compiled for the next start. */
    async stop() {
      const ended = once(child, 'exit')
      if (child.kill()) await ended
    },
    /** As the system does when memory is short. */
    async kill() {
      const ended = once(child, 'exit')
      if (child.kill('SIGKILL')) await ended
    },
  }
}

/** The other side of `serve`. */
export function listening(port: number) {
  process.once('SIGTERM', () => process.exit())
  process.send!(port)
  const delays = monitorEventLoopDelay({ resolution: 2 })
  delays.enable()
  const busy = mostBusy()
  process.on('message', (what) => {
    if (what === 'rss') process.send!(process.memoryUsage().rss)
    if (what === 'busy') process.send!(busy())
    if (what !== 'held') return
    process.send!(delays.max / 1e6)
    delays.reset()
  })
}

/**
 * The most CPU time, in milliseconds, that this thread used without a pause since the last time. Unlike the delays of the
 * event loop, it is the same on a busy machine.
 */
function mostBusy() {
  let last = process.threadCpuUsage()
  let most = 0
  const look = () => {
    const now = process.threadCpuUsage()
    most = Math.max(most, (now.user - last.user + now.system - last.system) / 1000)
    last = now
  }
  setInterval(look, 2).unref()
  return () => {
    look()
    const seen = most
    most = 0
    return seen
  }
}
