// What runs on a clock reads what is due, not what has piled up.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { testApp } from '../test/app.ts'
import { inboxFor } from '../test/inbox.ts'
import { rowsRead } from '../test/rows-read.ts'
import { onStatement, type Sent, statementsOf } from '../test/statements.ts'
import { backgroundTasks } from './background-tasks.ts'
import { dropFiles } from './inbox/sending/attachments.ts'
import { findDueWork } from './kernel/due-work.ts'
import { nextDue } from './webhooks/endpoint.ts'

const kith = await testApp({ own: true })
const { db, ownerDb, backgroundDb } = kith
const inbox = inboxFor(kith)
const statements = statementsOf(kith.backgroundPool)

const work = (name: string, event: object = {}) =>
  backgroundTasks(kith.services)[name]!.run(
    { db: backgroundDb, now: kith.time.now, log: kith.log, signal: AbortSignal.timeout(60_000) },
    event as never,
  )

const many = 2000
/** As many as there are, with the time of now. */
const ids = (count = many) => Array.from({ length: count }, () => randomUUIDv7())

const piles = {
  webhook_deliveries: (company: string) => sql`
    insert into webhook_deliveries (company_id, id, webhook_id, event_id, event_type, change_set_id, position, object_id,
      record_id, version, body, created_at, state)
    select ${company}::uuid, id, id, 'x', 'record.created', id, 0, id, id, 1, '{}', ${kith.time.now}, 'delivered'
    from unnest(${ids()}::uuid[]) id`,
  inbox_events: (company: string) => sql`
    insert into inbox_events (company_id, id, type, conversation_id, at, version, record)
    select ${company}::uuid, id, 'message.sent', id, ${kith.time.now}, 1, '{}' from unnest(${ids()}::uuid[]) id`,
  inbox_rule_runs: (company: string) => sql`
    insert into inbox_rule_runs (company_id, id, rule_id, conversation_id, message_id, at, done, problems)
    select ${company}::uuid, id, id, id, id, ${kith.time.now}, '{}', '{}' from unnest(${ids()}::uuid[]) id`,
  lead_submissions: (company: string) => sql`
    insert into lead_submissions (company_id, id, source_id, received_at, state, via, body, ip, user_agent)
    select ${company}::uuid, id, id, ${kith.time.now}, 'processed', 'form', '{}', '1.2.3.4', 'Firefox'
    from unnest(${ids()}::uuid[]) id`,
  lead_routings: (company: string) => sql`
    insert into lead_routings (company_id, id, lead_id, created_at)
    select ${company}::uuid, id, id, ${kith.time.now} from unnest(${ids()}::uuid[]) id`,
  lead_deliveries: (company: string) => sql`
    insert into lead_deliveries (company_id, id, routing_id, lead_id, lead_created_at, destination_id, state, created_at, log)
    select ${company}::uuid, id, id, id, ${kith.time.now}, id, 'accepted', ${kith.time.now}, '[{}]'
    from unnest(${ids()}::uuid[]) id`,
  idempotency_keys: (company: string) => sql`
    insert into idempotency_keys (company_id, user_id, operation, key, input_hash, created_at)
    select ${company}::uuid, id, 'x', 'x', ''::bytea, ${kith.time.now} from unnest(${ids()}::uuid[]) id`,
  files: (company: string) => sql`
    insert into files (company_id, id, purpose, name, type, size, sha256, created_at, expires_at)
    select ${company}::uuid, id, 'import', 'x', 'text/csv', 1, ''::bytea, ${kith.time.now},
      ${kith.time.now}::timestamptz + interval '1 day' from unnest(${ids()}::uuid[]) id`,
  requests: (company: string) => sql`
    insert into requests (company_id, id, at, door, method, route, status, duration_ms, user_id)
    select ${company}::uuid, id, ${kith.time.now}, 'api', 'GET', '/', 200, 1, id from unnest(${ids()}::uuid[]) id`,
}
const tables = Object.keys(piles)

const count = async (table: string, company_id: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where company_id = ${company_id}`.execute(db)
  return rows[0]!.count
}

test('old data is removed in batches, and the data that stays is not read', async () => {
  const { company_id } = await kith.given.company()
  for (const pile of Object.values(piles)) await pile(company_id).execute(db)
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(ownerDb)
  const sent = await statements.during(() => work('prune'))
  const read = await rowsRead(kith.pool, sent, tables)
  for (const table of tables) expect(read[table], table).toBeLessThan(50)
  for (const table of tables) expect(await count(table, company_id), table).toBe(many)

  kith.daysLater(100)
  const later = await statements.during(() => work('prune'))
  expect(later.filter(({ text }) => text.includes('delete from "requests"')).length, 'in batches').toBeGreaterThan(2)
  const stays = ['lead_submissions', 'lead_deliveries']
  for (const table of tables) expect(await count(table, company_id), table).toBe(stays.includes(table) ? many : 0)
  const { rows } = await sql`select from lead_submissions where company_id = ${company_id}
    and (user_agent is not null or ip <> '1.2.3.0') limit 1`.execute(db)
  expect(rows, 'addresses of visitors are shortened').toEqual([])
})

test('what cannot be removed keeps nothing else from being removed, and is logged', async () => {
  const { company_id } = await kith.given.company()
  await piles.idempotency_keys(company_id).execute(db)
  await piles.files(company_id).execute(db)
  await sql`create or replace function refuse_removal() returns trigger language plpgsql as
    $$ begin raise exception 'not removed'; end $$`.execute(ownerDb)
  await sql`create trigger refused before delete on idempotency_keys for each row execute function refuse_removal()`.execute(
    ownerDb,
  )
  kith.daysLater(3)
  await work('prune')
  await sql`drop trigger refused on idempotency_keys`.execute(ownerDb)
  expect(await count('idempotency_keys', company_id)).toBe(many)
  expect(await count('files', company_id)).toBe(0)
  expect(kith.logged.filter((line) => line.includes('"prune":"pruneIdempotencyKeys"'))).toHaveLength(1)
})

test('companies that wait for nothing cost nothing when work is looked for', async () => {
  const { company_id } = await kith.given.company()
  await sql`insert into messages (company_id, id, conversation_id, audience, channel_id, kind, direction, at, state)
    select ${company_id}::uuid, id, ${randomUUIDv7()}::uuid, ${company_id}::uuid, ${randomUUIDv7()}::uuid, 'message', 'in',
      ${kith.time.now}, 'received' from unnest(${ids()}::uuid[]) id`.execute(db)
  await sql`analyze messages`.execute(ownerDb)
  const sent: Sent[] = []
  onStatement(kith.backgroundPool, (statement) => sent.push(statement))
  await findDueWork(backgroundDb)
  expect(sent.map(({ text }) => text).join()).toContain('from messages')
  expect((await rowsRead(kith.pool, sent, ['messages'])).messages).toBe(0)
})

test('what waits for a paused webhook is not looked through each second', async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const { company_id } = admin
  const { id } = await api.createWebhook({ target_url: 'https://hooks.example.com/kith' })
  await piles.webhook_deliveries(company_id).execute(db)
  await sql`update webhook_deliveries set webhook_id = ${id}, state = 'waiting', next_attempt_at = ${kith.time.now}
    where company_id = ${company_id}`.execute(db)
  await sql`analyze webhook_deliveries`.execute(ownerDb)
  const look = () => nextDue(backgroundDb, company_id, kith.time.now)
  expect(await look()).toEqual(kith.time.now)
  await api.pauseWebhook({ id })
  const sent = await statements.during(look)
  expect(await look()).toBeNull()
  expect((await rowsRead(kith.pool, sent, ['webhook_deliveries'])).webhook_deliveries).toBeLessThan(10)
})

test('the mail of a channel is deleted without looking at that of others', async () => {
  const admin = await kith.given.company()
  const { company_id } = admin
  const [gone, stays] = [await inbox.channel(admin), await inbox.channel(admin)]
  await inbox.arrives(gone)
  const conversations = ids()
  await sql`insert into conversations (company_id, id, audience, channel_id, merged_into, created_at, last_message_at)
    select ${company_id}::uuid, id, ${company_id}::uuid, ${stays.id}::uuid, ${conversations[0]!}::uuid, now(), now()
    from unnest(${conversations}::uuid[]) id`.execute(db)
  await sql`insert into conversation_moves (company_id, id, kind, from_id, to_id, message_ids, at)
    select ${company_id}::uuid, id, 'merge', id, id, '{}', now() from unnest(${conversations}::uuid[]) id`.execute(db)
  await sql`insert into message_drafts (company_id, id, user_id, conversation_id, content, updated_at)
    select ${company_id}::uuid, id, id, id, '{}', now() from unnest(${conversations}::uuid[]) id`.execute(db)
  await sql`insert into inbox_rule_runs (company_id, id, rule_id, conversation_id, message_id, at, done, problems)
    select ${company_id}::uuid, id, id, id, id, now(), '{}', '{}' from unnest(${conversations}::uuid[]) id`.execute(db)
  await sql`insert into message_places (company_id, channel_id, path, uid_validity, uid)
    select ${company_id}::uuid, ${gone.id}::uuid, 'INBOX', 1, n from generate_series(1, 2500) n`.execute(db)
  const looked = ['conversations', 'conversation_moves', 'message_drafts', 'inbox_rule_runs']
  for (const table of looked) await sql`analyze ${sql.table(table)}`.execute(ownerDb)
  await sql`update channels set settings = '{"is_deleted": true}' where company_id = ${company_id} and id = ${gone.id}`.execute(
    db,
  )
  const sent = await statements.during(() =>
    work('delete_channel_mail', { company_id, payload: { channel_id: gone.id } }),
  )
  const read = await rowsRead(kith.pool, sent, looked)
  for (const table of looked) expect(read[table], table).toBeLessThan(50)
  expect(await count('message_places', company_id)).toBe(0)
  expect(await count('conversations', company_id)).toBe(many)
  expect(await count('messages', company_id)).toBe(0)
})

test('whether a file is still used is answered without reading the messages since then', async () => {
  const { company_id, user_id } = await kith.given.company()
  const [used, unused] = [randomUUIDv7(), randomUUIDv7()]
  await sql`insert into files (company_id, id, purpose, name, type, size, sha256, created_at, created_by)
    select ${company_id}::uuid, id, 'message', 'x', 'text/csv', 1, ''::bytea, ${kith.time.now}, ${user_id}::uuid
    from unnest(${[used, unused]}::uuid[]) id`.execute(db)
  await sql`insert into messages (company_id, id, conversation_id, audience, channel_id, kind, direction, at, state, files)
    select ${company_id}::uuid, id, ${randomUUIDv7()}::uuid, ${company_id}::uuid, ${randomUUIDv7()}::uuid, 'message', 'out',
      ${kith.time.now}, 'sent', jsonb_build_array(jsonb_build_object('id', case when n = 1 then ${used} else id end))
    from unnest(${ids()}::uuid[]) with ordinality m(id, n)`.execute(db)
  await sql`analyze messages`.execute(ownerDb)
  const sent = await statements.during(() =>
    dropFiles({ db: backgroundDb, now: kith.time.now }, { company_id, user_id }, [used, unused]),
  )
  const { rows } = await sql<{ id: string }>`
    select id from files where company_id = ${company_id} and expires_at is not null`.execute(db)
  expect(rows).toEqual([{ id: unused }])
  expect((await rowsRead(kith.pool, sent, ['messages'])).messages).toBeLessThan(10)
})

test('someone of many conversations is renamed, merged and unmerged in steps', async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const { company_id } = admin
  const team = await inbox.channel(admin)
  const person = async (last_name: string) =>
    (await api.createRecords({ object: 'people', records: [{ last_name }] })).records[0]!.id
  const [other, kept] = [await person('Stone'), await person('Stone')]
  const participants = JSON.stringify([{ address: '+4930123456', name: 'Old', person_id: other }])
  const conversations = ids(600)
  await sql`insert into conversations (company_id, id, audience, channel_id, participants, created_at, last_message_at)
    select ${company_id}::uuid, id, ${company_id}::uuid, ${team.id}::uuid, ${participants}::jsonb, now(), now()
    from unnest(${conversations}::uuid[]) id`.execute(db)
  await sql`insert into conversation_links (company_id, record_id, conversation_id, object)
    select ${company_id}::uuid, ${other}::uuid, id, 'people' from unnest(${conversations}::uuid[]) id`.execute(db)
  const senders = async () => {
    const { rows } = await sql<{ name: string; person_id: string; count: number }>`
      select participants -> 0 ->> 'name' as name, participants -> 0 ->> 'person_id' as person_id, count(*)::int as count
      from conversations where company_id = ${company_id} group by 1, 2`.execute(db)
    return rows
  }
  const event = async (name: string) => {
    const events = await db.deleteFrom('outbox').where('company_id', '=', company_id).returningAll().execute()
    return events.find((one) => one.event === name)!
  }
  const steps = (sent: { text: string }[]) => sent.filter(({ text }) => text.includes('order by id for update')).length

  const renaming = await statements.during(() =>
    work('rename_participants', { company_id, payload: { record_ids: [other] } }),
  )
  expect(await senders()).toEqual([{ name: 'Stone', person_id: other, count: 600 }])
  expect(steps(renaming)).toBe(2)

  const { change_set_id } = await api.mergeRecords({ object: 'people', id: kept, merge: [other] })
  const merging = await statements.during(async () => work('link_merged_record', await event('record.merged')))
  expect(await senders()).toEqual([{ name: 'Stone', person_id: kept, count: 600 }])
  expect(steps(merging)).toBe(2)

  await api.undoChanges({ change_set_ids: [change_set_id!] })
  await work('follow_merged_records', await event('changes.undone'))
  expect(await senders()).toEqual([{ name: 'Stone', person_id: other, count: 600 }])
  const { rows } =
    await sql`select from conversation_links where company_id = ${company_id} and record_id = ${kept}`.execute(db)
  expect(rows).toEqual([])
})

test('an upload is compared with the quota without adding up the files of the company', async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  await piles.files(admin.company_id).execute(db)
  await sql`analyze files`.execute(ownerDb)
  const calls = statementsOf(kith.pools.work)
  const sent = await calls.during(() =>
    api.uploadFile({ purpose: 'import', name: 'people.csv', file: new Blob(['name']) }),
  )
  expect(sent.some(({ text }) => text.includes('from file_usage'))).toBe(true)
  expect((await rowsRead(kith.pool, sent, ['files'])).files).toBeLessThan(10)
})

afterEach(() => {
  kith.asNew()
})
