// A user of one company works while a key or session of another sends the most expensive requests. The p99 of the first
// must stay under 250 ms, or five times theirs without an attack, none of their requests may fail, no call may block the
// event loop for more than 50 ms, and the server takes less than 600 MB.
// PEOPLE sets how many people are in the organization that the slow filters go through, ONLY=word runs the attacks whose
// name has this word.
import { execFileSync } from 'node:child_process'
import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDb, createPool } from '../server/platform/db.ts'
import { givenFor } from '../test/given.ts'
import { median } from './harness.ts'
import { longConversation } from './long-conversation.ts'
import { benchDatabase, serve } from './serve.ts'

const people = Number(process.env.PEOPLE ?? 15_000)
const seconds = Number(process.env.SECONDS ?? 5)
const bars = { p99: 250, timesReference: 5, held: 50, memory: 600 }

const database = await benchDatabase()
const pool = createPool(database.connection)
const given = givenFor(createDb(pool), () => new Date())
const attacker = await given.company({ name: 'Attacker' })
const keys = { attacker: await given.key(attacker), bystander: await given.key(await given.company()) }
const session = await given.session(attacker)
const kith = await serve(join(import.meta.dirname, 'serve-kith.ts'), JSON.stringify(database.connection), 'limited')
const url = (path: string) => `http://localhost:${kith.port}${path}`

type Call = { method?: string; path: string; body?: string; key?: string; leaveAfter?: number; cookie?: string }

async function send({ method = 'POST', path, body, key = keys.attacker, leaveAfter, cookie }: Call) {
  const headers = {
    ...(cookie ? { cookie } : { 'x-api-key': key }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const signal = AbortSignal.timeout(leaveAfter ?? 40_000)
  try {
    const answer = await fetch(url(path), { method, headers, body, signal })
    const text = await answer.text()
    return { status: answer.status, text }
  } catch {
    return { status: 0, text: '' }
  }
}
const post = (path: string, body: unknown): Call => ({ path: `/api/v1${path}`, body: JSON.stringify(body) })
const count = (filter: string, exact = true) => post('/records/people/count', { exact, filter })
const records = (object: string, list: unknown[]) => post(`/records/${object}`, { records: list, dry_run: true })
const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i))

const organization = await seed()
const deals = await seedDeals()
const slow = 'any(organization.people: any(organization.people: last_name = "zz1"))'
const deep = `${'any(organization.people: '.repeat(6)}score > 200${')'.repeat(6)}`
const shape = (n: number) =>
  times(60, (bit) =>
    (n >> (bit % 12)) & 1 ? `any(organization.people: score = ${bit})` : `any(deals: amount = ${bit})`,
  ).join(' or ')

type Attack = { calls: Call[]; atOnce?: number; isFlood?: true }

/** What to send, in turn, and how many at the same time. */
const attacks: Record<string, Attack> = {
  'notes of brackets': { calls: [records('notes', [{ body: '['.repeat(100_000) }])] },
  'notes of half links': {
    calls: [
      records(
        'notes',
        times(9, () => ({ body: '[a]('.repeat(25_000) })),
      ),
    ],
  },
  'combining marks': { calls: [records('notes', [{ body: `a${'\u0301\u0316'.repeat(20_000)}` }])] },
  'accents in 9 long notes': {
    calls: [
      records(
        'notes',
        times(9, () => ({ body: 'é'.repeat(50_000) })),
      ),
    ],
  },
  'unknown fields': {
    calls: [
      records(
        'people',
        times(60, () => unknownFields(900)),
      ),
    ],
  },
  '200,000 unknown fields': { calls: [records('people', [unknownFields(60_000)])] },
  'unknown properties': { calls: [post('/titles', unknownFields(900))] },
  '10,000 ids': { calls: [post('/titles', { ids: times(10_000, (i) => `id${i}`) })] },
  'a megabyte of numbers': {
    calls: [
      records('people', [{ tags: times(9000, (i) => i) }, ...times(40, () => ({ tags: times(9000, (i) => i) }))]),
    ],
  },
  'a body of 4 MiB': { calls: [post('/records/people', { records: ['a'.repeat(4 * 1024 * 1024)] })] },
  '9,900 brackets in a filter': { calls: [post('/records/people/filter-check', { filter: '('.repeat(9900) })] },
  '16 slow filters': { calls: [count(slow)], atOnce: 16 },
  '16 slow filters, clients leave': { calls: [{ ...count(slow), leaveAfter: 1000 }], atOnce: 16 },
  'exact counts': { calls: [count('score > 50')], atOnce: 16 },
  'deep any()': { calls: [count(deep, false)], atOnce: 16 },
  'parts of words': { calls: [count('last_name ~ "zz"', false)], atOnce: 16 },
  'sorts without an index': {
    calls: [{ method: 'GET', path: '/api/v1/records/people?sort=created_by,score,-birthday&limit=100' }],
    atOnce: 16,
  },
  'writes that name records': {
    calls: [
      {
        ...post('/records/deals', {
          records: deals.map((id) => ({ id, values: { people: times(30, (i) => `nobody ${id} ${i}`) } })),
          dry_run: true,
        }),
        method: 'PATCH',
      },
    ],
    atOnce: 16,
  },
  'names in a filter': {
    calls: [count(`owner in (${times(190, (i) => `"nobody ${i}"`).join(', ')})`, false)],
    atOnce: 16,
  },
  'filters of 420 shapes': { calls: times(420, (n) => count(shape(n), false)), atOnce: 16 },
  'wrong keys': { calls: [{ method: 'GET', path: '/api/v1/me', key: 'x'.repeat(64) }], atOnce: 50, isFlood: true },
  strangers: {
    calls: [{ method: 'GET', path: '/app/api/session', cookie: 'kith_session=none' }],
    atOnce: 50,
    isFlood: true,
  },
  'one key as fast as it can': {
    calls: [{ method: 'GET', path: '/api/v1/records/people?limit=100' }],
    atOnce: 50,
    isFlood: true,
  },
  'a session as fast as it can': {
    calls: [{ method: 'GET', path: '/app/api/records/people?limit=100', cookie: `kith_session=${session}` }],
    atOnce: 50,
    isFlood: true,
  },
  'many event streams': {
    calls: [{ method: 'GET', path: '/app/api/live', cookie: `kith_session=${session}`, leaveAfter: 3000 }],
    atOnce: 60,
  },
}
/** Those that need data of their own. */
const prepared: Record<string, () => Promise<Attack>> = {
  'a conversation of 20,000 messages': repliesInLongConversation,
}
const only = process.env.ONLY ?? ''

const [own] = await bystanderRecords()
const results: {
  name: string
  p50: number
  p99: number
  failed: number
  asked: number
  held: number
  answers: string
}[] = []
console.log(`${people} people in one organization; each attack for ${seconds} s, 16 at the same time unless noted\n`)
await measure('nobody else (reference)', { calls: [], atOnce: 0 })
for (const [name, attack] of Object.entries(attacks)) if (name.includes(only)) await measure(name, attack)
for (const [name, prepare] of Object.entries(prepared)) if (name.includes(only)) await measure(name, await prepare())
const memory = databaseMemory()

console.log(`${'attack'.padEnd(34)} ${'p50'.padStart(8)} ${'p99'.padStart(8)}   failed    held   answers`)
for (const { name, p50, p99, failed, asked, held, answers } of results)
  console.log(
    `${name.padEnd(34)} ${p50.toFixed(1).padStart(6)}ms ${p99.toFixed(1).padStart(6)}ms ${`${failed}/${asked}`.padStart(8)} ${held.toFixed(0).padStart(5)}ms   ${answers}`,
  )
const rss = (await kith.rss()) / 1e6
console.log(`\nmemory   ours ${rss.toFixed(0)} MB, PostgreSQL ${memory} MB`)
const [reference, ...attacked] = results
const mostP99 = Math.max(bars.p99, bars.timesReference * reference!.p99)
bar('p99 of the bystander', Math.max(...attacked.map(({ p99 }) => p99)), mostP99, 'ms')
bar(
  'requests of the bystander that failed',
  attacked.reduce((sum, { failed }) => sum + failed, 0),
  0,
  '',
)
bar('longest hold of the event loop by one call', Math.max(...attacked.map(({ held }) => held)), bars.held, 'ms')
bar('memory of the server', rss, bars.memory, 'MB')
kith.stop()
await pool.end()
await database.stop()

/** Each reply used to read all earlier messages. */
async function repliesInLongConversation(): Promise<Attack> {
  const channel_id = randomUUIDv7()
  const { company_id } = attacker
  await pool.query(
    `insert into channels (company_id, id, kind, name, address, settings, state, agents, created_at)
      values ($1, $2, 'email', 'Support', 'support@acme.example', '{}', 'synced', 'send', now())`,
    [company_id, channel_id],
  )
  const conversation_id = await longConversation(pool, { company_id, channel_id })
  return { calls: [post('/messages', { conversation_id, text: 'Yes, we do.' })], atOnce: 16 }
}

function bar(what: string, seen: number, most: number, unit: string) {
  console.log(
    `  ${seen <= most ? 'met   ' : 'MISSED'}  ${what.padEnd(46)} ${seen.toFixed(0)}${unit}  (at most ${most}${unit})`,
  )
}

async function measure(
  name: string,
  { calls, atOnce = 4, isFlood }: { calls: Call[]; atOnce?: number; isFlood?: true },
) {
  const held = calls.length ? await heldByOne(calls[0]!) : 0
  const end = performance.now() + seconds * 1000
  const seen = new Map<number, number>()
  let next = 0
  const attackers = times(calls.length ? atOnce : 0, async () => {
    while (performance.now() < end) {
      const { status } = await send(calls[next++ % calls.length]!)
      seen.set(status, (seen.get(status) ?? 0) + 1)
      if (!isFlood) await sleep(5)
    }
  })
  const { latencies, failed } = await bystand(end)
  await Promise.all(attackers)
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  const answers = [...seen]
    .toSorted()
    .map(([status, times]) => `${status || 'left'}:${times}`)
    .join(' ')
  results.push({ name, p50: at(0.5), p99: at(0.99), failed, asked: sorted.length, held, answers })
  // Lets what the attack left running finish before the next one.
  await sleep(500)
}

/** How long one call alone blocks the event loop at most; the median of three calls. */
async function heldByOne(call: Call) {
  const holds: number[] = []
  for (let i = 0; i < 3; i++) {
    await kith.held()
    await send({ ...call, leaveAfter: call.leaveAfter ?? 2000 })
    holds.push(await kith.held())
  }
  return median(holds)
}

/** Reads and writes one after the other, as a person does. */
async function bystand(end: number) {
  const latencies: number[] = []
  let failed = 0
  const turns: Call[] = [
    { method: 'GET', path: '/api/v1/me' },
    { method: 'GET', path: '/api/v1/records/people?limit=20' },
    { method: 'GET', path: `/api/v1/records/people/${own}` },
    { ...post('/records/people', { records: [{ id: own, values: { score: 1 } }] }), method: 'PATCH' },
    { ...count('status = active', false) },
  ]
  for (let i = 0; performance.now() < end; i++) {
    const began = performance.now()
    const { status } = await send({ ...turns[i % turns.length]!, key: keys.bystander })
    latencies.push(performance.now() - began)
    if (status !== 200) failed++
    await sleep(20)
  }
  return { latencies, failed }
}

function unknownFields(n: number) {
  return Object.fromEntries(times(n, (i) => [`kfield${i}`, 1]))
}

async function make(object: string, list: unknown[], key = keys.attacker) {
  const { status, text } = await send({ ...post(`/records/${object}`, { records: list }), key })
  if (status === 429) {
    await sleep(1000)
    return make(object, list, key)
  }
  if (status !== 201) throw new Error(text.slice(0, 500))
  return (JSON.parse(text).records as { id: string }[]).map(({ id }) => id)
}

async function seed() {
  const [id] = await make('organizations', [{ name: 'Everybody' }])
  for (let from = 0; from < people; from += 100)
    await make(
      'people',
      times(100, (i) => ({ last_name: `Person ${from + i}`, score: i, organization: id })),
    )
  return id!
}

async function seedDeals() {
  return make(
    'deals',
    times(6, (i) => ({ name: `Deal ${i}`, organization })),
  )
}

function bystanderRecords() {
  return make(
    'people',
    times(100, (i) => ({ last_name: `Own ${i}`, status: i % 2 ? 'active' : 'former' })),
    keys.bystander,
  )
}

/** The private memory of all PostgreSQL processes, in MB. */
function databaseMemory() {
  const host = String(database.connection.host)
  const processes = execFileSync('ps', ['-eo', 'pid,ppid,args']).toString().split('\n')
  const [main] = processes.filter((line) => line.includes(host)).map((line) => line.trim().split(/\s+/)[0])
  const children = processes.map((line) => line.trim().split(/\s+/)).filter(([, parent]) => parent === main)
  const own = ([pid]: string[]) =>
    Number(/Private_Dirty:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  return Math.round(children.reduce((sum, line) => sum + own(line), 0) / 1024)
}
