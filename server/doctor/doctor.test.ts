import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { ask } from '../../test/backup.ts'
import { testDatabase } from '../../test/database.ts'
import { databaseUrlOf, freePort } from '../../test/process.ts'
import { sealAuditLog } from '../audit/seal.ts'
import { startWorker } from '../kernel/queue.ts'
import { placeOfPassword } from '../mail/queries.ts'
import { readConfig } from '../platform/config.ts'
import { createVault } from '../platform/vault.ts'
import { startKith } from '../start.ts'
import { checkAudit } from './audit.ts'
import { checkAddress } from './base-url.ts'
import { checkSearch } from './database.ts'
import { examine } from './examine.ts'
import type { Finding } from './finding.ts'
import { checkWebApp } from './machine.ts'
import { checkMail } from './mail.ts'
import { checkQueue } from './queue.ts'
import { checkConfig } from './settings.ts'

const home = mkdtempSync(join(tmpdir(), 'kith-doctor-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function doctor(env: Record<string, string>) {
  const findings: Record<string, Finding> = {}
  for await (const finding of examine(env)) findings[finding.check] = finding
  return findings
}

async function installation(more: Record<string, string> = {}) {
  const { connection, owner, ownerDb: db } = await testDatabase()
  // One role does everything here, and creates the tables of the job queue.
  await ask(owner, 'drop schema pgboss cascade')
  const DATA_DIR = mkdtempSync(join(home, 'data-'))
  const env = { DATABASE_URL: databaseUrlOf(owner), DATA_DIR, PORT: String(await freePort()), LOG: 'off', ...more }
  const start = async (extra: Record<string, string> = {}) => {
    const { stop } = await startKith(readConfig({ ...env, ...extra }), () => {})
    return stop
  }
  return { env, db, start, app: databaseUrlOf(connection), keyFile: join(DATA_DIR, 'secret.key') }
}

/** A server on loopback that answers as told. */
async function listen(server: Server | SMTPServer) {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return ((server instanceof SMTPServer ? server.server : server).address() as AddressInfo).port
}

const vault = createVault('a secret for tests')
const firstAdmin = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse' }

describe('before Kith ever ran', () => {
  test('OUTBOUND_ALLOW is shown with the settings', () => {
    const { finding } = checkConfig(() => readConfig({ OUTBOUND_ALLOW: 'mail.internal,10.0.0.0/8' }))
    expect(finding.found).toContain('companies may connect to mail.internal,10.0.0.0/8')
  })

  test('invalid settings are named, and nothing else is checked', async () => {
    const found = await doctor({ PORT: 'many', SMTP_URL: 'http://mail' })
    expect(found.Settings).toMatchObject({ status: 'failed', found: expect.stringMatching(/PORT:.*\n.*SMTP_URL:/) })
    expect(found.Database).toBeUndefined()
  })

  test('an empty folder is not an error, and stays empty', async () => {
    const DATA_DIR = join(home, 'nothing')
    const found = await doctor({ DATA_DIR })
    expect(found['Data folder']).toMatchObject({ status: 'warning' })
    expect(found.Database).toMatchObject({ status: 'warning', advice: expect.stringContaining('npm start') })
    expect(() => statSync(DATA_DIR)).toThrow('ENOENT')
  })

  test('a database that cannot be reached is named without its password', async () => {
    const secret = 'canary-secret'
    const DATABASE_URL = `postgres://kith:${secret}@127.0.0.1:1/kith`
    const found = await doctor({ DATA_DIR: home, DATABASE_URL })
    expect(found.Database).toMatchObject({ status: 'failed', found: expect.stringContaining('127.0.0.1:1/kith') })
    expect(JSON.stringify(found)).not.toContain(secret)
  })

  test('a web app that is not built, or only partly, is reported', () => {
    expect(checkWebApp(join(home, 'no-web')).status).toBe('failed')
    writeFileSync(join(home, 'index.html'), '<script src="/assets/gone.js"></script>')
    expect(checkWebApp(home)).toMatchObject({ status: 'failed', found: expect.stringContaining('assets/gone.js') })
  })
})

describe('a stopped installation', async () => {
  const { env, db, start, keyFile } = await installation()
  await (await start())()

  test('that is not set up yet is reported', async () => {
    const found = await doctor(env)
    expect(found['Agents (MCP)']).toMatchObject({ status: 'warning', found: expect.stringContaining('not set up yet') })
    expect(found.Server).toMatchObject({ status: 'warning', found: 'Kith is not running' })
    expect(Object.values(found).filter(({ status }) => status === 'failed')).toEqual([])
  })

  test('is warned about an https address without TRUST_PROXY', async () => {
    const found = await doctor({ ...env, BASE_URL: 'https://localhost' })
    expect(found.Address).toMatchObject({ status: 'failed', advice: expect.stringContaining('TRUST_PROXY=1') })
  })

  test('is warned when others may read the secret key, and when it is wrong or missing', async () => {
    chmodSync(keyFile, 0o644)
    expect((await doctor(env))['Secret key']).toMatchObject({ status: 'warning', advice: `Run chmod 600 ${keyFile}` })
    const other = { ...env, SECRET_KEY: 'another secret of more than 32 characters' }
    expect((await doctor(other))['Secret key']).toMatchObject({ status: 'failed' })
    rmSync(keyFile)
    expect((await doctor(env))['Secret key']).toMatchObject({ status: 'failed', found: `${keyFile} is missing` })
    expect(() => statSync(keyFile)).toThrow('ENOENT')
  })

  test('does not send a key to another server on its port', async () => {
    const seen: string[] = []
    const stranger = createServer(({ headers, url }, answer) => {
      seen.push(`${url} ${headers['x-api-key']}`)
      answer.end('{"status":"ok","options":{"challenge":"guess"}}')
    })
    const found = await doctor({ ...env, PORT: String(await listen(stranger)) })
    expect(found.Server).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('does not use this database'),
    })
    expect(seen.join()).not.toMatch(/mcp|[A-Za-z0-9]{64}/)
  })

  test('reports migrations that are pending, edited or of a newer version', async () => {
    const { name } = (await db
      .selectFrom('migrations' as never)
      .select('name' as never)
      .orderBy('name' as never, 'desc')
      .executeTakeFirstOrThrow()) as { name: string }
    const set = (values: object) =>
      db
        .updateTable('migrations' as never)
        .set(values as never)
        .where('name' as never, '=', name as never)
        .execute()
    await set({ checksum: 'other' })
    expect((await doctor(env)).Migrations).toMatchObject({ status: 'failed', found: expect.stringContaining('Edited') })
    await set({ name: '9999_later.sql' })
    expect((await doctor(env)).Migrations).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('9999_later.sql'),
    })
    await db
      .deleteFrom('migrations' as never)
      .where('name' as never, '=', '9999_later.sql' as never)
      .execute()
    const found = await doctor(env)
    expect(found.Migrations).toMatchObject({ status: 'warning', found: expect.stringContaining(`1 pending: ${name}`) })
    expect(found['Agents (MCP)']).toBeUndefined()
  })
})

test.each(['C', 'POSIX'])(
  'a database with the locale %s is reported, because it finds only Latin names',
  async (locale) => {
    const answer = (knows_letters: boolean) => ({ query: async () => ({ rows: [{ locale, knows_letters }] }) })
    expect(await checkSearch(answer(false) as never)).toMatchObject({
      status: 'warning',
      found: `Names in non-Latin scripts will not be found, because the locale is ${locale}`,
      advice: expect.stringContaining('C.UTF-8'),
    })
    expect(await checkSearch(answer(true) as never)).toMatchObject({ status: 'ok' })
  },
)

describe('the audit log', async () => {
  const { env, db, start, app } = await installation(firstAdmin)
  await (await start())()
  const owned = { ...env, DATABASE_URL: app, DATABASE_OWNER_URL: env.DATABASE_URL }

  test('is unprotected if one role does everything, and the doctor says what to do', async () => {
    expect((await doctor(env)).Roles).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('kith_owner, the database role of Kith, can change the audit log'),
      advice: expect.stringMatching(/create role.*\n.*DATABASE_OWNER_URL/),
    })
    expect((await doctor(owned)).Roles).toMatchObject({ status: 'ok' })
    const twice = { ...env, DATABASE_OWNER_URL: env.DATABASE_URL }
    expect((await doctor(twice)).Roles).toMatchObject({ advice: expect.stringContaining('owns nothing') })
  })

  test('is verified, and a changed event is named with its company', async () => {
    const { id } = await db.selectFrom('companies').select('id').executeTakeFirstOrThrow()
    await sealAuditLog(db, id, new Date())
    expect((await doctor(owned))['Audit log']).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/^\d+ sealed events are unchanged$/),
    })
    await sql`update audit_events set action = 'x' where position = 2`.execute(db)
    expect((await doctor(owned))['Audit log']).toMatchObject({
      status: 'failed',
      found: 'Changed after it was sealed. My company: event 2 was changed',
    })
  })

  test('that is not being sealed is reported while Kith runs', async () => {
    await sql`update audit_events set position = null, at = now() - interval '3 hours'`.execute(db)
    await sql`update companies set created_at = now() - interval '1 day'`.execute(db)
    await sql`delete from audit_chains`.execute(db)
    expect(await checkAudit(db, true)).toMatchObject({ status: 'warning', advice: expect.stringContaining('sealed') })
    expect(await checkAudit(db, false)).toMatchObject({ status: 'ok' })
  })
})

describe('a running installation', async () => {
  const { env, db, start } = await installation({ WORKER: '0', ...firstAdmin })
  const stop = await start()
  const other = await installation()
  const stopOther = await other.start()
  afterAll(() => Promise.all([stop(), stopOther()]))
  const at = (baseUrl: string) => checkAddress(readConfig({ ...env, BASE_URL: baseUrl }), db)

  /** A proxy that hands on to this port, with these headers instead. */
  const proxy = (port: string, headers: Record<string, string> = {}) =>
    listen(
      createServer((visit, answer) => {
        const options = { port, method: visit.method, path: visit.url, headers: { ...visit.headers, ...headers } }
        const onward = request(options, (reply) => {
          answer.writeHead(reply.statusCode!, reply.headers)
          reply.pipe(answer)
        })
        visit.pipe(onward)
      }),
    )

  test('without a worker has events that are not processed', async () => {
    const found = await doctor(env)
    expect(found.Worker).toMatchObject({ status: 'failed', advice: expect.stringContaining('npm run worker') })
    expect(found.Server).toMatchObject({ status: 'ok' })
    expect(await db.selectFrom('outbox').select('id').where('event', '=', 'doctor.asked').execute()).toEqual([])
  })

  test('is reached through a proxy that forwards headers unchanged', async () => {
    expect(await at(`http://localhost:${await proxy(env.PORT)}`)).toMatchObject({ status: 'ok' })
  })

  test('is warned that the proxy must forward the Host header', async () => {
    const port = await proxy(env.PORT, { host: 'upstream' })
    expect(await at(`http://localhost:${port}`)).toMatchObject({
      status: 'failed',
      advice: expect.stringContaining('Host header'),
    })
  })

  test('is warned when its address reaches another Kith', async () => {
    const port = await proxy(other.env.PORT)
    expect(await at(`http://localhost:${port}`)).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('does not reach this Kith'),
    })
  })

  test('is warned when its address reaches another page, redirects or does not respond', async () => {
    const page = await listen(createServer((_, answer) => answer.end('hello')))
    expect(await at(`http://localhost:${page}`)).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('start page'),
    })
    const onward = await listen(
      createServer((_, answer) => answer.writeHead(301, { location: 'https://crm.example.com/' }).end()),
    )
    expect(await at(`http://localhost:${onward}`)).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('redirects to https://crm.example.com'),
    })
    const broken = await listen(createServer((_, answer) => answer.writeHead(502).end()))
    expect(await at(`http://localhost:${broken}`)).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('502'),
    })
    expect(await at(`http://localhost:${await freePort()}`)).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('cannot be reached'),
    })
  })

  test('is warned when it runs on another port than the doctor checks', async () => {
    const found = await doctor({ ...env, PORT: String(await freePort()) })
    expect(found.Server).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('A Kith uses this database'),
    })
  })

  test('has its mail server checked, without sending an email or showing its password', async () => {
    const mails: string[] = []
    const smtp = new SMTPServer({
      allowInsecureAuth: true,
      hideSTARTTLS: true,
      onAuth: ({ username, password }, _session, done) =>
        password === 'right-one' ? done(null, { user: username }) : done(new Error(`no, ${password}`)),
      onMailFrom: ({ address }, _session, done) => done(void mails.push(address)),
    })
    const port = await listen(smtp)
    const url = (password: string) => `smtp://kith:${password}@127.0.0.1:${port}`
    const ask = (password: string) => checkMail(readConfig({ ...env, SMTP_URL: url(password) }), db, vault)
    expect(await ask('right-one')).toMatchObject({ status: 'ok' })
    const wrong = await ask('canary-wrong')
    expect(wrong).toMatchObject({ status: 'failed', found: expect.stringContaining('SMTP_URL: ') })
    expect(JSON.stringify(wrong)).not.toContain('canary-wrong')

    const own = { host: 'localhost', port, security: 'none', from_name: 'Acme', from_email: 'crm@example.com' }
    const { id: company_id } = await db.selectFrom('companies').select('id').executeTakeFirstOrThrow()
    const place = placeOfPassword(company_id)
    await db
      .insertInto('mail_settings')
      .values({ ...own, company_id, username: 'acme', password: vault.seal('canary-wrong', place) })
      .execute()
    expect(await ask('right-one')).toMatchObject({ status: 'failed', found: expect.stringMatching(/^My company: /) })
    await db
      .updateTable('mail_settings')
      .set({ password: vault.seal('right-one', place) })
      .execute()
    expect(await ask('right-one')).toMatchObject({ status: 'ok', found: 'Signed in to 127.0.0.1, localhost' })
    expect(mails).toEqual([])
  })
})

test('failed jobs are named', async () => {
  const { connection, owner, pool, db } = await testDatabase()
  await ask(owner, `drop schema pgboss cascade; create schema pgboss; grant all on schema pgboss to ${connection.user}`)
  const tools = { pool, db, log: pino({ level: 'silent' }), clock: () => new Date() }
  expect(await checkQueue(db, true)).toMatchObject({ status: 'ok', found: 'None yet' })
  const stumble = { retries: 0, run: () => Promise.reject(new Error('no')) }
  const worker = await startWorker(tools, { stumble }, { 'company.updated': ['stumble'] })
  expect(await checkQueue(db, true)).toMatchObject({ status: 'ok', found: 'None failed' })
  const event = { company_id: randomUUID(), event: 'company.updated', payload: '{}', request_id: 'a test' }
  await db
    .insertInto('outbox')
    .values({ ...event, id: randomUUID(), at: new Date() })
    .execute()
  await vi.waitFor(
    async () => expect(await checkQueue(db, true)).toMatchObject({ status: 'warning', found: 'Failed: stumble 1' }),
    60_000,
  )
  await worker.stop()
})
