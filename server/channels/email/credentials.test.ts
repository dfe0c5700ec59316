import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testAuthorizationServer } from '../../../test/authorization-server.ts'
import { testDatabase } from '../../../test/database.ts'
import { givenFor } from '../../../test/given.ts'
import { givenMailbox, testMailboxServices, testVault } from '../../../test/mailboxes.ts'
import { createDb, createPool } from '../../platform/db.ts'
import { credentialsOf } from './credentials.ts'
import { type Mailbox, mailboxOf, sealSecrets } from './mailbox.ts'
import { createSignIns, randomVerifier } from './oauth.ts'

const baseUrl = new URL('http://localhost:3000')
const redirectUri = 'http://localhost:3000/public/mailboxes/signed-in'
const server = await testAuthorizationServer({ redirectUri, scopes: ['https://mail.google.com/'] })
const nowhere = { host: '127.0.0.1', port: 1, security: 'none' as const }
const signIns = createSignIns({
  baseUrl,
  allowHttp: true,
  providers: {
    google: {
      label: 'Google',
      issuer: server.issuer,
      scopes: ['openid', 'email', 'https://mail.google.com/'],
      asking: {},
      imap: nowhere,
      smtp: nowhere,
      clientId: server.client.id,
      clientSecret: server.client.secret,
    },
  },
})
const { db, connection } = await testDatabase()
const services = testMailboxServices({ signIns })

async function signedIn() {
  const verifier = randomVerifier()
  const back = new URL(await server.follow(await signIns.begin('google', 'a state', verifier)))
  const code = back.searchParams.get('code')!
  return signIns.finish('google', { code, state: 'a state', verifier })
}

async function mailboxWith(expires_at: Date): Promise<Mailbox> {
  const { address, tokens } = await signedIn()
  const { company_id } = await givenFor(db, () => new Date()).company()
  const secrets = { ...tokens, expires_at: expires_at.toISOString() }
  const { id } = await givenMailbox(db, { company_id, address, port: 1, secrets, provider: 'google' })
  const { rows } = await sql<{
    settings: unknown
  }>`select settings from channels where company_id = ${company_id}`.execute(db)
  return mailboxOf({ company_id, id, kind: 'email', name: '', address, owner_id: null, settings: rows[0]!.settings })
}
const soon = () => new Date(Date.now() + 30_000)
const later = () => new Date(Date.now() + 3_600_000)

test('signing in says whose mailbox it is', async () => {
  expect(await signedIn()).toMatchObject({ address: 'ada@acme.test', tokens: { refresh_token: expect.any(String) } })
})

test('an access token is used until shortly before it expires', async () => {
  const mailbox = await mailboxWith(later())
  const before = server.state.refreshes
  await credentialsOf(db, services, mailbox)
  expect(server.state.refreshes).toBe(before)
})

test('ten processes that need a new token at the same time renew it once', async () => {
  const mailbox = await mailboxWith(soon())
  const before = server.state.refreshes
  const all = await Promise.all(Array.from({ length: 10 }, () => credentialsOf(db, services, mailbox)))
  expect(server.state.refreshes).toBe(before + 1)
  expect(new Set(all.map((one) => 'accessToken' in one && one.accessToken)).size).toBe(1)
})

test('while a provider takes its time to renew a token, no connection waits for it, and two processes renew once', async () => {
  const mailbox = await mailboxWith(soon())
  const before = server.state.refreshes
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = testMailboxServices({
    signIns: {
      ...signIns,
      async renew(...given) {
        asked.resolve()
        await answer.promise
        return signIns.renew(...given)
      },
    },
  })
  const pools = [1, 2].map(() => createPool(connection, { max: 1 }))
  const [one, two] = pools.map(createDb) as [typeof db, typeof db]
  const first = credentialsOf(one, slow, mailbox)
  await asked.promise
  const second = credentialsOf(two, slow, mailbox)
  for (const each of [one, two]) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_locks where locktype = 'advisory' and database = (
        select oid from pg_database where datname = current_database())`.execute(each)
    expect(rows).toEqual([{ count: 0 }])
  }
  await sql`update channels set name = 'Renamed' where company_id = ${mailbox.company_id}`.execute(one)
  answer.resolve()
  expect(await second).toEqual(await first)
  expect(server.state.refreshes).toBe(before + 1)
  await Promise.all(pools.map((pool) => pool.end()))
})

test('a new sign-in is not overwritten by a token that was renewed for the old one', async () => {
  const mailbox = await mailboxWith(soon())
  const { tokens } = await signedIn()
  const slow = testMailboxServices({
    signIns: {
      ...signIns,
      async renew(...given) {
        const renewed = await signIns.renew(...given)
        const secrets = sealSecrets(testVault, mailbox, tokens)
        await sql`update channels set secrets = ${secrets} where company_id = ${mailbox.company_id}`.execute(db)
        return renewed
      },
    },
  })
  expect(await credentialsOf(db, slow, mailbox)).toMatchObject({ accessToken: tokens.access_token })
})

test('a token that a server refuses is renewed before it expires', async () => {
  const mailbox = await mailboxWith(later())
  const first = await credentialsOf(db, services, mailbox)
  const refused = 'accessToken' in first ? first.accessToken : ''
  expect(await credentialsOf(db, services, mailbox, refused)).not.toMatchObject({ accessToken: refused })
})

test('a provider that is down is asked again later; one that ended the sign-in asks for a new one', async () => {
  const mailbox = await mailboxWith(soon())
  server.state.isDown = true
  await expect(credentialsOf(db, services, mailbox)).rejects.toMatchObject({ needs: null })
  server.state.isDown = false
  await server.revoke()
  await expect(credentialsOf(db, services, mailbox)).rejects.toMatchObject({
    needs: 'sign_in',
    message: 'Google no longer accepts the sign-in. Sign in again.',
  })
})
