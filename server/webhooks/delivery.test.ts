// Against a receiver that is slow, failing, flapping, redirecting, huge or dripping.
import { expect, test } from 'vitest'
import { attemptDelays } from '../../contract/webhooks.ts'
import { type Api, testApp } from '../../test/app.ts'
import { type Answer, hasty, testHooks, testReceiver } from '../../test/receiver.ts'
import { soon } from '../../test/worker.ts'

const kith = await testApp({ outbound: hasty(1500) })
const receiver = await testReceiver()
const hooks = await testHooks(kith)
let paths = 0
/** By path. */
const answers = new Map<string, Answer>()
receiver.answer = (received, response) => (answers.get(received.path) ?? ok)(received, response)
const ok: Answer = (_, response) => response.end('thanks')
const fails: Answer = (_, response) => response.writeHead(500).end('sorry')

async function webhook(answer: Answer = ok, given: Partial<Parameters<Api['createWebhook']>[0]> = {}, prefix = '/') {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const path = `${prefix}${++paths}`
  answers.set(path, answer)
  const { id } = await api.createWebhook({ target_url: receiver.url + path, object: 'people', ...given })
  const add = async (values: object[] = [{ first_name: 'Eve' }]) =>
    (await api.createRecords({ object: 'people', records: values as never })).records.map((record) => record.id)
  const deliveries = async (asked: object = {}) => (await api.listWebhookDeliveries({ id, limit: 100, ...asked })).items
  const attempted = (count: number) =>
    soon(async () => {
      const [delivery] = await deliveries()
      expect(delivery?.attempts).toBe(count)
      return delivery!
    })
  const log = async () => {
    const [delivery] = await deliveries()
    return (await api.getWebhookDelivery({ id, delivery_id: delivery!.id })).log
  }
  return { admin, api, id, path, add, deliveries, attempted, log, received: () => receiver.at(path) }
}

test('a failed delivery is tried ten times at the published times, with the same id and a fresh timestamp', async () => {
  const { add, attempted, received, log } = await webhook(fails)
  await add()
  for (let made = 1; made <= 10; made++) {
    const { next_attempt_at, state, reason } = await attempted(made)
    expect(reason).toBe('The receiver returned 500: a problem on its side.')
    if (made === 10) {
      expect([state, next_attempt_at]).toEqual(['failed', null])
      break
    }
    const waits = Date.parse(next_attempt_at!) - kith.time.now.getTime()
    expect(waits / 1000).toBeGreaterThanOrEqual(attemptDelays[made]! * 0.8 - 1)
    expect(waits / 1000).toBeLessThanOrEqual(attemptDelays[made]! * 1.2 + 1)
    hooks.passTo(next_attempt_at!)
  }
  expect(new Set(received().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const times = received().map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
  expect(new Set(received().map(({ body }) => body)).size).toBe(1)
  expect((await log()).map(({ number, status }) => [number, status])).toEqual(times.map((_, i) => [i + 1, 500]))
})

test('Retry-After is honored, in seconds or as a date, up to a day', async () => {
  const asks =
    (value: string): Answer =>
    (_, response) =>
      response.writeHead(429, { 'retry-after': value }).end()
  const date = new Date(kith.time.now.getTime() + 7_200_000).toUTCString()
  for (const [value, hours] of [
    ['3600', 1],
    [date, 2],
    ['9999999', 24],
    ['nonsense', 0],
  ] as const) {
    const { add, attempted, api, id } = await webhook(asks(value))
    await add()
    const { next_attempt_at } = await attempted(1)
    const waits = Date.parse(next_attempt_at!) - kith.time.now.getTime()
    expect(Math.abs(waits - hours * 3_600_000)).toBeLessThan(10_000)
    const { retry_at } = await api.getWebhook({ id })
    expect(retry_at === null, value).toBe(hours === 0)
  }
})

test('redirects fail and are not followed, 410 disables, abort-message ends one event', async () => {
  const moved = await webhook((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  await moved.add()
  expect(await moved.attempted(1)).toMatchObject({
    state: 'waiting',
    reason: expect.stringContaining('Redirects are not'),
  })
  expect(receiver.at('/elsewhere')).toEqual([])

  const declined = await webhook((_, response) =>
    response.writeHead(400, { 'webhook-delivery': 'abort-message' }).end(),
  )
  await declined.add()
  expect(await declined.attempted(1)).toMatchObject({ state: 'failed', next_attempt_at: null })
  expect(await declined.api.getWebhook({ id: declined.id })).toMatchObject({ state: 'active', failing_since: null })

  const gone = await webhook((_, response) => response.writeHead(410).end())
  await gone.add()
  await soon(async () =>
    expect(await gone.api.getWebhook({ id: gone.id })).toMatchObject({ state: 'disabled', waiting: 0 }),
  )
  await gone.add()
  expect(await gone.deliveries()).toHaveLength(1)
  await soon(async () =>
    expect((await gone.api.listNotifications({})).items).toMatchObject([
      { kind: 'webhook_disabled', text: expect.stringContaining('410') },
    ]),
  )
  answers.set(gone.path, ok)
  expect(await gone.api.resumeWebhook({ id: gone.id })).toMatchObject({ state: 'active', disabled_reason: null })
  expect(await gone.api.retryFailedWebhookDeliveries({ id: gone.id, since: '-1h' })).toEqual({ queued: 1 })
  await soon(async () => expect(gone.received()).toHaveLength(2))
  expect(gone.received()[1]!.payload).toEqual({ ...gone.received()[0]!.payload, replay: true })
  await soon(async () => expect(await gone.deliveries({ state: 'delivered' })).toHaveLength(1))
  expect(await gone.api.retryFailedWebhookDeliveries({ id: gone.id, since: '-1h' })).toEqual({ queued: 0 })
})

test('of a huge response the first 16 kB are kept; silence and dripping end with the time limit', async () => {
  const huge = await webhook((_, response) => response.writeHead(201).end(Buffer.alloc(5_000_000, 'x')))
  await huge.add()
  expect(await huge.attempted(1)).toMatchObject({ state: 'delivered', last_status: 201 })
  expect((await huge.log())[0]!.response_body).toHaveLength(16 * 1024)
  const silent = await webhook(() => {}, {}, '/hasty')
  const drips: Answer = (_, response) => {
    const timer = setInterval(() => response.write('.'), 50)
    response.once('close', () => clearInterval(timer))
  }
  const dripping = await webhook(drips, {}, '/hasty')
  const down = await webhook((_, response) => response.destroy())
  for (const slow of [silent, dripping, down]) await slow.add()
  for (const slow of [silent, dripping])
    expect(await slow.attempted(1)).toMatchObject({
      last_status: null,
      reason: expect.stringContaining('did not respond in time'),
    })
  expect(await down.attempted(1)).toMatchObject({
    last_status: null,
    reason: expect.stringContaining('could not be reached'),
  })
})

test('after five failures in a row one event at a time is tried, until the receiver is back', async () => {
  const { api, id, path, add, received, deliveries } = await webhook(fails)
  await add(Array.from({ length: 30 }, (_, i) => ({ first_name: `P${i}` })))
  await soon(async () => expect((await api.getWebhook({ id })).retry_at).not.toBeNull())
  const tried = received().length
  expect(tried).toBeGreaterThanOrEqual(5)
  expect(tried).toBeLessThan(20)
  for (let i = 1; i <= 2; i++) {
    hooks.passTo((await api.getWebhook({ id })).retry_at!)
    await soon(async () => expect(received()).toHaveLength(tried + i))
    await soon(async () =>
      expect(Date.parse((await api.getWebhook({ id })).retry_at!)).toBeGreaterThan(kith.time.now.getTime()),
    )
  }
  answers.set(path, ok)
  hooks.pass(10 * 3_600_000)
  await soon(async () => expect(await deliveries({ state: 'delivered' })).toHaveLength(30))
  expect(await api.getWebhook({ id })).toMatchObject({ retry_at: null, failing_since: null, waiting: 0 })
})

test('in order, later events of a record wait for earlier ones, and other records do not', async () => {
  let isDown = true
  const { api, add, received, deliveries } = await webhook(
    ({ payload }, response) => response.writeHead(isDown && payload.record!.first_name === 'Slow' ? 503 : 200).end(),
    { is_ordered: true },
  )
  const [slow, fast] = await add([{ first_name: 'Slow' }, { first_name: 'Fast' }])
  for (let score = 1; score <= 3; score++)
    for (const record of [slow!, fast!])
      await api.updateRecords({ object: 'people', records: [{ id: record, values: { score } }] })
  const versions = (record: string) =>
    received()
      .filter(({ payload }) => payload.record_id === record)
      .map(({ payload }) => payload.version)
  await soon(async () => expect(versions(fast!)).toEqual([1, 2, 3, 4]))
  expect(versions(slow!)).toEqual([1])
  isDown = false
  hooks.pass(10_000)
  await soon(async () => expect(versions(slow!)).toEqual([1, 1, 2, 3, 4]))
  await soon(async () => expect(await deliveries({ state: 'delivered' })).toHaveLength(8))
})

test('after five days of nothing but failures a webhook is disabled, and its owner is notified', async () => {
  const { api, id, add, received } = await webhook(fails)
  await add()
  for (let day = 1; day <= 5; day++) {
    await soon(async () => expect(received()).toHaveLength(day))
    await soon(async () => expect(await api.getWebhook({ id })).toMatchObject({ state: 'active', failed_24h: 1 }))
    hooks.pass(86_400_000)
  }
  await soon(async () =>
    expect(await api.getWebhook({ id })).toMatchObject({
      state: 'disabled',
      disabled_reason: expect.stringContaining('five days'),
    }),
  )
  const { rows } = await kith.pool.query("select count(*)::int as count from outbox where event = 'webhook.queued'")
  expect(rows[0].count).toBe(0)
  await soon(async () =>
    expect((await api.listNotifications({})).items[0]).toMatchObject({
      kind: 'webhook_disabled',
      link: '/company/webhooks',
    }),
  )
})

test('16 webhooks that hang do not delay the 17th', async () => {
  const { admin, api, add } = await webhook(() => {}, {}, '/patient')
  for (let i = 1; i < 16; i++) {
    const path = `/patient${++paths}`
    answers.set(path, () => {})
    await api.createWebhook({ target_url: receiver.url + path, object: 'people' })
  }
  const last = `/${++paths}`
  await api.createWebhook({ target_url: receiver.url + last, object: 'people' })
  await add(Array.from({ length: 40 }, (_, i) => ({ first_name: `P${i}` })))
  await soon(async () => expect(receiver.at(last).length).toBeGreaterThan(0))
  await add([{ first_name: 'Late' }])
  await soon(async () => expect(receiver.at(last)).toHaveLength(41))
  // All of the others still wait for an answer.
  const { rows } = await kith.pool.query(
    'select count(*)::int as count from webhook_deliveries where company_id = $1 and attempts > 0 and last_status is null',
    [admin.company_id],
  )
  expect(rows[0].count).toBe(0)
})

test('a new webhook can get all events of 30 days, oldest first, with the same ids and marked as replay', async () => {
  const { api, id, add, received, path } = await webhook(ok, { is_ordered: true })
  const [record] = await add([{ first_name: 'Eve', score: 1 }])
  for (const score of [5, 9, 2])
    await api.updateRecords({ object: 'people', records: [{ id: record!, values: { score } }] })
  await api.deleteRecords({ object: 'people', ids: [record!] })
  await soon(async () => expect(received()).toHaveLength(5))
  const first = received().toSorted((a, b) => a.payload.version! - b.payload.version!)
  const late = await api.createWebhook({
    target_url: `${receiver.url}${path}/late`,
    object: 'people',
    filter: 'score > 3',
    is_ordered: true,
  })
  const { job_id } = await api.replayWebhookEvents({ id: late.id })
  await soon(async () => expect(await api.getJob({ id: job_id })).toMatchObject({ state: 'done', done: 2 }))
  const replayed = () => receiver.at(`${path}/late`)
  await soon(async () => expect(replayed()).toHaveLength(2))
  expect(replayed().map(({ payload }) => payload)).toEqual(
    [first[1]!, first[2]!].map(({ payload }) => ({ ...payload, replay: true })),
  )
  expect(replayed()[0]!.headers['webhook-id']).toBe(first[1]!.headers['webhook-id'])
  await api.replayWebhookEvents({ id })
  await soon(async () => expect(received()).toHaveLength(10))
  expect(
    received()
      .slice(5)
      .map(({ payload }) => payload.version),
  ).toEqual([1, 2, 3, 4, 5])
})

test('a test event is made from a real record, and one delivery can be sent again', async () => {
  const { api, id, add, received, deliveries } = await webhook(ok, { events: ['deal.won'], object: null })
  const early = api.testWebhook({ id })
  await expect(early).rejects.toMatchObject({ problem: { status: 409 } })
  await api.createRecords({ object: 'deals', records: [{ name: 'Roof' }] })
  const [person] = await add()
  expect(await api.testWebhook({ id })).toMatchObject({ type: 'deal.won', test: true, record_title: 'Roof' })
  await api.testWebhook({ id, type: 'record.deleted', record_id: person! })
  await soon(async () => expect(received()).toHaveLength(2))
  const types = received().map(({ payload }) => [payload.type, payload.test, payload.record!.title])
  expect(types.sort()).toEqual([
    ['deal.won', true, 'Roof'],
    ['record.deleted', true, 'Eve'],
  ])
  const [sent] = await deliveries({ type: 'deal.won' })
  const again = await api.retryWebhookDelivery({ id, delivery_id: sent!.id })
  expect(again).toMatchObject({ event_id: sent!.event_id, replay: true, state: 'waiting' })
  await soon(async () => expect(received()).toHaveLength(3))
  expect(received()[2]!.headers['webhook-id']).toBe(sent!.event_id)
})

test('a paused webhook gets nothing new; open pages hear of deliveries; old ones are removed', async () => {
  const { api, id, add, received, deliveries } = await webhook()
  await add()
  await soon(async () => expect(await deliveries({ state: 'delivered' })).toHaveLength(1))
  await api.pauseWebhook({ id })
  await add()
  await api.resumeWebhook({ id })
  await add()
  await soon(async () => expect(received()).toHaveLength(2))
  kith.daysLater(31)
  await hooks.run('prune', {})
  expect(await deliveries()).toEqual([])
  await api.deleteWebhook({ id })
  await expect(api.getWebhook({ id })).rejects.toMatchObject({ problem: { status: 404 } })
})
