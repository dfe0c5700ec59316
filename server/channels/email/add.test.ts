import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { GivenUser } from '../../../test/given.ts'
import { givenMailbox, testMailboxServices } from '../../../test/mailboxes.ts'
import { findActorById } from '../../accounts/users/queries.ts'
import { bySystem, type Context } from '../../kernel/context.ts'
import { noNotes, taking } from '../../kernel/pending-writes.ts'
import { transaction } from '../../platform/db.ts'
import { addMailbox, refuseDouble } from './add.ts'

const { given, db, time } = await testApp()

test('that an address is connected privately is reported only to someone who can sign in to that mailbox', async () => {
  const admin = await given.company()
  const owner = await given.user(admin)
  const { company_id } = admin
  const address = `${randomUUID()}@acme.test`
  const secrets = { password: 'secret' }
  const mailbox = { company_id, address, port: 1, secrets, created_by: owner.user_id }
  const { id } = await givenMailbox(db, { ...mailbox, owner_id: owner.user_id })
  const server = (host: string) => ({ host, port: 993, security: 'tls' as const })
  const settings = (host: string, username: string, provider: 'google' | null = null) => ({
    imap: server(host),
    username,
    provider,
  })
  const isRefused = async (user: GivenUser, entered: ReturnType<typeof settings>) => {
    const context = { db, now: time.now, actor: await findActorById(db, company_id, user.user_id) } as Context
    return refuseDouble(context, address, entered).then(
      () => false,
      (error) => error.code === 'conflict',
    )
  }
  const [same, other] = [settings('127.0.0.1', address), settings('mail.elsewhere.test', 'me@elsewhere.test')]
  expect(await isRefused(admin, other), 'with a mailbox of one’s own').toBe(false)
  expect(await isRefused(admin, settings('mail.elsewhere.test', address))).toBe(false)
  expect(await isRefused(admin, same), 'signed in to the same mailbox').toBe(true)
  expect(await isRefused(admin, settings('imap.gmail.com', address, 'google')), 'vouched for by Google').toBe(true)
  expect(await isRefused(owner, other), 'one’s own').toBe(true)
  await db
    .updateTable('channels')
    .set({ is_shared: true })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute()
  expect(await isRefused(admin, other), 'everyone sees a shared mailbox').toBe(true)
})

test('two clicks connect a mailbox once, and the error says who has it', async () => {
  const admin = await given.company()
  const bob = await given.user(admin, { name: 'Bob' })
  const address = `${randomUUID()}@acme.test`
  const server = { host: 'imap.acme.test', port: 993, security: 'tls' as const }
  const settings = { imap: server, smtp: server, username: address, provider: null }
  const connect = async (user: GivenUser, is_personal: boolean) => {
    const actor = (await findActorById(db, admin.company_id, user.user_id))!
    const caller = { ...bySystem(admin.company_id, 0, 'connectMailbox'), actor }
    return transaction(db, (tx) => {
      const context = { ...caller, ...taking(noNotes(), caller), db: tx, now: time.now } as Context
      const mailbox = { name: 'Sales', address, is_personal, settings: settings as never, secrets: { password: 'x' } }
      return addMailbox(context, testMailboxServices(), mailbox)
    }).then(
      () => 'connected',
      (error) => error.message,
    )
  }
  const both = await Promise.all([connect(bob, true), connect(bob, true)])
  const refused = `${address} is already connected as your mailbox “Sales”. A mailbox can only be connected once.`
  expect(new Set(both)).toEqual(new Set(['connected', refused]))
  expect(await connect(admin, false)).toBe(
    `${address} is already connected by Bob. A mailbox can only be connected once.`,
  )
})
