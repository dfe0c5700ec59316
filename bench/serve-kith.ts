// Kith as it runs in production, without the start: [connection as JSON, "mcp" to offer 25 more tools, or "stream" for one that streams, "limited" to keep the limits of callers, "jobs" to run them]
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../server/app.ts'
import { openFiles } from '../server/files/open.ts'
import { startJobRunner } from '../server/jobs/runner.ts'
import { jobHandlers, jobs, liveMessagesOf, subscriptions } from '../server/jobs.ts'
import { startWorker } from '../server/kernel/jobs.ts'
import { createMailer } from '../server/mail/mailer.ts'
import { createDb } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import { createPools } from '../server/platform/pools.ts'
import { createVault } from '../server/platform/vault.ts'
import { benchTools, streamingTool } from './mcp-tools.ts'
import { listening } from './serve.ts'

const connection = JSON.parse(process.argv[2]!)
const baseUrl = new URL('http://localhost')
const without = { perSecond: 1e9, burst: 1e9 }
const vault = createVault('a secret for benchmarks')
const mailer = createMailer({ baseUrl, vault, openSignup: false })
const files = openFiles({ dataDir: mkdtempSync(join(tmpdir(), 'kith-bench-files-')), filesQuotaMb: 1000 })
const tools = { mcp: benchTools, stream: [streamingTool] }[process.argv[3] ?? '']
const pools = createPools(connection)
const log = await createLog({ log: 'file', dataDir: mkdtempSync(join(tmpdir(), 'kith-bench-log-')) })
const clock = () => new Date()
const runner = process.argv[3] === 'jobs' ? await runJobs() : undefined
const { http } = await createApp({
  config: { baseUrl, trustProxy: false },
  connection,
  pools,
  log,
  clock,
  services: { baseUrl, vault, mailer, openSignup: false, setUpToken: null, files },
  webFolder: '/nowhere',
  committed: () => runner?.wake(),
  ...(process.argv[3] !== 'limited' && { rateLimits: { key: without, session: without, company: without } }),
  ...(tools && { alsoOffer: { tools } }),
})
await http.listen({ port: 0, host: '127.0.0.1' })
listening((http.server.address() as { port: number }).port)

async function runJobs() {
  const db = createDb(pools.background)
  const services = { files, baseUrl, vault, mailer, openSignup: false, demo: false, ownerDb: db }
  const worker = await startWorker({ pool: pools.background, db, log, clock }, jobs(services), subscriptions, {
    liveMessagesOf,
  })
  const handlers = jobHandlers({ files, heavyDb: createDb(pools.heavy) })
  const started = startJobRunner({ db, log, clock, handlers })
  return {
    wake() {
      worker.wake()
      started.wake()
    },
  }
}
