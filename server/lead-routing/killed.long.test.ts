// Caps hold exactly with several processes, and nothing goes twice to a destination that has accepted it, whatever ends
// the processes.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startBuyer } from '../../test/buyer.ts'
import { install } from '../../test/installation.ts'
import { sized } from '../../test/long.ts'
import { waitForProcesses } from '../../test/patience.ts'

waitForProcesses()

const count = sized(120, 1000)
const cap = count / 10
const kith = await install({ OUTBOUND_ALLOW: '127.0.0.1' })
const buyer = await startBuyer()
afterAll(async () => {
  buyer.stop()
  await kith.remove()
})

type Delivery = { lead_id: string; state: string; reason: string | null }
type Routing = { lead_id: string; state: string; next_at: Date | null; trace: { what: string }[] }
const isTaken = ({ state }: Delivery) => state === 'accepted' || state === 'unknown'

/** A route with a cap, and one for the rest, whose partner rejects some leads. `kills` come amid the leads. */
async function sendAll(kills: (() => Promise<unknown>)[]) {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const slow = buyer.at((_, response) => setTimeout(() => response.end('{}'), 15))
  let turn = 0
  const fussy = buyer.at((_, response) => response.writeHead(++turn % 7 === 3 ? 422 : 200).end('{}'))
  const partners = []
  for (const [at, total] of [
    [slow, cap],
    [fussy, count / 2],
  ] as const) {
    const { id } = await api.createLeadDestination({ name: 'Partner', http: { url: at.url } })
    await api.createLeadRoute({
      name: `Up to ${total}`,
      state: 'active',
      targets: [{ destination_id: id, caps: { total } }],
    })
    partners.push({ id, total, got: () => at.got().map(({ body }) => JSON.parse(body).lead_id as string) })
  }
  const rowsOf = async <Row>(text: string, ...more: string[]) =>
    (await kith.pool.query(text, [admin.company_id, ...more])).rows as Row[]
  const routings = () => rowsOf<Routing>('select * from lead_routings where company_id = $1')
  const all = kills.length
  // A call that fails is not repeated; its leads may have been created all the same.
  for (let made = 0; made < count; ) {
    const emails = Array.from({ length: 20 }, (_, i) => ({ email: `l${made + i}@example.com` }))
    const created = await api.createRecords({ object: 'leads', records: emails }).catch(() => undefined)
    if (created) made += 20
    else await sleep(100)
    if (kills.length && made >= (count * (all - kills.length + 1)) / (all + 1)) await kills.shift()!()
  }
  const ended = await kith.eventually(async () => {
    const found = await routings()
    return found.every(({ next_at }) => next_at === null) && found
  }, 200)
  const deliveriesTo = (id: string) =>
    rowsOf<Delivery>('select * from lead_deliveries where company_id = $1 and destination_id = $2', id)
  return { ended, partners, deliveriesTo }
}

test('a lead reaches a lead source of another Kith, once', async () => {
  const there = await kith.given.company()
  const api_key = await kith.given.key(there)
  const { id: source_id } = await kith.withKey(api_key).createLeadSource({ name: 'Partner' })
  const api = kith.withKey(await kith.given.key(await kith.given.company()))
  const url = kith.url.replace('localhost', '127.0.0.1')
  const { id: destination_id } = await api.createLeadDestination({ name: 'There', kith: { url, source_id }, api_key })
  const records = [{ first_name: 'Ada', email: 'ada@example.com', message: 'Hello' }]
  const lead_id = (await api.createRecords({ object: 'leads', records })).records[0]!.id
  await api.sendLead({ id: lead_id, destination_id })
  const leads = await kith.eventually(async () => {
    const { records: all } = await kith.withKey(api_key).queryRecords({ object: 'leads' })
    return all.length > 0 && all
  })
  expect(leads).toMatchObject([{ first_name: 'Ada', email: 'ada@example.com', message: 'Hello', source: 'Partner' }])
  await kith.eventually(async () => (await api.explainLeadRoute({ id: lead_id })).state === 'delivered')
})

test(`two processes deliver exactly ${cap} of ${count} leads to a partner with a cap of ${cap}`, async () => {
  const worker = await kith.startWorker()
  const { ended, partners, deliveriesTo } = await sendAll([])
  expect(ended).toHaveLength(count)
  for (const { id, total, got } of partners) {
    const deliveries = await deliveriesTo(id)
    expect(deliveries.filter(isTaken)).toHaveLength(total)
    expect(new Set(got()).size).toBe(got().length)
  }
  expect(partners[0]!.got()).toHaveLength(cap)
  expect(ended.filter(({ state }) => state === 'not_taken')).toHaveLength(count - cap - count / 2)
  await kith.kill(worker)
})

test(`with kill -9 of worker, database and server amid ${count} leads, each ends with its reason and none is accepted twice`, async () => {
  const worker = await kith.startWorker()
  const { ended, partners, deliveriesTo } = await sendAll([
    () => kith.kill(worker),
    () => kith.killPostgres(),
    async () => {
      await kith.kill(kith.server)
      await kith.startServer()
    },
  ])
  expect(ended.length).toBeGreaterThanOrEqual(count)
  for (const { state, trace } of ended) {
    expect(['delivered', 'not_taken', 'unknown']).toContain(state)
    expect(trace.length).toBeGreaterThan(1)
  }
  for (const { id, total, got } of partners) {
    const deliveries = await deliveriesTo(id)
    // What was interrupted may have arrived, so it counts and is not sent again.
    expect(deliveries.filter(isTaken)).toHaveLength(total)
    for (const { state, reason } of deliveries) {
      expect(['accepted', 'rejected', 'unknown']).toContain(state)
      if (state === 'unknown') expect(reason).toMatch(/may have arrived/)
    }
    expect(new Set(got()).size, 'sent once').toBe(got().length)
    for (const lead_id of got()) expect(deliveries.map((one) => one.lead_id)).toContain(lead_id)
  }
})
