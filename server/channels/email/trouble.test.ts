// Mailboxes with messages, servers and people that make trouble.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { hasDovecot, testDovecot } from '../../../test/dovecot.ts'
import { givenFor } from '../../../test/given.ts'
import { isLong } from '../../../test/long.ts'
import { givenMailbox, letter, mailboxesIn, soonOr, testFiles, testMailboxRunner } from '../../../test/mailboxes.ts'
import { waitForProcesses } from '../../../test/patience.ts'
import { receive as receiveMessages } from '../../inbox/receiving/receive.ts'
import { makeDue } from '../../kernel/due-work.ts'
import type { Receive } from './session.ts'

waitForProcesses()

describe.skipIf(!hasDovecot)('a mailbox is read', async () => {
  if (!hasDovecot) return
  const { db } = await testDatabase()
  const given = givenFor(db, () => new Date())
  const names = ['refused', 'cut', 'cancelled', 'large', 'seen', 'reused', 'also', 'alike', 'odd']
  const dovecot = await testDovecot({ users: Object.fromEntries(names.map((name) => [`${name}@acme.test`, 'secret'])) })
  const files = testFiles()
  const receive: Receive = receiveMessages
  const { messages, places, stateOf, faults, synced } = mailboxesIn(db)
  const mailbox = async (name: string, team?: Awaited<ReturnType<typeof given.company>>) => {
    const { company_id, user_id } = team ?? (await given.company())
    const secrets = { password: 'secret' }
    const address = `${name}@acme.test`
    return givenMailbox(db, { company_id, address, port: dovecot.port, secrets, created_by: user_id })
  }
  const deliver = (name: string, source: string) => dovecot.deliver(`${name}@acme.test`, source)

  test.each(['refused', 'cut'] as const)('but for one message at which its server fails (%s)', async (name) => {
    for (let i = 1; i <= 6; i++) await deliver(name, letter({ subject: `Message ${i}` }))
    let failures = 0
    dovecot.breakFetch((hasUid) => {
      if (!hasUid(4)) return undefined
      failures++
      return name === 'cut' ? 'cut' : 'refuse'
    })
    const box = await mailbox(name)
    const running = testMailboxRunner({ db, receive })
    await synced(box, 5)
    expect((await messages(box)).map(({ subject }) => subject)).not.toContain('Message 4')
    expect(await faults(box)).toMatchObject([
      { reason: 'The mail server could not return this message.', path: 'INBOX', source: null },
    ])
    const before = failures
    await deliver(name, letter({ subject: 'Later' }))
    await synced(box, 6)
    expect(failures, 'it is not asked for again').toBe(before)
    dovecot.breakFetch(() => undefined)
    await running.stop()
  })

  test.runIf(isLong)('with the file of a message of more than 50 MB, which is stored piece by piece', async () => {
    const line = `${randomBytes(57).toString('base64')}\r\n`
    const source = letter({
      subject: 'Large',
      text: '',
      more: 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n',
    })
    const parts = [
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Here is the film.',
      '--b',
      'Content-Type: video/mp4; name="film.mp4"',
      'Content-Disposition: attachment; filename="film.mp4"',
      'Content-Transfer-Encoding: base64',
      '',
      line.repeat(690_000),
      '--b--',
      '',
    ]
    const client = await dovecot.client('large@acme.test')
    await client.append('INBOX', Buffer.from(source + parts.join('\r\n')))
    await client.append('INBOX', letter({ subject: 'Small' }))
    await client.logout()
    const box = await mailbox('large')
    const pieces: number[] = []
    const put: typeof files.store.put = (key, content) => files.store.put(key, counted(content))
    async function* counted(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
      for await (const piece of content) {
        pieces.push(piece.length)
        yield piece
      }
    }
    const running = testMailboxRunner({ db, files: { ...files, store: { ...files.store, put } } })
    await synced(box, 2, 60_000)
    expect(await messages(box)).toMatchObject([{ subject: 'Large', text: 'Here is the film.' }, { subject: 'Small' }])
    const [file] = await db.selectFrom('files').selectAll().where('company_id', '=', box.company_id).execute()
    expect(file).toMatchObject({ name: 'film.mp4', size: 57 * 690_000, purpose: 'message' })
    expect(await files.store.sizeOf(`${box.company_id}/${file!.id}`)).toBe(57 * 690_000)
    expect(Math.max(...pieces), 'a piece of it is held at a time').toBeLessThan(5_000_000)
    await running.stop()
  })

  test('until someone cancels its first sync, and from there on when it is resumed', async () => {
    const client = await dovecot.client('cancelled@acme.test')
    for (let i = 0; i < 150; i++) await client.append('INBOX', letter())
    await client.logout()
    const box = await mailbox('cancelled')
    const hasBegun = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    let taken = 0
    const running = testMailboxRunner({
      db,
      pace: { sliceMs: 1 },
      async receive(...batch) {
        if (taken >= 50) {
          hasBegun.resolve()
          await mayGoOn.promise
        }
        const received = await receive(...batch)
        taken += received.length
        return received
      },
    })
    await hasBegun.promise
    const job = () =>
      db
        .selectFrom('jobs')
        .selectAll()
        .where('company_id', '=', box.company_id)
        .where('kind', '=', 'mailbox_sync')
        .executeTakeFirstOrThrow()
    const { id, state, total, created_by } = await job()
    expect({ state, total }).toEqual({ state: 'running', total: 150 })
    await sql`update jobs set cancelled_by = ${created_by} where company_id = ${box.company_id} and id = ${id}`.execute(
      db,
    )
    mayGoOn.resolve()
    await soonOr(async () =>
      expect(await stateOf(box)).toEqual({
        state: 'paused',
        leased_by: null,
        state_reason: 'The first sync was cancelled. Resume the channel to sync the rest.',
      }),
    )
    expect(await job()).toMatchObject({ state: 'cancelled', finished_at: expect.any(Date) })
    expect((await messages(box)).length).toBeLessThan(150)
    await sql`update channels set state = 'connecting' where company_id = ${box.company_id} and id = ${box.id}`.execute(
      db,
    )
    await makeDue(db, [{ company_id: box.company_id, queue: 'mailboxes', at: new Date() }])
    await synced(box, 150)
    await running.stop()
  })

  test('as someone reads it in another program, but not as unread as it is there', async () => {
    for (const id of ['one', 'two'])
      await deliver('seen', letter({ id: `<${id}@example.com>`, more: 'References: <thread@example.com>\r\n' }))
    await deliver('seen', letter({ subject: 'Other' }))
    const box = await mailbox('seen')
    const running = testMailboxRunner({ db, receive })
    await synced(box, 3)
    const unread = async () => {
      const { rows } = await sql<{ subject: string }>`select subject from conversations
        where company_id = ${box.company_id} and unread_at is not null order by subject`.execute(db)
      return rows.length
    }
    expect(await unread()).toBe(2)
    const client = await dovecot.client('seen@acme.test')
    await client.mailboxOpen('INBOX')
    await client.messageFlagsAdd('1', ['\\Seen'])
    await client.messageFlagsAdd('3', ['\\Seen'])
    await soonOr(async () => expect(await unread()).toBe(1))
    // The second message of the thread is read while no one is connected, and moved.
    await running.stop()
    await client.messageFlagsAdd('2', ['\\Seen'])
    await client.messageMove('2', 'Archive')
    const again = testMailboxRunner({ db, receive })
    await soonOr(async () => expect(await unread()).toBe(0))
    await client.messageFlagsRemove('1', ['\\Seen'])
    await client.logout()
    await deliver('seen', letter({ subject: 'Newest' }))
    await synced(box, 4)
    expect(await unread()).toBe(1)
    await again.stop()
  })

  test('with every message that has the ID of another one, and none twice', async () => {
    const company = await given.company()
    const id = '<scan@device.test>'
    const anna = letter({ id, from: 'anna@shop.test', subject: 'Order', text: 'One lamp' })
    const bert = letter({ id, from: 'bert@shop.test', subject: 'Order', text: 'One lamp' })
    const other = letter({ id, from: 'anna@shop.test', subject: 'Order', text: 'Two lamps' })
    const third = letter({ id, from: 'anna@shop.test', subject: 'Invoice', text: 'One lamp' })
    for (const source of [anna, bert, other, third, anna]) await deliver('reused', source)
    const box = await mailbox('reused', company)
    const running = testMailboxRunner({ db, receive })
    await synced(box, 4)
    const before = await places(box)
    expect(before).toHaveLength(5)
    expect(before[4]!.message_id).toBe(before[0]!.message_id)
    // Moved there, and the same in another mailbox of the team, which its servers reached by other ways.
    const client = await dovecot.client('reused@acme.test')
    await client.mailboxOpen('INBOX')
    await client.messageMove('1:4', 'Archive')
    await client.logout()
    const second = await mailbox('also', company)
    for (const source of [bert, other, anna]) await deliver('also', `Received: by other.test\r\n${source}`)
    running.wake()
    const idsOf = async (one: typeof box) => (await places(one)).map(({ message_id }) => message_id)
    await soonOr(async () => expect(await idsOf(second)).toHaveLength(3))
    await soonOr(async () => expect((await places(box)).filter(({ path }) => path === 'Archive')).toHaveLength(4))
    const [a, b, c, d] = before.map(({ message_id }) => message_id)
    expect(await idsOf(second)).toEqual([b, c, a])
    expect((await idsOf(box)).toSorted()).toEqual([a, b, c, d, a].toSorted())
    expect(await messages(box)).toHaveLength(4)
    const { rows } = await sql`select from conversations where company_id = ${box.company_id}`.execute(db)
    expect(rows, 'nor do they get into the conversations of others').toHaveLength(4)
    await running.stop()
  })

  test('with a message that differs from one with its ID only in words of the same length', async () => {
    const order = (text: string) => letter({ id: '<order@shop.test>', subject: 'Order', text })
    const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000)
    const client = await dovecot.client('alike@acme.test')
    await client.append('INBOX', order('One lamp'), [], minutesAgo(2))
    const box = await mailbox('alike')
    const running = testMailboxRunner({ db, receive })
    await synced(box, 1)
    await client.append('INBOX', order('Six lamp'), [], minutesAgo(1))
    running.wake()
    await synced(box, 2)
    await client.mailboxOpen('INBOX')
    await client.messageMove('1:2', 'Archive')
    await client.logout()
    running.wake()
    await soonOr(async () => expect((await places(box)).map(({ path }) => path)).toEqual(['Archive', 'Archive']))
    expect((await messages(box)).map(({ text }) => text).toSorted()).toEqual(['One lamp', 'Six lamp'])
    await running.stop()
  })

  test('with the original of a message whose parts cannot be read, which its channel lists', async () => {
    const source = letter({ subject: 'Odd', text: '--b\r\n\r\nWords', more: 'Content-Type: multipart/mixed\r\n' })
    await deliver('odd', source)
    const box = await mailbox('odd')
    const running = testMailboxRunner({ db, receive, files })
    await synced(box, 1)
    const { rows } = await sql<{ text: string; state_reason: string; files: { id: string; name: string }[] }>`
      select text, state_reason, files from messages where company_id = ${box.company_id} and kind = 'message'`.execute(
      db,
    )
    expect(rows).toMatchObject([
      {
        text: 'This message could not be read.',
        state_reason: 'Kith could not read all of this message. The original is attached.',
        files: [{ name: 'message.eml' }],
      },
    ])
    const kept = await files.store.read(`${box.company_id}/${rows[0]!.files[0]!.id}`)
    expect(Buffer.concat(await Array.fromAsync(kept)).toString()).toContain('Words')
    const [fault] = await faults(box)
    expect(fault).toMatchObject({ reason: 'This message could not be read.', path: 'INBOX' })
    expect(fault!.source!.toString()).toContain('Words')
    await running.stop()
  })
})
