// One authenticated REST call beside bare node:http that runs the same key query and answers with the same bytes.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findActorByKey } from '../server/api-keys/queries.ts'
import { createApp } from '../server/app.ts'
import { createDb, createPool } from '../server/kernel/db.ts'
import { startEmbeddedPostgres } from '../server/kernel/embedded-postgres.ts'
import { createLog } from '../server/kernel/log.ts'
import { migrate } from '../server/kernel/migrate.ts'
import { givenFor } from '../test/given.ts'
import { compare } from './harness.ts'

const [role, connection = '{}', body = ''] = process.argv.slice(2)
if (role === 'ours') await serveOurs()
else if (role === 'ceiling') await serveCeiling()
else await measure()

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'kith-bench-'))
  const database = await startEmbeddedPostgres(folder)
  await migrate(database.connection)
  const pool = createPool(database.connection)
  const given = givenFor(createDb(pool), () => new Date())
  const key = await given.key(await given.company())
  await pool.end()
  const start = (role: string, ...args: string[]) => {
    const child = fork(import.meta.filename, [role, JSON.stringify(database.connection), ...args])
    return new Promise<{ child: typeof child; port: number }>((resolve) =>
      child.once('message', (port) => resolve({ child, port: Number(port) })),
    )
  }
  const ours = await start('ours')
  const headers = { 'x-api-key': key }
  const answer = await (await fetch(`http://localhost:${ours.port}/api/v1/me`, { headers })).text()
  const ceiling = await start('ceiling', answer)
  await compare('GET /api/v1/me', {
    ours: { port: ours.port, path: '/api/v1/me', headers },
    ceiling: { port: ceiling.port, path: '/api/v1/me', headers },
  })
  for (const { child } of [ours, ceiling]) child.kill()
  await database.stop()
  rmSync(folder, { recursive: true })
}

async function serveOurs() {
  const pool = createPool(JSON.parse(connection))
  const log = await createLog({ log: 'file', dataDir: mkdtempSync(join(tmpdir(), 'kith-bench-log-')) })
  const config = { baseUrl: new URL('http://localhost'), trustProxy: false }
  const parts = {
    config,
    pool,
    db: createDb(pool),
    log,
    clock: () => new Date(),
    setUpToken: null,
    webFolder: '/nowhere',
    committed: () => {},
  }
  const { http } = await createApp(parts)
  await http.listen({ port: 0, host: '127.0.0.1' })
  process.send!((http.server.address() as { port: number }).port)
}

async function serveCeiling() {
  const pool = createPool(JSON.parse(connection))
  const server = createServer(async (request, response) => {
    const actor = await findActorByKey(pool, String(request.headers['x-api-key']))
    response
      .writeHead(actor ? 200 : 401, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body)
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as { port: number }).port))
}
