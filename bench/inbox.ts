// The inbox with 100,000 conversations and 1,000,000 messages: views, counts, threads and search, each beside handwritten
// SQL for the same question in the same run. CONVERSATIONS=2000 runs a small one.
import { randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createDb, createPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { migrate } from '../server/platform/migrate.ts'
import { givenFor } from '../test/given.ts'
import { median } from './harness.ts'
import { longConversation } from './long-conversation.ts'
import { serve } from './serve.ts'

const rareLabel = randomUUIDv7()
const conversations = Number(process.env.CONVERSATIONS ?? 100_000)
const perConversation = 10
const rounds = 40
const bars = { view: 100, thread: 100, search: 150, longer: 0.15 }
const folder = mkdtempSync(join(tmpdir(), 'kith-bench-'))
const database = await startEmbeddedPostgres(folder)
const { superuser: connection } = database
await migrate(connection)
const pool = createPool(connection)
const client = new pg.Client(connection)
await client.connect()

try {
  const given = givenFor(createDb(pool), () => new Date())
  const admin = await given.company()
  const colleague = await given.user(admin)
  const key = await given.key(admin)
  const channel = randomUUIDv7()
  const began = performance.now()
  await fill(admin.company_id, channel, [admin.user_id, colleague.user_id])
  console.log(
    `${conversations.toLocaleString('en')} conversations, ${(conversations * perConversation).toLocaleString('en')} messages, made in ${((performance.now() - began) / 1000).toFixed(0)} s; load ${loadavg()[0]!.toFixed(1)}`,
  )
  const server = await serve(join(import.meta.dirname, 'serve-kith.ts'), JSON.stringify(connection))
  const ask = (path: string) => async () => {
    const answer = await fetch(`http://localhost:${server.port}/api/v1${path}`, { headers: { 'x-api-key': key } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return JSON.parse(text)
  }
  const company = admin.company_id
  const some = await client.query('select id from conversations where company_id = $1 order by id limit 200', [company])
  const thread = () => some.rows[Math.floor(Math.random() * some.rows.length)]!.id
  const list = (filter: string) => ask(`/conversations?limit=30&filter=${encodeURIComponent(filter)}`)
  const words = (q: string) => ask(`/conversations?limit=30&q=${encodeURIComponent(q)}`)
  const byHand = (condition: string, ...values: unknown[]) =>
    sql(
      `select * from conversations where company_id = $1 and audience = $1 and merged_into is null and ${condition}
      order by last_message_at desc, id desc limit 31`,
      [company, ...values],
    )
  const searchByHand = (query: string) =>
    sql(
      `select c.* from (select conversation_id, max(at) as at from messages where company_id = $1 and array[audience] && array[$1::uuid]
        and search @@ $2::tsquery group by 1 order by 2 desc limit 31) m join conversations c on c.company_id = $1 and c.id = m.conversation_id`,
      [company, query],
    )
  await measure('view: open', bars.view, list('state = open'), byHand("state = 'open'"))
  await measure(
    'view: mine',
    bars.view,
    list('state = open and assignee = me'),
    byHand("state = 'open' and assignee_id = $2", admin.user_id),
  )
  await measure(
    'view: unassigned',
    bars.view,
    list('state = open and assignee is empty'),
    byHand("state = 'open' and assignee_id is null"),
  )
  await measure(
    'view: a label that few have',
    bars.view,
    list('labels has any (Rare)'),
    byHand('label_ids && array[$2::uuid]', rareLabel),
  )
  await measure('view: all, any state', bars.view, ask('/conversations?limit=30'), byHand('true'))
  await measure(
    'counts',
    bars.view,
    ask('/conversations/counts'),
    sql(
      `select count(*) from (select from conversations where company_id = $1 and audience = $1 and state = 'open' and merged_into is null limit 999) n`,
      [company],
    ),
  )
  await measure(
    'thread',
    bars.thread,
    () => ask(`/conversations/${thread()}`)(),
    () =>
      sql('select * from messages where company_id = $1 and conversation_id = $2 order by at desc, id desc limit 51', [
        company,
        thread(),
      ])(),
  )
  await measure('search: a rare word', bars.search, words('quillfeather'), searchByHand("'quillfeather':*"))
  await measure('search: a word in 1 of 100', bars.search, words('invoice'), searchByHand("'invoice':*"))
  await measure('search: a word in every third', bars.search, words('hello'), searchByHand("'hello':*"))
  await measure(
    'search: a frequent and a rare word',
    bars.search,
    words('hello quillfeather'),
    searchByHand("'hello' & 'quillfeather':*"),
  )
  await measure('search: the beginning of many words', bars.search, words('w1'), searchByHand("'w1':*"))
  await measure(
    'search: an address',
    bars.search,
    words('person7@customer.example'),
    searchByHand("'person7' & 'customer' & 'example':*"),
  )
  await measure('search: nothing', bars.search, words('nowhere'), searchByHand("'nowhere':*"))
  const reply = async (conversation_id: string) => {
    const answer = await fetch(`http://localhost:${server.port}/api/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ conversation_id, text: 'Yes, we do.' }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  await compareQueueing(reply, await longConversation(client, { company_id: company, channel_id: channel }), thread)
  server.stop()
} finally {
  await client.end()
  await pool.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

function sql(text: string, values: unknown[]) {
  return () => client.query(text, values)
}

/** One after the other, so that each has the machine to itself. */
async function measure(title: string, bar: number, ours: () => Promise<unknown>, byHand: () => Promise<unknown>) {
  const taken = { ours: [] as number[], byHand: [] as number[] }
  for (let round = 0; round < rounds; round++)
    for (const [side, call] of Object.entries({ ours, byHand }) as ['ours' | 'byHand', () => Promise<unknown>][]) {
      const began = performance.now()
      await call()
      if (round > 2) taken[side].push(performance.now() - began)
    }
  const p50 = median(taken.ours)
  const p95 = taken.ours.toSorted((a, b) => a - b)[Math.floor(taken.ours.length * 0.95)]!
  const verdict = p50 <= bar ? 'met' : 'MISSED'
  console.log(
    `${title.padEnd(36)} p50 ${p50.toFixed(1).padStart(7)} ms   p95 ${p95.toFixed(1).padStart(7)} ms   by hand ${median(taken.byHand).toFixed(1).padStart(7)} ms   (bar ${bar} ms: ${verdict})`,
  )
}

/** One after the other, so that a machine that is slow for a second is slow for both. */
async function compareQueueing(reply: (id: string) => Promise<void>, long: string, short: () => string) {
  const taken = { long: [] as number[], short: [] as number[] }
  for (let round = 0; round < 3 * rounds; round++)
    for (const side of ['long', 'short'] as const) {
      const id = side === 'long' ? long : short()
      const began = performance.now()
      await reply(id)
      if (round > 10) taken[side].push(performance.now() - began)
    }
  const [ofLong, ofShort] = [median(taken.long), median(taken.short)]
  const verdict = ofLong <= ofShort * (1 + bars.longer) ? 'met' : 'MISSED'
  console.log(
    `${'reply queued'.padEnd(36)} p50 ${ofLong.toFixed(1).padStart(7)} ms in a conversation of 20,000 messages, ${ofShort.toFixed(1)} ms in one of ${perConversation}   (bar ${bars.longer * 100} % longer: ${verdict})`,
  )
}

/** A fifth is open. Of words, few are frequent and most are rare, as in a language. */
async function fill(company: string, channel: string, users: string[]) {
  await client.query(
    `insert into channels (company_id, id, kind, name, address, settings, state, agents, created_at)
      values ($1, $2, 'email', 'Support', 'support@acme.example', '{}', 'synced', 'send', now())`,
    [company, channel],
  )
  await client.query(`insert into conversation_labels (company_id, id, name, color) values ($1, $2, 'Rare', 'red')`, [
    company,
    rareLabel,
  ])
  await client.query(
    `insert into conversations (company_id, id, audience, channel_id, subject, subject_folded, state, snoozed_until, assignee_id, label_ids,
        participants, participants_folded, preview, last_direction, message_count, created_at, last_message_at, last_in_at, unread_at)
      select $1, gen_random_uuid(), $1, $2, 'Subject ' || i, 'subject ' || i,
        case when i % 100 < 20 then 'open' when i % 100 < 23 then 'snoozed' when i % 100 < 25 then 'spam' else 'closed' end,
        case when i % 100 between 20 and 22 then now() + interval '1 day' end,
        case when i % 10 < 5 then null when i % 10 = 5 then $3::uuid else $4::uuid end,
        case when i % 1000 = 0 then array[$5::uuid] else '{}'::uuid[] end,
        jsonb_build_array(jsonb_build_object('address', 'person' || i || '@customer.example', 'name', 'Person ' || i, 'person_id', null)),
        E'\\nperson' || i || E'@customer.example\\nperson ' || i || E'\\n', 'How a message begins', 'in', ${perConversation},
        now() - i * interval '3 minutes', now() - i * interval '2 minutes', now() - i * interval '2 minutes', now() - i * interval '2 minutes'
      from generate_series(1, $6::int) i`,
    [company, channel, users[0], users[1], rareLabel, conversations],
  )
  const step = 20_000
  const { rows } = await client.query(
    `select id, substring(subject from 9)::int as i from conversations where company_id = $1 order by last_message_at`,
    [company],
  )
  for (let from = 0; from < rows.length; from += step) {
    const part = rows.slice(from, from + step)
    await client.query(
      `insert into messages (company_id, id, conversation_id, audience, channel_id, kind, direction, at, from_address, recipients, subject, text, state, key, search)
        select $1, gen_random_uuid(), c.id, $1, $2, 'message', case when n % 2 = 0 then 'in' else 'out' end,
          now() - c.i * interval '2 minutes' - n * interval '1 hour', 'person' || c.i || '@customer.example', '[]',
          'Subject ' || c.i, array_to_string(t.words, ' '), case when n % 2 = 0 then 'received' else 'sent' end, c.i || '-' || n,
          array_to_tsvector(t.words || array['subject', c.i::text, 'person' || c.i, 'customer', 'example'])
        from unnest($3::uuid[], $4::int[]) c(id, i) cross join generate_series(0, ${perConversation - 1}) n
        cross join lateral (select array(select distinct 'w' || floor(30000 * power(random(), 4) + 0 * n)::int from generate_series(1, 40))
          || case when (c.i * 7 + n) % 3 = 0 then array['hello'] else '{}' end
          || case when (c.i * 7 + n) % 100 = 0 then array['invoice'] else '{}' end
          || case when (c.i * 7 + n) % 50000 = 11 then array['quillfeather'] else '{}' end as words) t`,
      [company, channel, part.map(({ id }) => id), part.map(({ i }) => i)],
    )
  }
  await client.query('vacuum analyze messages')
  await client.query('vacuum analyze conversations')
}
