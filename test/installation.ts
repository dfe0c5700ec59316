// A whole installation in processes of its own, with its own database, each of which can be killed.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { contract } from '../contract/index.ts'
import { createDb, createPool } from '../server/platform/db.ts'
import { joinEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { exists, readLockFile } from '../server/platform/postgres-process.ts'
import { type Client, createClient } from '../web/client/api.ts'
import { givenFor } from './given.ts'
import { copyFolder, prepared } from './prepared.ts'
import { endLaunched, freePort, launch, type Started, until } from './process.ts'

/** A data folder as the first start leaves it, because to create a database takes some seconds. Benchmarks have none. */
export function preparedFolder() {
  const folder = join(mkdtempSync(join(tmpdir(), 'in-')), 'data')
  if (existsSync(prepared)) copyFolder(prepared, folder)
  return folder
}

export type Installation = Awaited<ReturnType<typeof install>>

/** `more`: further settings. */
export async function install(more: Record<string, string> = {}) {
  const dataDir = preparedFolder()
  const port = await freePort()
  const env = { DATA_DIR: dataDir, PORT: String(port), ...more }
  const startServer = () => until(launch('main', env), 'Kith is ready')
  const startWorker = () => until(launch('worker', env), 'worker is ready')
  const kill = async ({ child, ended }: Started) => {
    child.kill('SIGKILL')
    await ended
  }

  const server = await startServer()
  /** As the owner of the tables. After the database was killed, connections are made again. */
  const pool = createPool((await joinEmbeddedPostgres(dataDir)).owner, { max: 2 })
  const db = createDb(pool)
  const postgres = () => readLockFile(join(dataDir, 'postgres', 'cluster'))!.pid

  return {
    dataDir,
    url: `http://localhost:${port}`,
    server,
    startServer,
    startWorker,
    kill,
    pool,
    db,
    /** The process of its database. */
    postgres,
    given: givenFor(db, () => new Date()),
    /** Also its sessions: they end when they notice that their parent has died. */
    async killPostgres() {
      const pid = postgres()
      process.kill(pid, 'SIGKILL')
      while (exists(pid)) await sleep(5)
    },
    withKey: (key: string): Client<typeof contract> =>
      createClient<typeof contract>(contract, '/api/v1', (path, init) =>
        fetch(`http://localhost:${port}${path}`, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init.headers)), 'x-api-key': key },
        }),
      ),
    /** Until it answers truthfully, however often the database is away meanwhile. */
    async eventually<T>(look: () => Promise<T | undefined | false>, seconds = 60): Promise<T> {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(10)) {
        const seen = await look().catch(() => undefined)
        if (seen) return seen
      }
      throw new Error(`did not happen within ${seconds} s`)
    },
    async remove() {
      await pool.end()
      await endLaunched()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
