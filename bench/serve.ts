// Runs our server or the ceiling in its own process, on a database of the benchmark.
import { fork } from 'node:child_process'
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
  const child = fork(file, args, frugal)
  const next = () => new Promise<number>((resolve) => child.once('message', (value) => resolve(Number(value))))
  const port = await next()
  const ask = (what: 'rss' | 'held') => () => {
    child.send(what)
    return next()
  }
  return {
    port,
    rss: ask('rss'),
    held: ask('held'),
    tell: (what: object) => child.send(what),
    stop: () => child.kill(),
  }
}

/** The other side of `serve`. */
export function listening(port: number) {
  process.send!(port)
  const delays = monitorEventLoopDelay({ resolution: 2 })
  delays.enable()
  process.on('message', (what) => {
    if (what !== 'held' && what !== 'rss') return
    process.send!(what === 'held' ? delays.max / 1e6 : process.memoryUsage().rss)
    if (what === 'held') delays.reset()
  })
}
