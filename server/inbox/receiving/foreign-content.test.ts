// Whatever strangers send, it arrives, and no one else waits for it.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { givenGateway, written } from '../../../test/gateway.ts'
import { inboxFor } from '../../../test/inbox.ts'
import { soon } from '../../../test/worker.ts'
import { readSource } from '../../channels/email/read-source.ts'
import { createOffload } from '../../platform/offload.ts'
import { linkContacts } from '../people/link-contacts.ts'

const kith = await testApp({ own: true })
const hasty = await testApp({ own: true, offload: { cpuMs: 1 } })

const crowded = `<style>p {}</style>${'<li>lamp</li>'.repeat(4000)}`

test('a message whose HTML takes too long to read arrives as plain text and says so', async () => {
  const { api, post } = await givenGateway(hasty, await hasty.given.company())
  expect(await post([written({ text: '', html: crowded })])).toMatchObject({ status: 200 })
  const [conversation] = (await api.listConversations({})).items
  const [message] = (await api.getConversation({ id: conversation!.id })).messages
  expect(message).toMatchObject({
    has_html: false,
    state_reason: 'Shown as plain text, because its formatting took too long to process.',
  })
  expect(message!.text.split('\n').slice(0, 2)).toEqual(['lamp', 'lamp'])
  const lines = hasty.logged.filter((line) => line.includes('foreign content'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ failure: 'time', work: 'readContent' }])
  expect(lines.join()).not.toContain('lamp')
})

test('a mail that takes too long to read arrives with its headers, and its source is attached', async () => {
  const offload = createOffload({ log: pino({ level: 'silent' }), cpuMs: 1 })
  const head = 'From: Ada <ada@customer.example>\r\nSubject: Lamps\r\nMessage-ID: <1@customer.example>\r\n'
  const source = Buffer.from(`${head}${'X: b\r\n'.repeat(200_000)}\r\n${'A lamp. '.repeat(200_000)}`)
  const mail = await readSource(offload, 'a company', source, new Date())
  await offload.stop()
  expect(mail).toMatchObject({
    files: [{ name: 'message.eml', content: { length: source.length } }],
    notice: 'Only the beginning is shown, because this message took too long to read. The original is attached.',
  })
})

test('files are on disk and content is read before a message waits for others of its company', async () => {
  const admin = await kith.given.company()
  const { post } = await givenGateway(kith, admin)
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  onTestFinished(() => released.resolve())
  const holding = kith.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`inbox ${admin.company_id}`}, 34))`.execute(tx)
    held.resolve()
    await released.promise
  })
  await held.promise
  const files = [{ name: 'lamp.txt', content: Buffer.from('a lamp').toString('base64') }]
  const posted = post([written({ text: '', html: crowded, files })])
  await soon(async () => {
    const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(kith.ownerDb)
    expect(rows).toHaveLength(1)
  })
  expect(readdirSync(join(kith.filesFolder, admin.company_id))).toHaveLength(1)
  released.resolve()
  await holding
  expect(await posted).toMatchObject({ status: 200, items: [{ result: 'stored' }] })
})

test('a post that is sent again stores its files once', async () => {
  const admin = await kith.given.company()
  const { post } = await givenGateway(kith, admin)
  const items = [written({ files: [{ name: 'lamp.txt', content: Buffer.from('a lamp').toString('base64') }] })]
  const first = await post(items, { id: 'the same' })
  expect(await post(items, { id: 'the same' })).toEqual(first)
  expect(await post(items, { id: 'another' })).toMatchObject({ items: [{ result: 'known' }] })
  expect(readdirSync(join(kith.filesFolder, admin.company_id))).toHaveLength(1)
})

test('messages arrive while new people are linked to older ones', async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const inbox = inboxFor(kith)
  const team = await inbox.channel(admin)
  const { conversationId } = await inbox.arrives(team)
  const { records } = await api.createRecords({
    object: 'people',
    records: [{ last_name: 'Stone', emails: ['ada@customer.example'] }],
  })
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  onTestFinished(() => released.resolve())
  const holding = kith.db.transaction().execute(async (tx) => {
    await sql`select from conversations where company_id = ${admin.company_id} and id = ${conversationId} for update`.execute(
      tx,
    )
    held.resolve()
    await released.promise
  })
  await held.promise
  const linking = linkContacts(kith.backgroundDb, admin.company_id, [records[0]!.id], kith.time.now)
  await soon(async () => {
    const { rows } = await sql`select from pg_locks where not granted and pid in (
      select pid from pg_stat_activity where datname = current_database())`.execute(kith.ownerDb)
    expect(rows).toHaveLength(1)
  })
  expect(await inbox.arrives(team, { sender: 'bob@other.example' })).toMatchObject({ isNew: true })
  released.resolve()
  await Promise.all([holding, linking])
  expect((await api.getConversation({ id: conversationId })).links).toMatchObject([{ id: records[0]!.id }])
})

test('messages of the same time keep their order', async () => {
  const inbox = inboxFor(kith)
  const team = await inbox.channel(await kith.given.company())
  const first = inbox.mail(team)
  const mails = [
    first,
    ...Array.from({ length: 50 }, (_, i) => inbox.mail(team, { references: [first.key], text: `${i}` })),
  ]
  const ids = (await inbox.receiveAll(team, mails)).map(({ messageId }) => messageId)
  expect(ids).toEqual(ids.toSorted())
})
