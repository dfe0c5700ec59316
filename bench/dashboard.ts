// The default dashboard of a company with 100,000 deals, compared with the same figures as handwritten SQL on typed
// tables; and a bystander of another company, who gets records by ID while either is computed over and over.
// DEALS sets how many deals there are.
import { randomUUIDv7 } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import type { WidgetAnswer } from '../contract/dashboards.ts'
import { builtInWidgets } from '../contract/shared/widget.ts'
import { createDb, createPool } from '../server/platform/db.ts'
import { givenFor } from '../test/given.ts'
import { figuresByHand, typedTables } from './dashboard-by-hand.ts'
import { median } from './harness.ts'
import { load, type Request } from './load.ts'
import { benchDatabase, serve } from './serve.ts'

const deals = Number(process.env.DEALS ?? 100_000)
const templates = 1000
/**
 * A connection that computes without a pause takes one of two cores, no matter who wrote its statements. So the bystander is
 * compared with one beside the handwritten statements.
 */
const bars = { ms: 1000, connections: 2, bystander: 0.8 }

const database = await benchDatabase()
const pool = createPool(database.connection)
const given = givenFor(createDb(pool), () => new Date())
const owner = await given.company({ name: 'Large' })
const sellers = [owner, ...(await Promise.all(times(9, (i) => given.user(owner, { name: `Seller ${i}` }))))]
const key = await given.key(owner)
const bystander = await given.key(await given.company({ name: 'Bystander' }))
const kith = await serve(join(import.meta.dirname, 'serve-kith.ts'), JSON.stringify(database.connection))
const dashboard = { port: kith.port, method: 'POST', path: '/api/v1/dashboards/default/query', ...sent(key, {}) }

await seed()
const byHand = [new pg.Client(database.connection), new pg.Client(database.connection)]
for (const client of byHand) await client.connect()
try {
  const widgets = await demandSame()
  await timeWidgets()
  await compareTimes(widgets)
  await compareBystander()
} finally {
  kith.stop()
  for (const client of byHand) await client.end()
  await pool.end()
  await database.stop()
}

/** Which widget takes how long, one after the other. */
async function timeWidgets() {
  console.log('\neach widget alone, median of 5')
  for (const type of builtInWidgets) {
    const asked = sent(key, { widget: { id: type, type } })
    const path = '/api/v1/dashboards/preview'
    const each: number[] = []
    for (let i = 0; i < 5; i++) each.push(await took(() => ask({ port: kith.port, method: 'POST', path, ...asked })))
    console.log(`  ${type.padEnd(16)} ${median(each).toFixed(0).padStart(5)} ms`)
  }
}

/** The dashboard and the handwritten statements in turn, each from start to end. */
async function compareTimes(widgets: number) {
  const [ours, theirs]: [number[], number[]] = [[], []]
  const counting = countConnections()
  for (let i = 0; i < 15; i++) {
    ours.push(await took(() => ask(dashboard)))
    theirs.push(await took(() => figuresByHand(byHand, owner)))
  }
  const connections = await counting.stop()
  console.log(`\n${widgets} widgets, ${deals.toLocaleString('en')} deals, median of ${ours.length}`)
  console.log(`  ours        ${median(ours).toFixed(0)} ms   slowest ${Math.max(...ours).toFixed(0)} ms`)
  console.log(`  by hand     ${median(theirs).toFixed(0)} ms   on two connections`)
  bar('all widgets of the default dashboard', median(ours), bars.ms, 'ms')
  bar('connections that worked at the same time', connections, bars.connections, '')
}

/** Slices alone and slices beside the dashboard, so that a machine that is slow for a second is slow for both. */
async function compareBystander() {
  const [id] = await create('people', [{ last_name: 'Own' }], bystander)
  const get = { port: kith.port, path: `/api/v1/records/people/${id}`, headers: { 'x-api-key': bystander } }
  const slice = { connections: 4, seconds: 1.5 }
  await load(get, slice)
  const rateBeside = async (work: () => Promise<unknown>) => {
    let isOver = false
    const working = (async () => {
      while (!isOver) await work()
    })()
    const { requests, seconds } = await load(get, slice)
    isOver = true
    await working
    return requests / seconds
  }
  const rates: [alone: number[], ours: number[], byHand: number[]] = [[], [], []]
  for (let i = 0; i < 12; i++) {
    const { requests, seconds } = await load(get, slice)
    rates[0].push(requests / seconds)
    rates[1].push(await rateBeside(() => ask(dashboard)))
    rates[2].push(await rateBeside(() => figuresByHand(byHand.slice(0, 1), owner)))
  }
  const [alone, ours, hand] = rates
  const kept = (beside: number[], others: number[]) => median(beside.map((rate, i) => rate / others[i]!))
  console.log(`\nget by id of another company (${slice.connections} connections)`)
  console.log(`  alone       ${median(alone).toFixed(0)} rps`)
  console.log(`  beside ours ${median(ours).toFixed(0)} rps (${kept(ours, alone).toFixed(2)})`)
  console.log(`  by hand     ${median(hand).toFixed(0)} rps (${kept(hand, alone).toFixed(2)}), on one connection`)
  const ratio = kept(ours, hand)
  const verdict = ratio >= bars.bystander ? 'met   ' : 'MISSED'
  console.log(`  ${verdict}  speed that the bystander keeps  ${ratio.toFixed(2)}  (at least ${bars.bystander})`)
}

/** Both sides must come to the same figures. Returns the number of widgets. */
async function demandSame() {
  const { widgets } = (await ask(dashboard)) as { widgets: WidgetAnswer[] }
  const failed = widgets.find(({ error }) => error)
  if (failed) throw new Error(`${failed.type}: ${failed.error}`)
  const hand = await figuresByHand(byHand, owner)
  const near = (a: unknown, b: number) => Math.abs(Number(a ?? 0) - b) <= Math.abs(b) * 1e-9 + 1e-6
  for (const [name, figures] of Object.entries(hand))
    for (const { key, values } of figures) {
      const own = widgets
        .find(({ type }) => type === name)!
        .figures.find((figure) => [figure.key, ...figure.keys].includes(key))
      for (const [measure, value] of Object.entries(values))
        if (!near(own?.values[measure], value))
          throw new Error(`${name}, ${key}, ${measure}: ${own?.values[measure]} instead of ${value}`)
    }
  return widgets.length
}

/** How many statements of the server ran at the same time, sampled while it works. */
function countConnections() {
  let [most, isOver] = [0, false]
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await pool.query(
        `select count(*)::int as n from pg_stat_activity where state = 'active' and backend_type = 'client backend'
          and query ~ 'records' and pid <> pg_backend_pid()`,
      )
      most = Math.max(most, rows[0].n)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      return most
    },
  }
}

async function took(work: () => Promise<unknown>) {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function bar(what: string, seen: number, most: number, unit: string) {
  console.log(`  ${seen <= most ? 'met   ' : 'MISSED'}  ${what}  ${seen.toFixed(0)} ${unit}  (at most ${most} ${unit})`)
}

function times<T>(count: number, make: (i: number) => T) {
  return Array.from({ length: count }, (_, i) => make(i))
}

function sent(apiKey: string, body: object) {
  return { headers: { 'x-api-key': apiKey, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

async function ask({ port, path, ...init }: Request) {
  const answer = await fetch(`http://localhost:${port}${path}`, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text.slice(0, 500))
  return JSON.parse(text)
}

async function create(object: string, records: object[], by = key) {
  const ids: string[] = []
  for (let from = 0; from < records.length; from += 100) {
    const body = { records: records.slice(from, from + 100) }
    const made = await ask({
      port: kith.port,
      path: `/api/v1/records/${object}`,
      method: 'POST',
      ...sent(by, body),
    })
    ids.push(...made.records.map((record: { id: string }) => record.id))
  }
  return ids
}

/** Some deals, tasks and activities are created as people do, and then copied by SQL with IDs of their own. */
async function seed() {
  const day = 86_400_000
  const at = (days: number) => new Date(Date.now() + days * day).toISOString()
  const who = (i: number) => sellers[i % sellers.length]!.user_id
  const settings = { currency: 'EUR', time_zone: 'UTC', rates: [{ currency: 'USD', rate: 0.9 }] }
  await ask({ port: kith.port, path: '/api/v1/company', method: 'PATCH', ...sent(key, settings) })
  const made = await create(
    'deals',
    times(templates, (i) => {
      const isOpen = i % 10 < 6
      return {
        name: `Deal ${i}`,
        owner: who(i),
        amount: { amount: String(500 + (i % 97) * 250), currency: i % 3 ? 'EUR' : 'USD' },
        stage: isOpen ? ['qualified', 'proposal', 'negotiation'][i % 3] : i % 2 ? 'won' : 'lost',
        ...(!isOpen && { closed_at: at(-(i % 70)), ...(i % 2 === 0 && { lost_reason: 'price' }) }),
        expected_close: at((i % 240) - 40).slice(0, 10),
      }
    }),
  )
  const about = (i: number) => [made[(i * 7) % made.length]!]
  await create(
    'tasks',
    times(templates, (i) => ({
      title: `Task ${i}`,
      assignee: who(i),
      due_at: at((i % 40) - 20),
      status: i % 4 ? 'open' : 'done',
      about: about(i),
    })),
  )
  await create(
    'activities',
    times(templates, (i) => ({ kind: 'call', at: at(-(i % 30)), about: about(i) })),
  )
  await create(
    'leads',
    times(100, (i) => ({ last_name: `Lead ${i}`, owner: who(i) })),
  )
  const copies = Math.round(deals / templates) - 1
  await copy('deals', copies)
  for (const object of ['tasks', 'activities']) await copy(object, Math.round(copies / 5))
  for (const statement of typedTables) await pool.query(statement)
  await pool.query('vacuum analyze')
}

async function copy(object: string, copies: number) {
  const of = `r.company_id = $1 and r.object_id = (select id from objects where company_id = $1 and key = '${object}')`
  const { rows } = await pool.query<{ id: string }>(`select id from records r where ${of} order by id`, [
    owner.company_id,
  ])
  for (let i = 0; i < copies; i++) {
    const [from, to] = [rows.map(({ id }) => id), rows.map(() => randomUUIDv7())]
    const pairs = [owner.company_id, from, to]
    const copied = 'from unnest($2::uuid[], $3::uuid[]) as p(old, new) join'
    await pool.query(
      `insert into records select (jsonb_populate_record(r, jsonb_build_object('id', p.new))).* ${copied} records r
        on r.company_id = $1 and r.id = p.old`,
      pairs,
    )
    await pool.query(
      `insert into links select l.company_id, l.field_id, p.new, l.to_id, l.position ${copied} links l
        on l.company_id = $1 and l.from_id = p.old`,
      pairs,
    )
  }
}
