// A user of one company works while a key or session of another, or a stranger, does the most expensive things. The p99 of
// the first must stay under 250 ms, or five times their p99 without an attack, none of their requests may fail, no call may
// block the event loop for more than 50 ms, and the server must stay under 600 MB.
// PEOPLE sets how many people are in the organization that the slow filters go through, ONLY which attacks run (a pattern).
import { execFileSync } from 'node:child_process'
import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDb, createPool } from '../server/platform/db.ts'
import { givenFor } from '../test/given.ts'
import { type Attack, idleRequests, largeBodies, type Target, twoImports } from './bystander-attacks.ts'
import { crowdedHtml, manyHeaders, postedHtml } from './content-attacks.ts'
import { median } from './harness.ts'
import { longConversation } from './long-conversation.ts'
import { benchDatabase, serve } from './serve.ts'

const people = Number(process.env.PEOPLE ?? 15_000)
const seconds = Number(process.env.SECONDS ?? 5)
const bars = { p99: 250, timesReference: 5, held: 50, megabytes: 600 }
const only = new RegExp(process.env.ONLY ?? '')

const database = await benchDatabase()
const pool = createPool(database.connection)
const given = givenFor(createDb(pool), () => new Date())
const attacker = await given.company({ name: 'Attacker' })
const keys = { attacker: await given.key(attacker), bystander: await given.key(await given.company()) }
const session = await given.session(attacker)
const secondSession = await given.session(await given.company({ name: 'Second attacker' }))
const kith = await serve(
  join(import.meta.dirname, 'serve-kith.ts'),
  JSON.stringify(database.connection),
  'limited worker',
)
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

type Requests = { calls: Call[]; atOnce?: number; isFlood?: true }

/** What to send, in turn, and how many at the same time. */
const attacks: Record<string, Requests> = {
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
const prepared: Record<string, () => Promise<Requests>> = {
  'a conversation of 20,000 messages': repliesInLongConversation,
}

/** What is more than requests in turn, and for how many seconds; see bystander-attacks.ts and content-attacks.ts. */
const campaigns: Record<string, { attack: Attack; lasts?: number }> = {
  '1,000 idle posts to no channel': { attack: idleRequests(`/public/channels/${'A'.repeat(43)}/messages`) },
  '1,000 idle sign-ins': { attack: idleRequests('/app/api/session') },
  '15 MB from each of 130 networks': { attack: largeBodies },
  'posts of 4 MB of HTML': { attack: postedHtml },
  'a mail of 4 MB of HTML': { attack: crowdedHtml },
  'a mail of 40,000 headers': { attack: manyHeaders },
  'two large imports': { attack: twoImports, lasts: Number(process.env.IMPORT_SECONDS ?? 60) },
}

const [own] = await bystanderRecords()
type Result = {
  name: string
  p50: number
  p99: number
  failed: number
  asked: number
  held: number
  /** CPU time that the main thread used without a pause, which a busy machine does not change. */
  busy?: number
  megabytes: number
  answers: string
}
const results: Result[] = []
console.log(`${people} people in one organization; each attack for ${seconds} s, 16 at the same time unless noted\n`)
await measure('nobody else (reference)', { calls: [], atOnce: 0 })
for (const [name, attack] of Object.entries(attacks)) if (only.test(name)) await measure(name, attack)
for (const [name, prepare] of Object.entries(prepared)) if (only.test(name)) await measure(name, await prepare())
for (const [name, { attack, lasts }] of Object.entries(campaigns))
  if (only.test(name)) await withstand(name, attack, lasts)
const memory = databaseMemory()

console.log(`${'attack'.padEnd(34)} ${'p50'.padStart(8)} ${'p99'.padStart(8)}   failed    held  memory   answers`)
for (const { name, p50, p99, failed, asked, held, busy, megabytes, answers } of results)
  console.log(
    `${name.padEnd(34)} ${p50.toFixed(1).padStart(6)}ms ${p99.toFixed(1).padStart(6)}ms ${`${failed}/${asked}`.padStart(8)} ${held.toFixed(0).padStart(5)}ms ${megabytes.toFixed(0).padStart(4)} MB   ${answers}${busy === undefined ? '' : `, ${busy.toFixed(0)} ms of CPU at most without a pause`}`,
  )
console.log(`\nmemory   ours ${((await kith.rss()) / 1e6).toFixed(0)} MB, PostgreSQL ${memory} MB`)
const attacked = results.slice(1)
const mostP99 = Math.max(bars.p99, bars.timesReference * results[0]!.p99)
bar('p99 of the bystander', Math.max(...attacked.map(({ p99 }) => p99)), mostP99, 'ms')
bar(
  'requests of the bystander that failed',
  attacked.reduce((sum, { failed }) => sum + failed, 0),
  0,
  '',
)
bar('longest hold of the event loop by one call', Math.max(...attacked.map(({ held }) => held)), bars.held, 'ms')
bar('memory', Math.max(...attacked.map(({ megabytes }) => megabytes)), bars.megabytes, ' MB')
kith.stop()
await pool.end()
await database.stop()

/** Each reply used to read all earlier messages. */
async function repliesInLongConversation(): Promise<Requests> {
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
    `  ${seen <= most ? 'met   ' : 'MISSED'}  ${what.padEnd(46)} ${seen.toFixed(0)}${unit}  (at most ${most.toFixed(0)}${unit})`,
  )
}

async function measure(
  name: string,
  { calls, atOnce = 4, isFlood }: { calls: Call[]; atOnce?: number; isFlood?: true },
) {
  const heldByCall = calls.length ? await heldByOne(calls[0]!) : undefined
  await kith.held()
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
  const seenByBystander = await bystand(end)
  // Without an attack: by whatever else runs on this machine.
  const held = heldByCall ?? (await kith.held())
  await Promise.all(attackers)
  const answers = [...seen]
    .toSorted()
    .map(([status, times]) => `${status || 'left'}:${times}`)
    .join(' ')
  results.push({ name, ...seenByBystander, held, answers })
  // Lets what the attack left running finish before the next one.
  await sleep(500)
}

/** Here `held` is the longest hold by anything that ran meanwhile. */
async function withstand(name: string, attack: Attack, lasts = seconds) {
  await kith.held()
  await kith.busy()
  const end = await attack(target())
  const seenByBystander = await bystand(performance.now() + lasts * 1000)
  const [held, busy] = [await kith.held(), await kith.busy()]
  results.push({ name, ...seenByBystander, held, busy, answers: await end() })
  await sleep(2000)
}

function target(): Target {
  const admins = [session, secondSession]
  const read = async (path: string, headers: Record<string, string>, body?: unknown, type = 'application/json') => {
    const sent = body === undefined || type !== 'application/json' ? (body as string | undefined) : JSON.stringify(body)
    const content =
      body === undefined ? {} : { method: 'POST', body: sent, headers: { ...headers, 'content-type': type } }
    const answer = await fetch(url(path), { headers, ...content })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
  return {
    port: kith.port,
    asAdmin: (i, path, ...rest) =>
      read(`/app/api${path}`, { cookie: `kith_session=${admins[i]}`, 'x-kith-upload': '1', origin: url('') }, ...rest),
    asBystander: (path, body) => read(`/api/v1${path}`, { 'x-api-key': keys.bystander }, body),
    deliver: (source) => kith.tell({ company_id: attacker.company_id, source }),
  }
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
  let [failed, megabytes] = [0, 0]
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
    if (i % 20 === 0) megabytes = Math.max(megabytes, (await kith.rss()) / 1e6)
    await sleep(20)
  }
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99), failed, asked: sorted.length, megabytes }
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
