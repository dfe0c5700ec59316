// Every event arrives at least once, whatever ends the processes.
import { afterAll, expect, test } from 'vitest'
import { install } from '../../test/installation.ts'
import { sized } from '../../test/long.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { type Received, startReceiver } from '../../test/receiver.ts'

waitForProcesses()

const count = sized(300, 10_000)
const kith = await install({ OUTBOUND_ALLOW: '127.0.0.1' })
const receiver = await startReceiver()
afterAll(async () => {
  receiver.stop()
  await kith.remove()
})

/** Some fail at their first attempt, and some take a while. */
const accepted: Received[] = []
const failed = new Set<string>()
receiver.answer = (received, response) => {
  const { id } = received.payload
  const hash = Number.parseInt(id.slice(-3).replace(/\D/g, '') || '0', 10)
  if (hash % 23 === 7 && !failed.has(id)) {
    failed.add(id)
    return response.writeHead(503).end()
  }
  const accept = () => {
    accepted.push(received)
    response.end()
  }
  return hash % 11 === 3 ? setTimeout(accept, 20) : accept()
}

test(`with kill -9 of worker, database and server amid ${count} events none is lost, and each record's are in order`, async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const { id: webhook_id } = await api.createWebhook({
    target_url: `${receiver.url}/`,
    object: 'people',
    is_ordered: true,
  })
  const worker = await kith.startWorker()
  const kills = [
    () => kith.kill(worker),
    () => kith.killPostgres(),
    async () => {
      await kith.kill(kith.server)
      await kith.startServer()
    },
  ]
  // Each round creates ten records and changes them three times: 40 events. A call that fails is not repeated.
  let made = 0
  for (let round = 0; made < count; round++) {
    expect(round, 'rounds').toBeLessThan(count)
    const records = Array.from({ length: 10 }, (_, i) => ({ first_name: `P${round}-${i}`, score: 0 }))
    const created = await api.createRecords({ object: 'people', records }).catch(() => undefined)
    if (created) made += 10
    for (let score = 1; created && score <= 3; score++) {
      const values = { score }
      const changed = created.records.map(({ id }) => ({ id, values }))
      const done = await api.updateRecords({ object: 'people', records: changed }).catch(() => undefined)
      if (done) made += 10
    }
    if (!created) await new Promise((resolve) => setTimeout(resolve, 100))
    if (kills.length && made > (count * (4 - kills.length)) / 5) await kills.shift()!()
  }
  expect(kills).toHaveLength(0)
  const { company_id } = admin
  const rowsOf = async <Row>(text: string) => (await kith.pool.query(text, [company_id])).rows as Row[]
  await kith.eventually(async () => {
    const [left] = await rowsOf<{ left: number }>(`select (select count(*) from deliveries where company_id = $1)
      + (select count(*) from outbox where company_id = $1)
      + (select count(*) from webhook_deliveries where company_id = $1 and next_attempt_at is not null) as left`)
    return Number(left!.left) === 0
  }, 240)

  const changes = await rowsOf<{ id: string }>(
    `select change_set_id || '.' || position as id from changes where company_id = $1 and object = 'people'`,
  )
  expect(changes.length).toBeGreaterThanOrEqual(count)
  expect([...new Set(accepted.map(({ payload }) => payload.id))].sort()).toEqual(changes.map(({ id }) => id).sort())
  const first = new Map(accepted.toReversed().map((received) => [received.payload.id, received]))
  const inOrder = accepted.filter((received) => first.get(received.payload.id) === received)
  for (const events of Map.groupBy(inOrder, ({ payload }) => payload.record_id).values()) {
    const versions = events.map(({ payload }) => payload.version!)
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  }
  type Logged = { event_id: string; state: string; log: { is_success: boolean; status: number | null }[] }
  const logged = await rowsOf<Logged>('select event_id, state, log from webhook_deliveries where company_id = $1')
  expect(logged).toHaveLength(changes.length)
  for (const { event_id, state, log } of logged) {
    expect([state, log.at(-1)?.status], event_id).toEqual(['delivered', 200])
    if (failed.has(event_id))
      expect(receiver.received.filter(({ payload }) => payload.id === event_id).length).toBeGreaterThan(1)
  }
  expect(await api.getWebhook({ id: webhook_id })).toMatchObject({ state: 'active', waiting: 0, failing_since: null })
  expect(receiver.received.length).toBeGreaterThanOrEqual(changes.length + failed.size)
}, 420_000)
