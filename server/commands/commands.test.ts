// The programs beside the server as a user starts them, on one installation that runs and then does not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '../../contract/index.ts'
import { preparedFolder } from '../../test/installation.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { freePort, launch, type Started, until } from '../../test/process.ts'
import { createClient } from '../../web/client/api.ts'
import type { Finding } from '../doctor/finding.ts'
import { createDb, createPool, type Db } from '../platform/db.ts'
import { runsEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { borrowDatabase } from '../platform/open-database.ts'

waitForProcesses()

const dataDir = preparedFolder()
const port = await freePort()
const env = { PORT: String(port), DATA_DIR: dataDir, LOG: 'off' }
const admin = { email: 'ada@example.com', password: 'correct horse' }
let kith: Started

beforeAll(async () => {
  kith = launch('main', { ...env, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
  await until(kith, 'Kith is ready')
})
afterAll(async () => {
  kith.child.kill('SIGTERM')
  await kith.ended
})

const visitor = createClient<typeof contract>(contract, '/app/api', (path, init) =>
  fetch(`http://localhost:${port}${path}`, init),
)
const linkIn = (output: string) => /http:\/\/localhost:\d+(\/[a-z-]+)#token=([\w-]{43})/.exec(output)

async function run(program: string, ...args: string[]) {
  const started = launch(`commands/${program}`, env, args)
  return { code: await started.ended, output: started.output() }
}

async function refused([program = '', ...args]: string[], words: string) {
  const { code, output } = await run(program, ...args)
  expect(code, output).toBe(1)
  expect(output).toContain(words)
  expect(output).not.toContain('    at ')
}

async function onDb<T>(work: (db: Db) => Promise<T>) {
  const { connection, stop } = await borrowDatabase({ databaseUrl: undefined, dataDir }, () => {})
  const pool = createPool(connection)
  try {
    return await work(createDb(pool))
  } finally {
    await pool.end()
    await stop()
  }
}

const auditOf = (email: string) =>
  onDb((db) =>
    db
      .selectFrom('audit_events as e')
      .innerJoin('sign_in_emails as s', 's.company_id', 'e.company_id')
      .select(['e.action', 'e.door', 'e.data'])
      .where('s.email', '=', email)
      .whereRef('e.target_id', '=', 's.user_id')
      .orderBy('e.id')
      .execute(),
  )

const setTwoFactor = () =>
  onDb((db) => db.updateTable('users').set({ totp_on_since: new Date() }).where('email', '=', admin.email).execute())
const hasTwoFactor = () =>
  onDb((db) =>
    db.selectFrom('users').select('totp_on_since').where('email', '=', admin.email).executeTakeFirstOrThrow(),
  )

describe('while Kith runs', () => {
  test('the doctor finds no problem, and leaves no key and no event behind', async () => {
    const { code, output } = await run('doctor', '--json')
    expect(code, output).toBe(0)
    const findings = JSON.parse(output) as Finding[]
    expect(findings.filter(({ status }) => status !== 'ok')).toMatchObject([{ check: 'Mail', status: 'warning' }])
    const checks = findings.map(({ check }) => check)
    expect(checks).toEqual(expect.arrayContaining(['Server', 'Worker', 'Address', 'Jobs', 'Agents (MCP)']))
    const keys = await onDb((db) => db.selectFrom('api_keys').select(['id', 'deleted_at']).execute())
    expect(keys.map(({ deleted_at }) => deleted_at !== null)).toEqual([true])
    const { audit, events } = await onDb(async (db) => ({
      audit: await db
        .selectFrom('audit_events')
        .selectAll()
        .where('target_id', '=', keys[0]!.id)
        .orderBy('id')
        .execute(),
      events: await db.selectFrom('outbox').select('id').execute(),
    }))
    expect(audit.map(({ action, door }) => `${action} ${door}`)).toEqual([
      'api_key.created automation',
      'api_key.deleted automation',
    ])
    expect(events).toEqual([])
  })

  test('another company is created, and its Admin joins with the link, once', async () => {
    const names = ['--name', 'Beta', '--email', 'Bob@example.com', '--admin-name', 'Bob', '--country', 'at']
    const made = await run('company', 'create', ...names)
    expect(made.code, made.output).toBe(0)
    const [, page, token] = linkIn(made.output)!
    expect(page).toBe('/join')
    const form = { token: token!, name: 'Bob', password: 'a long new password' }
    await visitor.acceptInvitation(form)
    const joined = await visitor.signIn({ email: 'bob@example.com', password: form.password })
    expect(joined).toMatchObject({ state: 'signed_in', me: { role: 'Admin', company_name: 'Beta' } })
    expect(joined).toMatchObject({ company: { country: 'AT', currency: 'EUR', time_zone: 'Europe/Vienna' } })
    await expect(visitor.acceptInvitation(form)).toBeRefused(404)
    expect(await auditOf('bob@example.com')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'user.created', door: 'automation' }),
        expect.objectContaining({ action: 'user.invited', door: 'automation' }),
      ]),
    )
  })

  test('a password reset link works once, and keeps two-factor sign-in unless told otherwise', async () => {
    await setTwoFactor()
    const careful = await run('reset-password', admin.email)
    expect(careful.code, careful.output).toBe(0)
    expect(careful.output).toContain('stays on')
    expect(await hasTwoFactor()).toMatchObject({ totp_on_since: expect.any(Date) })

    const { code, output } = await run('reset-password', admin.email.toUpperCase(), '--without-two-factor')
    expect(code, output).toBe(0)
    expect(output).toContain('is turned off')
    const [, page, token] = linkIn(output)!
    expect(page).toBe('/reset-password')
    const form = { token: token!, password: 'another new password' }
    await visitor.resetPassword(form)
    const renewed = { email: admin.email, password: form.password }
    expect(await visitor.signIn(renewed)).toMatchObject({ state: 'signed_in' })
    await expect(visitor.resetPassword(form)).toBeRefused(404)
    await expect(visitor.signIn(admin)).toBeRefused(401)
    const told = (await auditOf(admin.email)).filter(({ door }) => door === 'automation').map(({ action }) => action)
    expect(told).toEqual(expect.arrayContaining(['reset_link.created', 'two_factor.turned_off']))
  })

  test('a deactivated or unknown user gets no link, and an address in use no company', async () => {
    await onDb((db) =>
      db.updateTable('users').set({ deactivated_at: new Date() }).where('email', '=', 'bob@example.com').execute(),
    )
    const before = await onDb((db) => db.selectFrom('account_links').select('id').execute())
    await Promise.all([
      refused(['reset-password', 'bob@example.com'], 'Bob of Beta is deactivated'),
      refused(['reset-password', 'nobody@example.com'], 'No one signs in with nobody@example.com'),
      refused(
        ['company', 'create', '--name', 'B', '--email', 'bob@example.com'],
        'already has an account on this server',
      ),
    ])
    expect(await onDb((db) => db.selectFrom('account_links').select('id').execute())).toEqual(before)
    expect(await onDb((db) => db.selectFrom('companies').select('id').execute())).toHaveLength(2)
  })
})

test('unknown arguments are answered with the usage', async () => {
  await Promise.all([
    refused(['company', 'create', '--name', '', '--email', 'nobody'], '--name: Enter the name of your company'),
    refused(['company', 'create', '--nome', 'x'], 'create --name "Acme"'),
    refused(['company', 'make'], 'create --name "Acme"'),
    refused(['reset-password'], 'reset-password -- ada@example.com'),
    refused(['doctor', '--loud'], '--json'),
  ])
})

describe('while Kith is stopped', () => {
  beforeAll(async () => {
    kith.child.kill('SIGTERM')
    await kith.ended
  })

  test('the doctor starts what it needs, still checks MCP, and stops it again', async () => {
    const { code, output } = await run('doctor')
    expect(code, output).toBe(0)
    expect(output).toMatch(/warning +Server +Kith is not running/)
    expect(output).toMatch(/ok +Agents \(MCP\) +\d+ tools in both protocol versions/)
    expect(await runsEmbeddedPostgres(dataDir)).toBe(false)
  })

  test('an Admin who never joined gets a new invitation instead of a new password', async () => {
    const made = await run('company', 'create', '--name', 'Gamma', '--email', 'cid@example.com')
    const first = linkIn(made.output)![2]
    const { code, output } = await run('reset-password', 'cid@example.com')
    expect(code, output).toBe(0)
    expect(output).toContain('has not joined yet')
    expect(linkIn(output)![1]).toBe('/join')
    expect(linkIn(output)![2]).not.toBe(first)
    expect(await runsEmbeddedPostgres(dataDir)).toBe(false)
    const invitations = (db: Db) =>
      db.selectFrom('account_links').select('id').where('kind', '=', 'invitation').execute()
    expect(await onDb(invitations)).toHaveLength(1)
  })
})
