// Routing a lead through 200 routes of which the last matches, beside bare evaluation of the same filters; and the time
// from a lead to its HTTP delivery.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { evaluate, hasFaults, type Resolved, resolve } from '../contract/filter/index.ts'
import { readFilterIn, wholeScopeOf } from '../server/engine/rights/scope.ts'
import { readSchema } from '../server/engine/schema/schema.ts'
import { comparableValues, fieldsIn } from '../server/engine/subscriptions/filters.ts'
import { sampleLead } from '../server/lead-routing/lead-values.ts'
import { compared, matcherFor } from '../server/lead-routing/route-filter.ts'
import { createDb, createPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { migrate } from '../server/platform/migrate.ts'
import { givenFor } from '../test/given.ts'
import { serve } from './serve.ts'

const routeCount = 200
const leadCount = Number(process.env.LEADS ?? 200)
const folder = mkdtempSync(join(tmpdir(), 'kith-bench-'))
const database = await startEmbeddedPostgres(folder)
const { superuser: connection } = database
await migrate(connection)
const pool = createPool(connection)
const db = createDb(pool)
const given = givenFor(db, () => new Date())
const server = await serve(join(import.meta.dirname, 'serve-kith.ts'), JSON.stringify(connection), 'worker')
const arrived = new Map<string, number>()
const buyer = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request) body += piece
  arrived.set(JSON.parse(body).email, performance.now())
  response.end('{}')
})
await new Promise<void>((resolve) => buyer.listen(0, '127.0.0.1', resolve))
const filterOf = (i: number) => `company_name = "Company ${i}" and score > ${i} or campaign ~ "number ${i}"`

try {
  const admin = await given.company()
  const headers = { 'x-api-key': await given.key(admin), 'content-type': 'application/json' }
  const call = async (path: string, body: unknown) => {
    const url = `http://localhost:${server.port}/api/v1${path}`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as { id: string }
  }
  console.log(
    `load ${loadavg()
      .map((one) => one.toFixed(1))
      .join(' ')}`,
  )
  await measureFilters(admin.company_id)
  const { id } = await call('/lead-destinations', {
    name: 'Buyer',
    http: { url: `http://127.0.0.1:${(buyer.address() as AddressInfo).port}/` },
  })
  const targets = [{ destination_id: id }]
  for (let i = 1; i < routeCount; i++)
    await call('/lead-routes', { name: `Route ${i}`, state: 'active', filter: filterOf(i), targets })
  await call('/lead-routes', { name: 'Last', state: 'active', targets })
  await measureDelivery(call)
} finally {
  server.stop()
  buyer.closeAllConnections()
  buyer.close()
  await pool.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measureFilters(company_id: string) {
  const schema = await readSchema(db, company_id)
  const leads = schema.builtIn.get('leads')!
  const lead = sampleLead(leads, new Date())
  const filters = Array.from({ length: routeCount }, (_, i) => filterOf(i))
  const bare = filters.map((filter) => {
    const read = readFilterIn(wholeScopeOf(schema), leads.key, filter)
    if (hasFaults(read)) throw new Error('broken')
    const here = { now: new Date(), timeZone: 'UTC', firstWeekday: 'monday' as const }
    return {
      resolved: (resolve(read.checked, here) as { resolved: Resolved }).resolved,
      fields: fieldsIn(read.checked),
    }
  })
  const values = comparableValues(schema, bare[0]!.fields, lead)
  const ours = () => {
    const values = compared(lead)
    return filters.map((filter) => matcherFor(schema, leads, filter)!(values, new Date()))
  }
  const ceiling = () => bare.map(({ resolved }) => evaluate(resolved, values))
  const timeOf = (work: () => unknown) => {
    for (let i = 0; i < 500; i++) work()
    const began = performance.now()
    for (let i = 0; i < 2000; i++) work()
    return ((performance.now() - began) / 2000) * 1000
  }
  const [our, bareTime] = [timeOf(ours), timeOf(ceiling)]
  console.log(
    `${routeCount} routes per lead: ${our.toFixed(0)} µs with the condition that fails, bare evaluation ${bareTime.toFixed(0)} µs`,
  )
}

/** One lead after the other, then ten per second, then as fast as they go, which says how many a process can send. */
async function measureDelivery(call: (path: string, body: unknown) => Promise<unknown>) {
  const began = new Map<string, number>()
  const create = async (email: string) => {
    began.set(email, performance.now())
    await call('/records/leads', { records: [{ email, company_name: 'None' }] })
  }
  const times = async (emails: string[]) => {
    for (const end = Date.now() + 120_000; emails.some((email) => !arrived.has(email)) && Date.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 10))
    return emails.map((email) => arrived.get(email)! - began.get(email)!).sort((a, b) => a - b)
  }
  const print = (title: string, list: number[], bar = ' (bar: p50 under 1000 ms)') => {
    const at = (part: number) => list[Math.floor(list.length * part)]!.toFixed(0)
    console.log(`${title}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${list.at(-1)!.toFixed(0)} ms${bar}`)
    return list[Math.floor(list.length / 2)]! < 1000
  }
  const alone: string[] = []
  for (let i = 0; i < leadCount / 4; i++) {
    const email = `one${i}@example.com`
    await create(email)
    alone.push(email)
    await times([email])
  }
  const isGood = print('lead to HTTP delivery, one at a time', await times(alone))
  const steady = Array.from({ length: leadCount / 2 }, (_, i) => `steady${i}@example.com`)
  const created = steady.map(async (email, i) => {
    await new Promise((resolve) => setTimeout(resolve, i * 100))
    await create(email)
  })
  await Promise.all(created)
  const isSteady = print('lead to HTTP delivery, 10 per second', await times(steady))
  const many = Array.from({ length: leadCount }, (_, i) => `many${i}@example.com`)
  const start = performance.now()
  await Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      for (let i = n; i < many.length; i += 10) await create(many[i]!)
    }),
  )
  print(`lead to HTTP delivery, ${leadCount} leads from 10 callers as fast as they go`, await times(many), '')
  console.log(`${((leadCount / (performance.now() - start)) * 1000).toFixed(0)} leads per second`)
  if (!isGood || !isSteady) process.exitCode = 1
}
