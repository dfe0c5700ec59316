// A mailbox is read whole and without doubles, whatever ends the processes that read it.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { hasDovecot, testDovecot } from '../../test/dovecot.ts'
import { install } from '../../test/installation.ts'
import { givenMailbox, letter } from '../../test/mailboxes.ts'
import { testSmtp } from '../../test/smtp.ts'
import { createVault, readSecretKey } from '../platform/vault.ts'

const count = 400
const vaultOf = (dataDir: string) => createVault(readSecretKey({ dataDir, secretKey: undefined }))

describe.skipIf(!hasDovecot)('a mailbox', async () => {
  if (!hasDovecot) return
  const kith = await install({ OUTBOUND_ALLOW: '127.0.0.1', LOG: 'off' })
  afterAll(kith.remove)
  const dovecot = await testDovecot({ users: { 'ada@acme.test': 'secret' } })

  test('whose processes are killed amid its first sync is taken over, and has each message once', async () => {
    const client = await dovecot.client('ada@acme.test')
    for (let i = 0; i < count; i++) await client.append('INBOX', letter({ text: 'z'.repeat(3000) }))
    await client.logout()
    const admin = await kith.given.company()
    const { company_id } = admin
    const box = await givenMailbox(kith.db, {
      ...{ company_id, address: 'ada@acme.test', port: dovecot.port, secrets: { password: 'secret' } },
      vault: vaultOf(kith.dataDir),
    })
    const rows = async (text: string) => (await kith.pool.query(text, [company_id])).rows
    const messages = () => rows("select key from messages where company_id = $1 and kind = 'message'")
    const readSome = async (more: number) => {
      const before = (await messages()).length
      await kith.eventually(async () => (await messages()).length >= Math.min(before + more, count))
    }
    await readSome(50)
    const worker = await kith.startWorker()
    await kith.kill(kith.server)
    await dovecot.deliver('ada@acme.test', letter())
    await readSome(50)
    await kith.kill(worker)
    const last = await kith.startWorker()
    const [channel] = await kith.eventually(async () => {
      const [found] = await rows('select state from channels where company_id = $1')
      return found.state === 'synced' && (await messages()).length === count + 1 && [found]
    })
    expect(channel).toEqual({ state: 'synced' })
    await sleep(500)
    expect(new Set((await messages()).map(({ key }) => key)).size).toBe(count + 1)
    const places = await rows('select message_id from message_places where company_id = $1')
    expect(new Set(places.map(({ message_id }) => message_id)).size).toBe(count + 1)
    expect(places).toHaveLength(count + 1)
    expect(box.company_id).toBe(company_id)
    await kith.kill(last)
  })

  test('whose process is killed before its server confirmed a message leaves it as unknown and does not send it again', async () => {
    const hasAll = Promise.withResolvers<void>()
    const smtp = await testSmtp({
      async deliver() {
        hasAll.resolve()
        // The answer never comes.
        await new Promise(() => {})
      },
    })
    const server = await kith.startServer()
    const admin = await kith.given.company()
    await givenMailbox(kith.db, {
      ...{ company_id: admin.company_id, address: 'ben@acme.test', port: dovecot.port, smtpPort: smtp.port },
      ...{ secrets: { password: 'secret' }, vault: vaultOf(kith.dataDir) },
    })
    await kith.pool.query("update channels set agents = 'send' where company_id = $1", [admin.company_id])
    const api = kith.withKey(await kith.given.key(admin))
    const { message } = await api.sendMessage({ to: ['eve@customer.test'], subject: 'Once', text: 'Hello' })
    const { id } = message!
    await hasAll.promise
    await kith.kill(server)
    const stateOf = async () =>
      (
        await kith.pool.query('select state, state_reason from messages where company_id = $1 and id = $2', [
          admin.company_id,
          id,
        ])
      ).rows[0]
    expect(await stateOf()).toMatchObject({ state: 'sending' })
    // Its lease ends half a minute later.
    await kith.pool.query('update messages set leased_until = now() where company_id = $1 and id = $2', [
      admin.company_id,
      id,
    ])
    const worker = await kith.startWorker()
    const found = await kith.eventually(async () => {
      const now = await stateOf()
      return now.state !== 'sending' && now
    })
    expect(found).toEqual({
      state: 'unknown',
      state_reason: 'Kith stopped while it was being sent. Check the Sent folder before you send it again.',
    })
    await sleep(1500)
    expect(await stateOf()).toMatchObject({ state: 'unknown' })
    expect(smtp.mailsTo('eve@customer.test')).toHaveLength(1)
    await kith.kill(worker)
  })
})
