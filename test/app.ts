// The whole product in this process, on a database of its own, with a clock that tests may turn.
import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll } from 'vitest'
import { contract } from '../contract/index.ts'
import { type AppParts, createApp } from '../server/app.ts'
import { createVault } from '../server/kernel/vault.ts'
import { createMailer } from '../server/mail/mailer.ts'
import { type Client, createClient } from '../web/api.ts'
import { testDatabase } from './database.ts'
import { givenFor } from './given.ts'

export type TestApp = Awaited<ReturnType<typeof testApp>>
export type Api = Client<typeof contract>

type Settings = Pick<AppParts, 'rateLimit' | 'liveLimits' | 'alsoOffer'> & {
  /** That of another app, to be a second process on it. */
  database?: Pick<AppParts, 'connection' | 'pool' | 'db'>
  baseUrl?: string
  trustProxy?: boolean
  setUpToken?: string
  openSignup?: boolean
  smtpUrl?: string
}

export async function testApp(settings: Settings = {}) {
  const { connection, pool, db } = settings.database ?? (await testDatabase())
  const time = { now: new Date('2026-06-15T12:00:00Z') }
  const logged: string[] = []
  const log = pino({ level: 'trace' }, new Writable({ write: (line, _, done) => done(void logged.push(String(line))) }))
  const config = {
    baseUrl: new URL(settings.baseUrl ?? 'http://localhost:3000'),
    trustProxy: settings.trustProxy ?? false,
  }
  const vault = createVault('a secret for tests')
  const mailer = createMailer({ smtpUrl: settings.smtpUrl, baseUrl: config.baseUrl, vault, publicOnly: false })
  const house = {
    baseUrl: config.baseUrl,
    vault,
    mailer,
    openSignup: settings.openSignup ?? false,
    demo: false,
    setUpToken: settings.setUpToken ?? null,
  }
  const committed: (() => void)[] = []
  const { http: app, requests } = await createApp({
    config,
    connection,
    pool,
    db,
    log,
    clock: () => time.now,
    house,
    webFolder: resolve('dist/web'),
    rateLimit: settings.rateLimit,
    liveLimits: settings.liveLimits,
    alsoOffer: settings.alsoOffer,
    committed: () => committed.forEach((tell) => void tell()),
  })
  afterAll(() => app.close())

  /** One request as it goes over the wire, without the wire. */
  async function send(path: string, init: RequestInit = {}) {
    const headers = { host: config.baseUrl.host, ...Object.fromEntries(new Headers(init.headers)) }
    const options = {
      method: (init.method ?? 'GET') as 'GET',
      url: path,
      headers,
      payload: init.body as string,
      remoteAddress: '127.0.0.1',
    }
    const answer = await app.inject(options)
    const fields = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    )
    const empty = [204, 304].includes(answer.statusCode)
    return new Response(empty ? null : answer.body, { status: answer.statusCode, headers: fields })
  }
  const client = (prefix: string, headers: Record<string, string>): Api =>
    createClient(contract, (path, init) =>
      send(prefix + path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers } }),
    )

  return {
    app,
    requests,
    house,
    pool,
    db,
    connection,
    time,
    logged,
    send,
    onCommit: (tell: () => void) => committed.push(tell),
    given: givenFor(db, () => time.now),
    visitor: client('/app/api', {}),
    withKey: (value: string) => client('/api/v1', { 'x-api-key': value }),
    withSession: (token: string) => client('/app/api', { cookie: `kith_session=${token}` }),
  }
}
