// Kith as it runs in production, without its startup: [connection as JSON, "mcp" for 25 more tools or "stream" for one
// that streams, "limited" to keep the rate limits, "worker" to run the background work too, or "limited worker"]
import { randomUUIDv7 } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../server/app.ts'
import { startBackground } from '../server/background.ts'
import { mailboxKind } from '../server/channels/email/kind.ts'
import { mailboxServices } from '../server/channels/email/mailbox.ts'
import { createSignIns } from '../server/channels/email/oauth.ts'
import { incomingOf } from '../server/channels/email/read.ts'
import { readSource } from '../server/channels/email/read-source.ts'
import { providerAddresses } from '../server/channels/gateway/call-provider.ts'
import { openFiles } from '../server/files/open.ts'
import type { ChannelRow } from '../server/inbox/channels/channel.ts'
import { readMessages } from '../server/inbox/receiving/read-messages.ts'
import { receive } from '../server/inbox/receiving/receive.ts'
import { createMailer } from '../server/mail/mailer.ts'
import { createDb, transaction } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import { createOffload } from '../server/platform/offload.ts'
import { createPools } from '../server/platform/pools.ts'
import { createOutbound } from '../server/platform/public-fetch.ts'
import { createVault } from '../server/platform/vault.ts'
import { benchTools, streamingTool } from './mcp-tools.ts'
import { listening } from './serve.ts'

const connection = JSON.parse(process.argv[2]!)
const modes = (process.argv[3] ?? '').split(' ')
const baseUrl = new URL('http://localhost')
const without = { perSecond: 1e9, burst: 1e9 }
const vault = createVault('a secret for benchmarks')
const mailer = createMailer({ baseUrl, vault, openSignup: false })
const files = openFiles({
  // One that takes over from another needs its files.
  dataDir: process.env.FILES_FOLDER ?? mkdtempSync(join(tmpdir(), 'kith-bench-files-')),
  filesQuotaMb: 1000,
  s3: undefined,
  filesStore: undefined,
})
const tools = { mcp: benchTools, stream: [streamingTool] }[process.argv[3] ?? '']
const pools = createPools({ connection })
const clock = () => new Date()
const log = await createLog({ log: 'file', dataDir: mkdtempSync(join(tmpdir(), 'kith-bench-log-')) })
const db = createDb(pools.background)
const mailboxes = mailboxServices({ vault, signIns: createSignIns({ baseUrl, providers: {} }), openSignup: false })
const services = {
  baseUrl,
  vault,
  mailer,
  openSignup: false,
  setUpToken: null,
  files,
  offload: createOffload({ log }),
  outbound: createOutbound('127.0.0.1'),
  channelKinds: { email: mailboxKind({ db, services: mailboxes, log }) },
  providers: providerAddresses,
  mailboxes,
  ...(!modes.includes('limited') && { formRates: { wait: () => 0, isFrequent: () => false, isRepeated: () => false } }),
}
const worker = modes.includes('worker')
  ? await startBackground(
      { pool: pools.background, db, log, clock },
      {
        ...services,
        demo: false,
        ownerDb: db,
        heavyDb: createDb(pools.heavy),
        heavyAsOf: () => new Date(),
      },
    )
  : undefined
const { http } = await createApp({
  config: { baseUrl, trustProxy: false },
  connection,
  pools,
  log,
  clock,
  services,
  webFolder: '/nowhere',
  committed: () => worker?.wake(),
  ...(!modes.includes('limited') && {
    rateLimits: { key: without, session: without, company: without, outsider: without },
    openLimits: {
      users: { each: 1000, company: 1000, few: 0, all: 1000 },
      strangers: { each: 1000, few: 0, all: 1000 },
      gateways: { each: 1000, company: 1000, few: 0, all: 1000 },
    },
  }),
  ...(tools && { alsoOffer: { tools } }),
})
/** A mail, taken as a mailbox takes it after it was fetched. */
const receiving = new Map<string, ChannelRow>()
process.on('message', async (message: { company_id?: string; source?: string }) => {
  const { company_id, source } = message
  if (!company_id || !source) return
  const channel = receiving.get(company_id) ?? (await addMailbox(company_id))
  receiving.set(company_id, channel)
  const mail = await readSource(services.offload, company_id, Buffer.from(source), clock())
  const found = { role: 'inbox' as const, flags: new Set<string>(), arrivedAt: clock(), ownKey: Buffer.alloc(32) }
  const read = await readMessages(services, db, channel, [incomingOf(mail, channel, found)], clock())
  await transaction(db, (tx) => receive(tx, channel, read, clock()))
})

async function addMailbox(company_id: string): Promise<ChannelRow> {
  const row = { company_id, id: randomUUIDv7(), kind: 'email', name: 'Team', address: 'team@attacker.example' }
  await db
    .insertInto('channels')
    .values({ ...row, settings: '{}', state: 'paused', created_at: clock() })
    .execute()
  return { ...row, owner_id: null, settings: {}, secrets: null }
}

await http.listen({ port: 0, host: '127.0.0.1' })
listening((http.server.address() as { port: number }).port)
