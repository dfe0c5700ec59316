// Kith as it runs in production, without the start: [connection as JSON, "mcp" to offer 25 more tools]
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../server/app.ts'
import { createDb, createPool } from '../server/kernel/db.ts'
import { createLog } from '../server/kernel/log.ts'
import { benchTools } from './mcp-tools.ts'
import { listening } from './serve.ts'

const pool = createPool(JSON.parse(process.argv[2]!))
const { http } = await createApp({
  config: { baseUrl: new URL('http://localhost'), trustProxy: false },
  pool,
  db: createDb(pool),
  log: await createLog({ log: 'file', dataDir: mkdtempSync(join(tmpdir(), 'kith-bench-log-')) }),
  clock: () => new Date(),
  setUpToken: null,
  webFolder: '/nowhere',
  committed: () => {},
  rateLimit: { perSecond: 1e9, burst: 1e9 },
  ...(process.argv[3] === 'mcp' && { alsoOffer: { tools: benchTools } }),
})
await http.listen({ port: 0, host: '127.0.0.1' })
listening((http.server.address() as { port: number }).port)
