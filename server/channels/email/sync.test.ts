// Reading a real mailbox. The long run prints the memory of a first sync.
import { randomUUIDv7 } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { hasDovecot, testDovecot } from '../../../test/dovecot.ts'
import { givenFor } from '../../../test/given.ts'
import { isLong, sized } from '../../../test/long.ts'
import { givenMailbox, letter, mailboxesIn, soonOr, testMailboxRunner } from '../../../test/mailboxes.ts'
import { waitForProcesses } from '../../../test/patience.ts'
import { folderStates } from '../../inbox/channels/folders.ts'
import { receive as receiveMessages } from '../../inbox/receiving/receive.ts'
import type { Receive } from './session.ts'

waitForProcesses()

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
/** Memory that is in use, without garbage, in MB. */
function heldMb() {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

const first = sized(100, 5000)

describe.skipIf(!hasDovecot)('a mailbox is read', async () => {
  if (!hasDovecot) return
  const { db } = await testDatabase()
  const given = givenFor(db, () => new Date())
  const names = ['first', 'live', 'cut', 'moved', 'bad', 'renumbered', 'both', 'silent', 'wrong', 'old', 'gap'].map(
    (name) => `${name}@acme.test`,
  )
  const dovecot = await testDovecot({ users: Object.fromEntries(names.map((name) => [name, 'secret'])) })

  const receive: Receive = async (tx, channel, messages, ...more) => {
    if (messages.some(({ subject }) => subject === 'Poison')) throw new Error('poison')
    return receiveMessages(tx, channel, messages, ...more)
  }
  const mailbox = async (name: string, company?: string, password = 'secret') => {
    const company_id = company ?? (await given.company()).company_id
    return givenMailbox(db, { company_id, address: `${name}@acme.test`, port: dovecot.port, secrets: { password } })
  }
  const { messages, places, stateOf, faults, synced } = mailboxesIn(db)
  const deliver = (name: string, source: string) => dovecot.deliver(`${name}@acme.test`, source)
  const runner = testMailboxRunner({ db, receive })

  test(`from the newest of its first ${first} messages on, with what is here beside what is there`, async () => {
    const client = await dovecot.client('first@acme.test')
    await client.mailboxCreate('Projects')
    for (let i = 0; i < first; i++)
      await client.append(
        i % 3 ? 'INBOX' : i % 2 ? 'Projects' : 'Sent',
        letter({ subject: `First ${i}`, text: 'x'.repeat(5000) }),
      )
    await client.append('Trash', letter({ subject: 'Deleted' }))
    await client.append('INBOX', letter({ subject: 'Old' }), [], new Date('2020-01-01'))
    await client.logout()
    // To collect garbage takes seconds.
    const before = isLong ? heldMb() : 0
    let most = before
    const watch = () => {
      most = Math.max(most, heldMb())
    }
    const watching = isLong ? setInterval(watch, 20_000) : undefined
    const box = await mailbox('first')
    runner.wake()
    await synced(box, first, 600_000).finally(() => clearInterval(watching))
    if (isLong) process.stdout.write(`${first} messages, at most ${Math.round(most - before)} MB more held\n`)
    expect(most - before, 'however many there are, a few are held at a time').toBeLessThan(80)
    const folders = await folderStates(db, box)
    expect(folders.map(({ path }) => path)).toEqual(['INBOX', 'Sent', 'Archive', 'Projects'])
    for (const folder of folders) expect(folder.our_count).toBe(folder.server_count)
    expect(folders[0]).toMatchObject({ last_error: null, faults: 0, last_success_at: expect.any(Date) })
    expect(new Set((await messages(box)).map(({ direction }) => direction))).toEqual(new Set(['in', 'out']))
  }, 700_000) // The long run reads 5,000 messages.

  test('so that of an old mailbox, only what is new and unread is open', async () => {
    const daysAgo = (count: number) => new Date(Date.now() - count * 86_400_000)
    const client = await dovecot.client('old@acme.test')
    await client.append('INBOX', letter({ subject: 'Read' }), ['\\Seen'], daysAgo(1))
    await client.append('INBOX', letter({ subject: 'Unread for long' }), [], daysAgo(30))
    await client.append('INBOX', letter({ subject: 'Unread' }), [], daysAgo(1))
    await client.append('Sent', letter({ subject: 'Sent', from: 'old@acme.test' }), ['\\Seen'], daysAgo(1))
    await client.logout()
    const box = await mailbox('old')
    runner.wake()
    await synced(box, 4)
    const { rows } = await sql`select subject from conversations
      where company_id = ${box.company_id} and state = 'open'`.execute(db)
    expect(rows).toEqual([{ subject: 'Unread' }])
  })

  test('new mail is here within seconds', async () => {
    const box = await mailbox('live')
    runner.wake()
    await synced(box, 0)
    for (let i = 1; i <= 3; i++) {
      await deliver('live', letter())
      await soonOr(async () => expect(await messages(box)).toHaveLength(i), 20_000)
    }
  })

  test('mail from a gap of more than a day is new, but no rule replies to it', async () => {
    const daysAgo = (count: number) => new Date(Date.now() - count * 86_400_000)
    const box = await mailbox('gap')
    await db
      .updateTable('channels')
      .set({ created_at: daysAgo(10) })
      .where('company_id', '=', box.company_id)
      .where('id', '=', box.id)
      .execute()
    const client = await dovecot.client('gap@acme.test')
    await client.append('INBOX', letter({ subject: 'In the gap' }), [], daysAgo(3))
    await client.append('INBOX', letter({ subject: 'Today' }))
    await client.logout()
    runner.wake()
    await synced(box, 2)
    const { rows } = await sql`select subject, data ->> 'no_reply' as no_reply from messages
      where company_id = ${box.company_id} order by subject`.execute(db)
    expect(rows).toEqual([
      { subject: 'In the gap', no_reply: 'late' },
      { subject: 'Today', no_reply: null },
    ])
  })

  const cuts = sized(5, 20)
  test(`through ${cuts} connections that are cut, without a loss or a double`, async () => {
    const box = await mailbox('cut')
    runner.wake()
    let sent = 0
    for (let i = 0; i < cuts; i++) {
      for (let n = 0; n < 5; n++, sent++) await deliver('cut', letter({ text: 'y'.repeat(20_000) }))
      dovecot.disconnectAll()
      await new Promise((resolve) => setTimeout(resolve, (i * 37) % 120))
    }
    await synced(box, sent)
    expect(await places(box)).toHaveLength(sent)
    expect(new Set((await places(box)).map(({ message_id }) => message_id)).size).toBe(sent)
  })

  test.runIf(isLong)('on another connection, if one has gone silent without a word', async () => {
    await runner.stop()
    const box = await mailbox('silent')
    const other = testMailboxRunner({ db, receive, pace: { silenceMs: 3000 } })
    await synced(box, 0)
    dovecot.silenceAll()
    await deliver('silent', letter())
    await synced(box, 1, 60_000)
    const areAllSilent = dovecot.silenceOnIdle(true)
    await soonOr(async () => expect(areAllSilent()).toBe(true))
    await deliver('silent', letter())
    await synced(box, 2, 60_000)
    dovecot.silenceOnIdle(false)
    await other.stop()
  })

  test('by another process within seconds, when the one that holds it ends', async () => {
    await runner.stop()
    const box = await mailbox('live')
    const [one, two] = [testMailboxRunner({ db, receive }), testMailboxRunner({ db, receive })]
    await soonOr(async () => expect((await stateOf(box)).state).toBe('synced'))
    const [before, lost] = [(await stateOf(box)).leased_by, randomUUIDv7()]
    await sql`update channels set leased_by = ${lost}, leased_until = now() - interval '1 second'
      where company_id = ${box.company_id} and id = ${box.id}`.execute(db)
    await soonOr(async () => expect([before, lost, null]).not.toContain((await stateOf(box)).leased_by))
    await deliver('live', letter({ subject: 'After' }))
    await soonOr(async () => expect((await messages(box)).map(({ subject }) => subject)).toContain('After'))
    await Promise.all([one.stop(), two.stop()])
    expect(await stateOf(box)).toMatchObject({ leased_by: null })
  })

  test('so that what is moved or deleted there changes its place and is not doubled', async () => {
    const box = await mailbox('moved')
    for (let i = 0; i < 3; i++) await deliver('moved', letter({ subject: `Moved ${i}` }))
    const running = testMailboxRunner({ db, receive })
    await synced(box, 3)
    // As an older version stored it.
    await sql`update messages set size = null, text = 'Read in another way'
      where company_id = ${box.company_id}`.execute(db)
    const client = await dovecot.client('moved@acme.test')
    await client.mailboxOpen('INBOX')
    await client.messageMove('1', 'Archive')
    await client.messageDelete('1')
    await client.logout()
    await soonOr(async () => expect((await places(box)).map(({ path }) => path)).toEqual(['Archive', 'INBOX']))
    expect(await messages(box)).toHaveLength(3)
    await running.stop()
  })

  test('with one message set aside that cannot be read, with its source', async () => {
    const box = await mailbox('bad')
    for (const subject of ['Good 1', 'Poison', 'Good 2']) await deliver('bad', letter({ subject }))
    await deliver('bad', letter({ id: '', subject: 'Without an ID' }))
    const running = testMailboxRunner({ db, receive })
    await synced(box, 3)
    const [fault] = await faults(box)
    expect(fault).toMatchObject({ reason: 'This message could not be read.', path: 'INBOX' })
    expect(fault!.source!.toString()).toContain('Subject: Poison')
    expect(await folderStates(db, box)).toMatchObject([
      { path: 'INBOX', server_count: 4, our_count: 3, faults: 1 },
      {},
      {},
    ])
    await running.stop()
  })

  test.runIf(isLong)('without doubles after the server has renumbered its messages', async () => {
    const box = await mailbox('renumbered')
    for (let i = 0; i < 5; i++) await deliver('renumbered', letter())
    const running = testMailboxRunner({ db, receive })
    await synced(box, 5)
    const [place] = await places(box)
    await dovecot.stop()
    dovecot.renumber('renumbered@acme.test')
    await dovecot.start()
    await deliver('renumbered', letter())
    await synced(box, 6)
    await soonOr(async () => expect(await places(box)).toHaveLength(6))
    expect((await places(box)).map(({ message_id }) => message_id)).toContain(place!.message_id)
    await running.stop()
  })

  test('so that the same message in two mailboxes and folders is one with several places', async () => {
    const one = await mailbox('both')
    const two = await mailbox('moved', one.company_id)
    const source = letter({ subject: 'To both' })
    await dovecot.deliver(['both@acme.test', 'moved@acme.test'], source)
    const client = await dovecot.client('both@acme.test')
    await client.append('Sent', source)
    await client.logout()
    const running = testMailboxRunner({ db, receive })
    await soonOr(async () => {
      const all = [...(await places(one)), ...(await places(two))]
      const both = (await messages(one)).filter(({ subject }) => subject === 'To both')
      expect(both).toHaveLength(1)
      expect(all.filter(({ message_id }) => message_id === both[0]!.id)).toHaveLength(3)
    })
    await running.stop()
  })

  test('only with the right password, and its state says what to do', async () => {
    const box = await mailbox('wrong', undefined, 'other')
    const running = testMailboxRunner({ db, receive })
    await soonOr(async () =>
      expect(await stateOf(box)).toMatchObject({
        state: 'failing',
        state_reason: 'The mail server 127.0.0.1 refused the user name or password. Enter both again.',
      }),
    )
    await running.stop()
  })
  afterAll(() => runner.stop())
})
