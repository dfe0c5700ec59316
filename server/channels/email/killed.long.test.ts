// A mailbox is read whole and without doubles, whatever ends the processes that read it.
import { afterAll, describe, expect, test } from 'vitest'
import { hasDovecot, testDovecot } from '../../../test/dovecot.ts'
import { holdWrites } from '../../../test/hold.ts'
import { install } from '../../../test/installation.ts'
import { sized } from '../../../test/long.ts'
import { givenMailbox, letter } from '../../../test/mailboxes.ts'
import { waitForProcesses } from '../../../test/patience.ts'
import { testSmtp } from '../../../test/smtp.ts'
import { joinEmbeddedPostgres } from '../../platform/embedded-postgres.ts'
import { createVault, readSecretKey } from '../../platform/vault.ts'

waitForProcesses()

const count = sized(100, 400)
const vaultOf = (dataDir: string) => createVault(readSecretKey({ dataDir, secretKey: undefined }))

describe.skipIf(!hasDovecot)('a mailbox', async () => {
  if (!hasDovecot) return
  const kith = await install({ OUTBOUND_ALLOW: '127.0.0.1', LOG: 'off' })
  afterAll(kith.remove)
  const dovecot = await testDovecot({ users: { 'ada@acme.test': 'secret' } })

  test('whose processes are killed amid its first sync is taken over, and has each message once', async () => {
    const client = await dovecot.client('ada@acme.test')
    for (let i = 0; i < count; i++)
      await client.append('INBOX', letter({ subject: `First ${i}`, text: 'z'.repeat(3000) }))
    await client.logout()
    const admin = await kith.given.company()
    const { company_id } = admin
    const { owner } = await joinEmbeddedPostgres(kith.dataDir)
    // The newest are read first, 25 at a time.
    const [early, late] = [
      await holdWrites(owner, 'messages', `new.subject = 'First ${count - 40}'`),
      await holdWrites(owner, 'messages', `new.subject = 'First 30'`),
    ]
    const box = await givenMailbox(kith.db, {
      company_id,
      address: 'ada@acme.test',
      port: dovecot.port,
      secrets: { password: 'secret' },
      vault: vaultOf(kith.dataDir),
    })
    const rows = async (text: string) => (await kith.pool.query(text, [company_id])).rows
    const messages = () => rows("select key from messages where company_id = $1 and kind = 'message'")
    const synced = (wanted: number) =>
      kith.eventually(async () => {
        const [found] = await rows('select state from channels where company_id = $1')
        return found.state === 'synced' && (await messages()).length >= wanted
      }, 240)
    await early.reached()
    const worker = await kith.startWorker()
    await kith.kill(kith.server)
    await early.release()
    await dovecot.deliver('ada@acme.test', letter())
    await late.reached()
    await kith.kill(worker)
    await late.release()
    expect((await messages()).length).toBeLessThan(count)
    const last = await kith.startWorker()
    await synced(count + 1)
    // When a later message is here, a double would be here too.
    await dovecot.deliver('ada@acme.test', letter())
    await synced(count + 2)
    expect(await messages()).toHaveLength(count + 2)
    expect(new Set((await messages()).map(({ key }) => key)).size).toBe(count + 2)
    const places = await rows('select message_id from message_places where company_id = $1')
    expect(new Set(places.map(({ message_id }) => message_id)).size).toBe(count + 2)
    expect(places).toHaveLength(count + 2)
    expect(box.company_id).toBe(company_id)
    await kith.kill(last)
  })

  test('whose process is killed before its server confirmed a message leaves it as unknown and does not send it again', async () => {
    const hasAll = Promise.withResolvers<void>()
    const smtp = await testSmtp({
      async deliver([recipient]) {
        if (recipient !== 'eve@customer.test') return
        hasAll.resolve()
        // The answer never comes.
        await new Promise(() => {})
      },
    })
    const server = await kith.startServer()
    const admin = await kith.given.company()
    await givenMailbox(kith.db, {
      company_id: admin.company_id,
      address: 'ben@acme.test',
      port: dovecot.port,
      smtpPort: smtp.port,
      secrets: { password: 'secret' },
      vault: vaultOf(kith.dataDir),
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
    const second = await kith.startServer()
    const found = await kith.eventually(async () => {
      const now = await stateOf()
      return now.state !== 'sending' && now
    })
    expect(found).toEqual({
      state: 'unknown',
      state_reason:
        'Kith stopped while this message was being sent, so it may have arrived, even if it is not in the Sent folder. Ask the recipient before you send it again.',
    })
    // A later message is sent, and this one is not.
    await api.sendMessage({ to: ['max@customer.test'], subject: 'Later', text: 'Hello' })
    await smtp.mailTo('max@customer.test')
    expect(await stateOf()).toMatchObject({ state: 'unknown' })
    expect(smtp.mailsTo('eve@customer.test')).toHaveLength(1)
    await kith.kill(second)
  })
})
