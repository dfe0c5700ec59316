// The whole product in this process, on a database of its own, with a clock that tests may turn.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, expect } from 'vitest'
import { contract } from '../contract/index.ts'
import { type AppParts, createApp } from '../server/app.ts'
import { chatKind } from '../server/channels/chat/kind.ts'
import { mailboxKind } from '../server/channels/email/kind.ts'
import { mailboxServices } from '../server/channels/email/mailbox.ts'
import { createSignIns, type ProviderSetup } from '../server/channels/email/oauth.ts'
import type { ProviderAddresses } from '../server/channels/gateway/call-provider.ts'
import { gatewayChannelKinds } from '../server/channels/kinds.ts'
import { diskStore } from '../server/files/store.ts'
import type { ChannelKinds } from '../server/inbox/channels/channel.ts'
import { createMailer } from '../server/mail/mailer.ts'
import { createDb, createPool } from '../server/platform/db.ts'
import { createOffload } from '../server/platform/offload.ts'
import { createPools } from '../server/platform/pools.ts'
import { createOutbound, type Outbound } from '../server/platform/public-fetch.ts'
import { createVault } from '../server/platform/vault.ts'
import { type Client, createClient } from '../web/client/api.ts'
import { createDatabase, testDatabase } from './database.ts'
import { givenFor } from './given.ts'
import { watch } from './one-company/watch.ts'
import { timed } from './timed.ts'

export type TestApp = Awaited<ReturnType<typeof testApp>>
export type Api = Client<typeof contract>

type Settings = Pick<AppParts, 'rateLimits' | 'openLimits' | 'liveLimits' | 'alsoOffer' | 'drainMs'> &
  Partial<Pick<AppParts, 'webFolder'>> & {
    /** For tests that run jobs, look at rows of all companies, or change what files share in another way. */
    own?: true
    /** That of another app, to be a second process on it. */
    database?: Omit<Awaited<ReturnType<typeof testDatabase>>, 'ownerPool'>
    baseUrl?: string
    trustProxy?: boolean | string[]
    setUpToken?: string
    openSignup?: boolean
    /** Signing up waits for a job that fills the company. */
    demo?: boolean
    smtpUrl?: string
    /** What sealed the secrets of a database that comes from elsewhere. */
    secret?: string
    filesFolder?: string
    /** Limits for reading what strangers send. */
    offload?: Omit<Parameters<typeof createOffload>[0], 'log'>
    /** Receivers of webhooks are on the loopback. */
    outbound?: Outbound
    filesQuotaBytes?: number
    /** Where mailboxes are signed in to. */
    mailboxProviders?: Partial<Record<'google' | 'microsoft', ProviderSetup>>
    /** Where the APIs of providers of messaging are. */
    providers?: Partial<ProviderAddresses>
    /** By default mailboxes and gateways. */
    channelKinds?: ChannelKinds
  }

/** All tests come from one address, and send more than people and programs do. */
const much = { perSecond: 1e6, burst: 1e6 }
const unhurried = Object.fromEntries(
  ['key', 'session', 'company', 'stranger', 'wrongKey', 'outsider', 'gateway'].map((limit) => [limit, much]),
)
const roomy = {
  strangers: { each: 1000, few: 0, all: 1000 },
  visitorPolls: { each: 1000, few: 0, all: 1000 },
  lookups: 1000,
  gateways: { each: 1000, company: 1000, few: 0, all: 1000 },
  users: { each: 1000, company: 1000, few: 0, all: 1000 },
}
const firstMoment = () => new Date('2026-06-15T12:00:00Z')

const payloadOf = async (body: RequestInit['body']) =>
  body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : body ? String(body) : undefined

/** The app that all files of this test worker share, unless this one has settings. */
export async function testApp(settings: Settings = {}) {
  const isShared = !Object.keys(settings).length
  const kith = isShared ? await sharedApp() : await startApp(settings)
  afterAll(async () => {
    if (!isShared) await kith.close()
    expect(kith.statementProblems(), 'every statement names one company').toEqual([])
  })
  return { ...kith, isShared }
}

/** It ends with the worker. */
let shared: ReturnType<typeof startApp> | undefined

async function sharedApp() {
  shared ??= createDatabase().then((database) => startApp({ database }))
  const kith = await shared
  kith.asNew()
  return kith
}

async function startApp(settings: Settings) {
  const { connection, pool, db, owner, ownerDb } = settings.database ?? (await testDatabase())
  const pools = createPools({ connection })
  // More connections than a process has, so that tests can hold many jobs at the same point.
  const [backgroundPool, ownerPool] = [createPool(connection, { max: 16 }), createPool(owner, { max: 2 })]
  const backgroundDb = createDb(backgroundPool)
  const time = { now: firstMoment() }
  const logged: string[] = []
  const log = pino({ level: 'trace' }, new Writable({ write: (line, _, done) => done(void logged.push(String(line))) }))
  const config = {
    baseUrl: new URL(settings.baseUrl ?? 'http://localhost:3000'),
    trustProxy: settings.trustProxy ?? false,
  }
  const vault = createVault(settings.secret ?? 'a secret for tests')
  const openSignup = settings.openSignup ?? false
  const { smtpUrl } = settings
  // Tests have their mail servers on the loopback, and several companies.
  const mailer = createMailer({ smtpUrl, baseUrl: config.baseUrl, vault, openSignup, outboundAllow: '127.0.0.1' })
  const filesFolder = settings.filesFolder ?? mkdtempSync(join(tmpdir(), 'kith-files-'))
  const files = { store: diskStore(filesFolder), quotaBytes: settings.filesQuotaBytes ?? 1e9 }
  const signIns = createSignIns({
    baseUrl: config.baseUrl,
    providers: settings.mailboxProviders ?? {},
    allowHttp: true,
  })
  const mailboxes = mailboxServices({ vault, signIns, openSignup: true, outboundAllow: '127.0.0.1' })
  // Nothing of a provider is there unless a test starts it.
  const away = 'http://127.0.0.1:9'
  const providers = { telegram: away, twilio: away, whatsapp: away, ...settings.providers }
  const outbound = settings.outbound ?? createOutbound('127.0.0.1')
  const services = {
    files,
    offload: createOffload({ log, ...settings.offload }),
    baseUrl: config.baseUrl,
    vault,
    mailer,
    openSignup,
    demo: settings.demo ?? false,
    outbound,
    mailboxes,
    providers,
    channelKinds: settings.channelKinds ?? {
      chat: chatKind,
      email: mailboxKind({ db: backgroundDb, services: mailboxes, log }),
      ...gatewayChannelKinds({
        db: backgroundDb,
        vault,
        fetch: outbound.fetch,
        clock: () => time.now,
        addresses: providers,
        baseUrl: config.baseUrl,
      }),
    },
    setUpToken: settings.setUpToken ?? null,
    ownerDb: createDb(ownerPool),
    heavyDb: createDb(pools.heavy),
    heavyAsOf: () => time.now,
  }
  const statementProblems = watch([pools.auth, pools.work, pools.heavy, pools.background, backgroundPool, ownerPool])
  const committed: (() => void)[] = []
  const {
    http: app,
    requests,
    refusals,
  } = await timed('app: create', () =>
    createApp({
      config,
      connection,
      pools,
      log,
      clock: () => time.now,
      services,
      webFolder: settings.webFolder ?? resolve('dist/web'),
      rateLimits: { ...unhurried, ...settings.rateLimits },
      openLimits: { ...roomy, ...settings.openLimits },
      liveLimits: settings.liveLimits,
      alsoOffer: settings.alsoOffer,
      committed: () => committed.forEach((tell) => void tell()),
      drainMs: settings.drainMs ?? 0,
    }),
  )
  async function close() {
    await timed('app: close', () => app.close())
    await Promise.all([services.offload.stop(), pools.end(), backgroundPool.end(), ownerPool.end()])
    rmSync(filesFolder, { recursive: true, force: true })
  }
  /** What another file of this worker may have changed. */
  function asNew() {
    time.now = firstMoment()
    logged.length = 0
    committed.length = 0
  }

  /** One request as it goes over the wire, without the wire. */
  async function send(path: string, init: RequestInit = {}) {
    const headers = { host: config.baseUrl.host, ...Object.fromEntries(new Headers(init.headers)) }
    const options = {
      method: (init.method ?? 'GET') as 'GET',
      url: path,
      headers,
      payload: await payloadOf(init.body),
      remoteAddress: '127.0.0.1',
    }
    const answer = await app.inject(options)
    const fields = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    )
    const empty = [204, 304].includes(answer.statusCode)
    return new Response(empty ? null : new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers: fields,
    })
  }
  const client = (mount: '/app/api' | '/api/v1', headers: Record<string, string>): Api =>
    createClient<typeof contract>(contract, mount, (path, init) =>
      send(path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers } }),
    )

  return {
    app,
    asNew,
    close,
    statementProblems,
    requests,
    refusals,
    services,
    filesFolder,
    pools,
    pool,
    db,
    connection,
    owner,
    ownerDb,
    backgroundPool,
    backgroundDb,
    time,
    /** Days after everything the test has created: IDs carry the machine's time, not the test's. */
    daysLater: (count: number) => {
      time.now = new Date(Math.max(time.now.getTime(), Date.now()) + count * 86_400_000)
    },
    minutes: (count: number) => {
      time.now = new Date(time.now.getTime() + count * 60_000)
    },
    log,
    logged,
    send,
    onCommit: (tell: () => void) => committed.push(tell),
    given: givenFor(db, () => time.now),
    visitor: client('/app/api', {}),
    withKey: (value: string) => client('/api/v1', { 'x-api-key': value }),
    withSession: (token: string) => client('/app/api', { cookie: `kith_session=${token}` }),
  }
}
