// What a conversation shows about its messages follows each of them.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { arrivingAt, givenChannel, testChannelKind } from '../../../test/channel.ts'
import { rowsRead } from '../../../test/rows-read.ts'
import { statementsOf } from '../../../test/statements.ts'
import { soon, testWorker } from '../../../test/worker.ts'
import { transaction } from '../../platform/db.ts'
import { recount } from './recount.ts'

const channel = testChannelKind()
const kith = await testApp({ channelKinds: { test: channel.kind } })
await testWorker(kith)
const { given, withSession, db } = kith
const arrives = arrivingAt(kith)
const calls = statementsOf(kith.pools.work)
const jobs = statementsOf(kith.backgroundPool)

async function someone() {
  const user = await given.company()
  const support = await givenChannel(kith, user)
  return { ...user, api: withSession(await given.session(user)), support }
}

const anAddress = () => `${randomUUID()}@example.com`

async function shown(company_id: string, id: string, tx = db) {
  const { rows } = await sql<{ message_count: number; preview: string }>`
    select message_count, has_files, participants, participants_folded, preview, last_direction, created_at, last_message_at,
      last_in_at, last_out_at, first_response_at,
      array(select address from conversation_addresses where company_id = ${company_id} and conversation_id = ${id}
        order by address) as addresses
    from conversations where company_id = ${company_id} and id = ${id}`.execute(tx)
  return rows[0]!
}

/** The same as if all its messages were counted now. */
async function expectCounted(company_id: string, id: string) {
  const before = await shown(company_id, id)
  const counted = await transaction(db, async (tx) => {
    await recount(tx, { company_id, id })
    return shown(company_id, id, tx)
  })
  expect(before).toEqual(counted)
  return before
}

const sent = (company_id: string, id: string) =>
  soon(async () => {
    const { rows } = await sql<{ state: string }>`
      select state from messages where company_id = ${company_id} and id = ${id}`.execute(db)
    expect(rows[0]!.state).toBe('sent')
  })

test('a conversation shows the same after each message as if all of them were counted', async () => {
  const { api, support, company_id } = await someone()
  const begun = await api.sendMessage({ to: [anAddress(), anAddress()], subject: 'Offer', text: 'Here **it** is.' })
  await expectCounted(company_id, begun.conversation_id)
  await sent(company_id, begun.message!.id)
  await expectCounted(company_id, begun.conversation_id)

  const { conversation_id, key } = await arrives(support, anAddress())
  kith.minutes(1)
  const reply = await api.sendMessage({ conversation_id, text: 'We look into it.', cc: [anAddress()] })
  expect(await expectCounted(company_id, conversation_id)).toMatchObject({
    message_count: 2,
    preview: 'We look into it.',
    first_response_at: null,
  })
  await sent(company_id, reply.message!.id)
  const answered = await expectCounted(company_id, conversation_id)
  expect(answered).toMatchObject({ first_response_at: expect.any(Date), last_direction: 'out' })

  kith.minutes(1)
  const hasty = await api.sendMessage({ conversation_id, text: 'Hasty', cc: [anAddress()], undo_seconds: 60 })
  expect(await expectCounted(company_id, conversation_id)).toMatchObject({ message_count: 3, preview: 'Hasty' })
  await api.cancelMessage({ id: hasty.message!.id })
  expect(await expectCounted(company_id, conversation_id)).toEqual(answered)

  kith.minutes(1)
  await arrives(support, anAddress(), { references: [key], text: 'Thank you', files: [{ name: 'a.txt', text: 'a' }] })
  const again = await api.sendMessage({ conversation_id, text: 'You are welcome.' })
  await sent(company_id, again.message!.id)
  await expectCounted(company_id, conversation_id)
})

test('a reply costs the same in a long conversation: few of its messages are read', async () => {
  const { api, support, company_id } = await someone()
  const { conversation_id } = await arrives(support, anAddress())
  const long = 3000
  await sql`insert into messages (company_id, id, conversation_id, audience, channel_id, kind, direction, at, from_address,
      recipients, text, state, key)
    select company_id, gen_random_uuid(), conversation_id, audience, channel_id, 'message',
      case when n % 2 = 0 then 'in' else 'out' end, at - n * interval '1 minute', from_address, recipients, text,
      case when n % 2 = 0 then 'received' else 'sent' end, 'long ' || n
    from messages, generate_series(1, ${long}) n where company_id = ${company_id}`.execute(db)
  await sql`update conversations set message_count = message_count + ${long} where company_id = ${company_id}`.execute(
    db,
  )
  await sql`analyze messages`.execute(kith.ownerDb)
  const before = await shown(company_id, conversation_id)

  let id = ''
  const queueing = await calls.during(async () => {
    id = (await api.sendMessage({ conversation_id, text: 'Reply' })).message!.id
  })
  const sending = await jobs.during(() => sent(company_id, id))
  const cancelling = await calls.during(async () => {
    const { message } = await api.sendMessage({ conversation_id, text: 'Hasty', undo_seconds: 60 })
    await api.cancelMessage({ id: message!.id })
  })
  expect(await shown(company_id, conversation_id)).toMatchObject({ message_count: long + 2, preview: 'Reply' })
  expect(before.message_count).toBe(long + 1)

  const { pool } = kith
  expect((await rowsRead(pool, queueing, ['messages'])).messages).toBeLessThan(50)
  expect((await rowsRead(pool, sending, ['messages'])).messages).toBeLessThan(500)
  expect((await rowsRead(pool, cancelling, ['messages'])).messages).toBeLessThan(250)
})
