// Folders with a PostgreSQL of Kith's own.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll } from 'vitest'

const folders: string[] = []
export const folder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'kith-pg-')))
  return join(folders.at(-1)!, 'data')
}
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

/** The first value of the answer. */
export async function ask(connection: pg.ClientConfig, text: string) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query(text)
    return rows[0] && Object.values(rows[0])[0]
  } finally {
    await client.end()
  }
}

/** Kith's database in a process of its own, so that it can be killed. `first`: code that runs before it starts. */
export async function inChild(dataDir: string, first = ''): Promise<ChildProcess> {
  const program = `
    ${first}
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('../server/platform/embedded-postgres.ts', import.meta.url).href)}
    await startEmbeddedPostgres(process.argv[1])
    process.send('up')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await new Promise((resolve) => child.once('message', resolve))
  return child
}
export const killed = (child: ChildProcess) => {
  child.kill('SIGKILL')
  return new Promise((resolve) => child.once('exit', resolve))
}
