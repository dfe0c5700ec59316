// Where leads go and why: modes, caps, times, exclusivity, what happens on rejection, returns and reports.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { type Buyer, testBuyer } from '../../test/buyer.ts'
import type { GivenUser } from '../../test/given.ts'
import { testLive } from '../../test/live.ts'
import { hasty } from '../../test/receiver.ts'
import { soon, testWorker } from '../../test/worker.ts'
import { isOpen, opensAt } from './schedule.ts'

const kith = await testApp({ outbound: hasty(400) })
const buyer = await testBuyer()
const worker = await testWorker(kith)
const { given } = kith
let admin: GivenUser
let api: ReturnType<typeof kith.withKey>
beforeEach(async () => {
  admin = await given.company()
  api = kith.withKey(await given.key(admin))
})

const status = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error) => error.problem.status,
  )
const answering =
  (code: number, body = '{}', headers = {}): Buyer =>
  (_, response) =>
    response.writeHead(code, headers).end(body)

async function partner(name: string, answer?: Buyer, http: object = {}, prefix = '/') {
  const at = buyer.at(answer, prefix)
  const { id } = await api.createLeadDestination({ name, http: { url: at.url, ...http } })
  return { id, name, got: at.got }
}
const route = (destinations: { id: string }[], settings: object = {}, target: object = {}) =>
  api.createLeadRoute({
    name: 'Route',
    state: 'active',
    targets: destinations.map(({ id }) => ({ destination_id: id, ...target })),
    ...settings,
  } as never)
let people = 0
const lead = async (values: object = {}) => {
  const record = { email: `lead${++people}@example.com`, ...values }
  return (await api.createRecords({ object: 'leads', records: [record] as never })).records[0]!.id
}
const ended = (lead_id: string) =>
  soon(async () => {
    const trace = await api.explainLeadRoute({ id: lead_id })
    expect(trace.next_at).toBeNull()
    expect(trace.state).not.toBeNull()
    return trace
  })
const sent = async (values: object = {}) => ended(await lead(values))
const words = ({ lines }: { lines: { text: string }[] }) => lines.map(({ text }) => text).slice(1)
const minutesLater = (minutes: number) => {
  kith.minutes(minutes)
  worker.sendLeads()
}
const leadOf = async (id: string) => (await api.getRecord({ object: 'leads', id })) as Record<string, unknown>

describe('routes', () => {
  test('a lead goes to the first route that matches and the first partner that accepts, and the trace says why', async () => {
    const [a, b] = [
      await partner('Alpha', answering(422, '{"why": "too far"}'), { reason_path: 'why' }),
      await partner('Beta'),
    ]
    await route([b], { name: 'Big', filter: 'company_name = "Big" and status = new' })
    await route([a, b], { name: 'All', notify_user_ids: [admin.user_id] }, { price: 20 })
    const trace = await sent({ company_name: 'Small', source: 'Web' })
    expect(trace.state).toBe('delivered')
    expect(words(trace)).toEqual([
      'Big: does not match. Its condition: company name is "Big".',
      'All: Alpha rejected the lead. too far.',
      expect.stringMatching(/^All: Beta accepted the lead( in \d+ ms)? for 20 USD\.$/),
      'All: the lead was accepted, so later routes are not tried.',
    ])
    expect(JSON.parse(b.got()[0]!.body)).toMatchObject({ company_name: 'Small', lead_id: trace.lead_id })
    expect(await leadOf(trace.lead_id)).toMatchObject({
      sending: 'delivered',
      delivered_to: ['Beta'],
      revenue: { amount: '20.00' },
    })
    const { items } = await api.listLeadDeliveries({ lead_id: trace.lead_id })
    expect(items.map(({ state, destination_name, source }) => [state, destination_name, source])).toEqual([
      ['accepted', 'Beta', 'Web'],
      ['rejected', 'Alpha', 'Web'],
    ])
    const { log } = await api.getLeadDelivery({ id: items[1]!.id })
    expect(log).toMatchObject([{ answer: { status: 422, body: '{"why": "too far"}' }, result: 'rejected' }])
    const { items: events } = await api.listEvents({ record_id: trace.lead_id })
    expect(events.map(({ type }) => type)).toContain('lead.delivered')
    await soon(async () => {
      const { items } = await api.listNotifications({})
      expect(items.map(({ text }) => text)).toContain(
        `Alpha did not accept the lead “${(await leadOf(trace.lead_id)).title}”. too far`,
      )
    })
    const { items: timeline } = await api.getTimeline({ object: 'leads', id: trace.lead_id } as never)
    expect(JSON.stringify(timeline)).toContain('delivered_to')
    const passed = timeline.find(({ kind }) => kind === 'sending')
    expect(passed).toMatchObject({ lines: [{}, { text: 'All: Alpha rejected the lead. too far.' }, {}, {}] })
  })

  test('all, some, in turn and weighted do what they say, and an exclusive lead has one owner', async () => {
    const all = await Promise.all(['A', 'B', 'C'].map((name) => partner(name)))
    const counts = () => all.map(({ got }) => got().length)
    const first = await route(all, { mode: 'all' })
    await sent()
    expect(counts()).toEqual([1, 1, 1])
    await api.updateLeadRoute({ id: first.id, mode: 'some', wanted: 2 })
    await sent()
    expect(counts()).toEqual([2, 2, 1])
    await api.updateLeadRoute({ id: first.id, mode: 'in_turn' })
    for (let i = 0; i < 3; i++) await sent()
    expect(counts()).toEqual([3, 3, 2])
    const targets = all.map(({ id }, i) => ({ destination_id: id, weight: [6, 3, 1][i]! }))
    await api.updateLeadRoute({ id: first.id, mode: 'weighted', targets })
    for (let i = 0; i < 10; i++) await sent()
    expect(counts()).toEqual([9, 6, 3])
    expect(await status(api.updateLeadRoute({ id: first.id, mode: 'all', is_exclusive: true }))).toBe(422)
    await api.updateLeadRoute({ id: first.id, mode: 'first', is_exclusive: true, goes_on: false })
    const lead_id = (await sent()).lead_id
    expect(counts()).toEqual([10, 6, 3])
    await api.sendLead({ id: lead_id, destination_id: all[1]!.id })
    expect(words(await ended(lead_id)).join()).toContain('Someone else has this lead')
    expect(await status(api.sendLead({ id: lead_id, destination_id: all[0]!.id }))).toBe(409)
    expect(counts()).toEqual([10, 6, 3])
  })

  test('caps count before sending, are given back on rejection, and start again with the next day', async () => {
    let isGood = false
    const a = await partner('Alpha', (bought, response) => answering(isGood ? 200 : 400)(bought, response))
    const made = await route([a], { name: 'Capped' }, { price: 30, caps: { day: 2, budget: 100, budget_per: 'total' } })
    const used = async () => (await api.listLeadRoutes({})).items[0]!.used[0]
    expect((await sent()).state).toBe('not_taken')
    expect(await used()).toMatchObject({ day: 0, total: 0, spent: 0 })
    isGood = true
    expect(words(await sent())[0]).toMatch(/^Capped: Alpha accepted the lead.* for 30 USD\. 1 of 2 are left today\.$/)
    expect((await sent()).state).toBe('delivered')
    expect(await used()).toMatchObject({ day: 2, total: 2, spent: 60 })
    const full = await sent()
    expect(words(full)).toEqual(['Capped: the cap for Alpha is reached (2 of 2 today).', 'The lead was not placed.'])
    expect(await leadOf(full.lead_id)).toMatchObject({ sending: 'not_taken' })
    minutesLater(24 * 60)
    expect((await sent()).state).toBe('delivered')
    expect(words(await sent())[0]).toBe('Capped: the budget for Alpha is used up (90 of 100 USD).')
    await api.deleteLeadRoute({ id: made.id })
  })

  test('a budget holds when the answer names the price, however many leads are on their way', async () => {
    const named = ['60', '60', '60', '60']
    const at60: Buyer = (bought, response) => answering(200, `{"price": ${named.shift() ?? 60}}`)(bought, response)
    const a = await partner('Alpha', at60, { price_path: 'price' })
    const caps = { budget: 130, budget_per: 'total' }
    await expect(route([a], {}, { caps })).rejects.toMatchObject({
      problem: { status: 422, errors: [{ path: 'targets.0.max_price', message: expect.stringContaining('Alpha') }] },
    })
    const { id } = await route([a], {}, { price: 1, max_price: 60, caps })
    const used = async () => (await api.listLeadRoutes({})).items[0]!.used[0]
    const traces = await Promise.all(Array.from({ length: 8 }, () => sent()))
    expect(traces.filter(({ state }) => state === 'delivered')).toHaveLength(2)
    expect(await used()).toMatchObject({ total: 2, spent: 120 })
    // Ten are left, and a lead may cost 60.
    expect(words(await sent())[0]).toBe('Route: the budget for Alpha is used up (120 of 130 USD).')
    await api.updateLeadRoute({ id, targets: [{ destination_id: a.id, max_price: 10, caps }] as never })
    const dear = await sent()
    expect(dear.lines.map(({ text }) => text).join()).toContain('for 10 USD')
    expect(await used()).toMatchObject({ total: 3, spent: 130 })
  })

  test('an answer without a price costs what the route says, and what was reserved beyond it is free again', async () => {
    const a = await partner('Alpha', answering(200), { price_path: 'price' })
    await route([a], {}, { price: 0.1, max_price: 0.2, caps: { budget: 0.3, budget_per: 'total' } })
    for (let i = 0; i < 2; i++) expect((await sent()).state).toBe('delivered')
    expect((await api.listLeadRoutes({})).items[0]!.used[0]).toMatchObject({ spent: 0.2 })
    expect((await sent()).state).toBe('not_taken')
  })

  test('a destination of a route with a budget names no prices until the route has a highest price', async () => {
    const a = await partner('Alpha')
    const { id, targets } = await route([a], {}, { price: 5, caps: { budget: 100 } })
    const http = (await api.getLeadDestination({ id: a.id })).http!
    const naming = () => status(api.updateLeadDestination({ id: a.id, http: { ...http, price_path: 'price' } }))
    expect(await naming()).toBe(422)
    expect(await status(api.updateLeadRoute({ id, targets: [{ ...targets[0]!, max_price: 4 }] }))).toBe(422)
    await api.updateLeadRoute({ id, targets: [{ ...targets[0]!, max_price: 5 }] })
    expect(await naming()).toBe('ok')
  })

  test('a route saved before there were highest prices keeps working, and can be paused', async () => {
    const a = await partner('Alpha', answering(200, '{"price": 7}'), { price_path: 'price' })
    const { id, targets } = await route([a], {}, { price: 1 })
    const { destination_id, weight, price, caps } = targets[0]!
    const old = [{ destination_id, weight, price, caps: { ...caps, budget: 10, budget_per: 'total' } }]
    await sql`update lead_routes set settings = jsonb_set(settings, '{targets}', ${JSON.stringify(old)}::jsonb)
      where company_id = ${admin.company_id} and id = ${id}`.execute(kith.db)
    await api.updateLeadRoute({ id, name: 'Renamed' })
    expect((await api.listLeadRoutes({})).items[0]!.targets[0]).toMatchObject({ max_price: null })
    expect((await sent()).state).toBe('delivered')
    expect((await api.listLeadRoutes({})).items[0]!.used[0]).toMatchObject({ spent: 7 })
    await api.updateLeadRoute({ id, state: 'paused' })
  })

  test('amounts add up to the cent, and a budget of three leads takes three', async () => {
    const a = await partner('Alpha')
    await route([a], {}, { price: 0.1, caps: { budget: 0.3, budget_per: 'total' } })
    for (let i = 0; i < 3; i++) expect((await sent()).state).toBe('delivered')
    const { today } = await api.previewLeadRoutes({})
    expect(today).toMatchObject({ delivered: 3, revenue: 0.3 })
    expect(words(await sent())[0]).toBe('Route: the budget for Alpha is used up (0.3 of 0.3 USD).')
  })

  test('a schedule, a delay, the duplicate window and test mode hold a lead back, and no one is forgotten', async () => {
    const a = await partner('Alpha')
    const day = (kith.time.now.getUTCDay() + 6) % 7
    const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
    const schedule = {
      days: [names[(day + 1) % 7]!],
      from: '09:00',
      to: '10:00',
      time_zone: 'Europe/Berlin',
      closed: 'wait',
    }
    const made = await route([a], { name: 'Tomorrow', schedule })
    const waiting = await lead()
    await soon(async () => expect((await api.explainLeadRoute({ id: waiting })).lines.at(-1)!.what).toBe('closed'))
    const { next_at } = await api.explainLeadRoute({ id: waiting })
    expect(next_at).toMatch(/T0[78]:00:00/)
    kith.time.now = new Date(next_at!)
    worker.sendLeads()
    expect((await ended(waiting)).state).toBe('delivered')

    await api.updateLeadRoute({ id: made.id, schedule: null, delay_minutes: 30, duplicate_days: 7 })
    const delayed = await lead({ email: 'same@example.com' })
    await soon(async () => expect((await api.explainLeadRoute({ id: delayed })).lines.at(-1)!.what).toBe('delayed'))
    expect(a.got()).toHaveLength(1)
    minutesLater(31)
    expect((await ended(delayed)).state).toBe('delivered')
    await api.updateLeadRoute({ id: made.id, delay_minutes: 0 })
    const bob = await given.user(admin, { name: 'Bob' })
    await api.updateLeadSendingSettings({ nobody_user_ids: [bob.user_id], nobody_owner_id: bob.user_id })
    const same = await sent({ email: 'SAME@example.com' })
    expect(words(same)[0]).toBe('Tomorrow: Alpha got a lead with the same email or phone in the last 7 days.')
    expect(await leadOf(same.lead_id)).toMatchObject({ owner: bob.user_id, sending: 'not_taken' })
    await soon(async () => {
      const { items } = await kith.withKey(await given.key(bob)).listNotifications({})
      expect(items.map(({ kind }) => kind)).toContain('lead_not_taken')
    })
    await api.updateLeadRoute({ id: made.id, state: 'test' })
    const tested = await sent()
    expect(tested.state).toBe('stopped')
    expect(words(tested)[0]).toContain('would send to Alpha')
    expect(a.got()).toHaveLength(2)
    await api.updateLeadRoute({ id: made.id, state: 'paused' })
    const { lines } = await api.explainLeadRoute({ id: await lead() })
    expect(lines).toEqual([])
  })

  test('a schedule that passes midnight is open until the morning after each of its days', () => {
    const night = { days: ['friday' as const], from: '22:00', to: '06:00', time_zone: 'UTC', closed: 'wait' as const }
    const at = (time: string) => new Date(`2026-11-${time}:00Z`)
    const open = ['20T22:00', '20T23:59', '21T00:00', '21T05:59']
    const closed = ['20T21:59', '20T05:00', '21T06:00', '21T22:30']
    for (const time of open) expect(isOpen(night, at(time), []), time).toBe(true)
    for (const time of closed) expect(isOpen(night, at(time), []), time).toBe(false)
    expect(opensAt(night, at('20T12:00'), [])).toEqual(at('20T22:00'))
    expect(opensAt(night, at('21T06:00'), [])).toEqual(at('27T22:00'))
    const holidays = [{ day: '2026-11-27', name: 'Thanksgiving' }]
    expect(isOpen(night, at('27T23:00'), holidays)).toBe(false)
    expect(opensAt(night, at('27T23:00'), holidays)).toEqual(new Date('2026-12-04T22:00:00Z'))
  })

  test('a company that is closed at Christmas in the inbox is closed for lead routes, too', async () => {
    const everyDay = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
    const today = kith.time.now.toISOString().slice(0, 10)
    const days = Object.fromEntries(everyDay.map((day) => [day, [{ from: '00:00', to: '24:00' }]]))
    const hours = { time_zone: 'UTC', days, holidays: [{ day: today, name: 'Christmas' }] }
    const { is_open } = await api.updateWorkingHours({ hours: hours as never })
    expect(is_open).toBe(false)
    const a = await partner('Alpha')
    const schedule = { days: everyDay, from: '00:00', to: '24:00', time_zone: 'UTC', closed: 'wait' }
    await route([a], { schedule })
    const waiting = await lead()
    await soon(async () => expect((await api.explainLeadRoute({ id: waiting })).lines.at(-1)!.what).toBe('closed'))
    const midnight = new Date(Date.parse(today) + 86_400_000)
    const { next_at } = await api.explainLeadRoute({ id: waiting })
    expect(next_at).toBe(midnight.toISOString())
    kith.time.now = midnight
    worker.sendLeads()
    expect((await ended(waiting)).state).toBe('delivered')
    expect((await api.getWorkingHours({})).is_open).toBe(true)
  })

  test('a delivery settled as failed while every route is paused leaves the lead unplaced', async () => {
    const a = await partner('Alpha', (_, response) => response.destroy())
    const { id } = await route([a], { on_failure: 'next' })
    const { lead_id } = await sent()
    expect(await leadOf(lead_id)).toMatchObject({ sending: 'unknown' })
    await api.updateLeadRoute({ id, state: 'paused' })
    const [delivery] = (await api.listLeadDeliveries({ lead_id })).items
    await api.settleLeadDelivery({ id: delivery!.id, state: 'failed' })
    expect(words(await ended(lead_id)).at(-1)).toBe('The lead was not placed.')
    expect(await leadOf(lead_id)).toMatchObject({ sending: 'not_taken' })
  })

  test('what fails is tried again by the plan and after Retry-After; what may have arrived is unknown and not sent again', async () => {
    const replies = [answering(500), answering(429, '{}', { 'retry-after': '600' }), answering(200)]
    const a = await partner('Alpha', (bought, response) => replies.shift()!(bought, response))
    const b = await partner('Beta')
    const made = await route([a, b], { name: 'Retry', retry_minutes: [1, 1, 1] })
    const lead_id = await lead()
    // Once an attempt is written down, its successor has its time, and the clock may move on.
    const attempts = (count: number) =>
      soon(async () => {
        const { lines } = await api.explainLeadRoute({ id: lead_id })
        expect(lines.filter(({ what }) => what === 'again')).toHaveLength(count)
      })
    await attempts(1)
    minutesLater(2)
    await attempts(2)
    minutesLater(2)
    expect(a.got()).toHaveLength(2)
    minutesLater(10)
    expect((await ended(lead_id)).state).toBe('delivered')
    expect(new Set(a.got().map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(b.got()).toHaveLength(0)

    const drops = await partner('Drops', (_, response) => response.destroy())
    await api.updateLeadRoute({ id: made.id, targets: [{ destination_id: drops.id }, { destination_id: b.id }] })
    const lost = await sent()
    expect(lost.state).toBe('unknown')
    expect(await leadOf(lost.lead_id)).toMatchObject({ sending: 'unknown' })
    minutesLater(60)
    const [unknown] = (await api.listLeadDeliveries({ state: 'unknown' })).items
    expect(drops.got()).toHaveLength(1)
    await api.settleLeadDelivery({ id: unknown!.id, state: 'failed' })
    expect(words(await ended(lost.lead_id)).join()).toMatch(/marked the delivery to Drops as failed/)
    await soon(async () => expect((await leadOf(lost.lead_id)).sending).toBe('not_taken'))

    let first = true
    const safe = await partner(
      'Safe',
      (_, response) => {
        if (first) response.destroy()
        else response.end('{}')
        first = false
      },
      { is_idempotent: true },
    )
    await api.updateLeadRoute({ id: made.id, targets: [{ destination_id: safe.id }] })
    const again = await lead()
    await soon(async () => expect((await api.explainLeadRoute({ id: again })).lines.at(-1)!.what).toBe('again'))
    minutesLater(2)
    expect((await ended(again)).state).toBe('delivered')
    await api.updateLeadRoute({
      id: made.id,
      on_rejection: 'stop',
      targets: [{ destination_id: (await partner('No', answering(400))).id }, { destination_id: b.id }],
    })
    expect((await sent()).state).toBe('stopped')
    expect(b.got()).toHaveLength(0)
  })

  test('members get leads in turn, and who may not manage lead sending may do nothing here', async () => {
    const [ann, bob] = [await given.user(admin, { name: 'Ann' }), await given.user(admin, { name: 'Bob' })]
    const { id } = await api.createLeadDestination({ name: 'Team', members: { user_ids: [ann.user_id, bob.user_id] } })
    await route([{ id }], { name: 'Team' })
    const owners = []
    for (let i = 0; i < 4; i++) owners.push((await leadOf((await sent()).lead_id)).owner)
    expect(owners).toEqual([ann.user_id, bob.user_id, ann.user_id, bob.user_id])
    const ofBob = kith.withKey(await given.key(bob))
    expect(await status(ofBob.listLeadRoutes({}))).toBe(403)
    const { error } = await ofBob.previewWidget({ widget: { type: 'lead_sending', id: 'sent' } })
    expect(error).toContain('permission to manage lead sending')
    const mine = { name: 'Mine', filter: 'owner = me', targets: [{ destination_id: id }] }
    await expect(api.createLeadRoute(mine)).rejects.toMatchObject({
      problem: {
        status: 422,
        errors: [{ path: 'filter', message: expect.stringContaining('"me" cannot be used here') }],
      },
    })
    expect(await status(ofBob.explainLeadRoute({ id: id }))).toBe(403)
    expect(await status(api.deleteLeadDestination({ id }))).toBe(409)
  })
})

test('open pages hear of the last of several leads that are sent at once', async () => {
  const { listen } = await testLive(kith)
  await route([await partner('Alpha')])
  const heard = await listen(admin)
  await Promise.all([sent(), sent()])
  const changes = () => heard.filter((message) => message.startsWith('lead_sending.changed'))
  await soon(async () => expect(changes().length).toBeGreaterThan(1))
})

test('the simulator compares a draft with the routes of today and sends nothing', async () => {
  const [a, b] = [await partner('Alpha'), await partner('Beta')]
  for (let i = 0; i < 6; i++) await lead({ company_name: i % 2 ? 'Big' : 'Small' })
  const made = await route([a], { name: 'All' }, { price: 10, caps: { total: 4 } })
  const draft = {
    name: 'Big to Beta',
    state: 'active' as const,
    filter: 'company_name = "Big"',
    targets: [{ destination_id: b.id, price: 15 }],
  }
  const kept = { id: made.id, name: 'All', state: 'active' as const, targets: made.targets }
  const result = await api.previewLeadRoutes({ routes: [draft, kept] })
  expect(result).toMatchObject({
    leads: 6,
    today: { delivered: 4, not_taken: 2, revenue: 40 },
    draft: { delivered: 6, not_taken: 0, revenue: 75 },
    changed: 4,
  })
  expect(result.differences[0]).toMatchObject({ today: 'Unplaced', draft: 'Beta' })
  expect([...a.got(), ...b.got()]).toEqual([])
  expect(await status(api.previewLeadRoutes({ routes: [{ ...draft, filter: 'nonsense = 1' }] }))).toBe(422)
})

test('all routes are saved at once or not at all, and never over what someone else has changed', async () => {
  const [a, b] = [await partner('Alpha'), await partner('Beta')]
  const first = await route([a], { name: 'First' })
  const second = await route([b], { name: 'Second' })
  const draftOf = ({ id, version, name, state, targets }: typeof first) => ({ id, version, name, state, targets })
  const added = { name: 'Added', state: 'active' as const, targets: [{ destination_id: a.id, price: 15 }] }
  const named = async () => (await api.listLeadRoutes({})).items.map(({ name, state }) => `${name} ${state}`)

  const wrong = [draftOf(first), added, { ...draftOf(second), filter: 'nonsense = 1' }]
  await expect(api.replaceLeadRoutes({ routes: wrong })).rejects.toMatchObject({
    problem: { status: 422, errors: [{ path: 'routes.2.filter' }] },
  })
  expect(await named(), 'nothing of it was saved').toEqual(['First active', 'Second active'])

  const routes = [draftOf(second), added, { ...draftOf(first), state: 'paused' as const }]
  const { items } = await api.replaceLeadRoutes({ routes })
  expect(await named()).toEqual(['Second active', 'Added active', 'First paused'])
  expect(
    items.map(({ version }) => version),
    'only what changed has a new version',
  ).toEqual([1, 1, 2])
  const { items: audited } = await api.listAuditEvents({ limit: 10 })
  expect(
    audited
      .map(({ action }) => action)
      .slice(0, 3)
      .sort(),
  ).toEqual(['lead_route.created', 'lead_route.updated', 'lead_routes.ordered'])

  await expect(api.replaceLeadRoutes({ routes }), 'sent again, it adds nothing twice').rejects.toMatchObject({
    problem: { status: 409, detail: expect.stringContaining('First was changed, Added was added') },
  })
  expect(await named()).toHaveLength(3)
  const { version: _, ...unversioned } = draftOf(second)
  expect(await status(api.replaceLeadRoutes({ routes: [unversioned] }))).toBe(422)
  expect(await status(api.replaceLeadRoutes({ routes: [draftOf(second), draftOf(second)] }))).toBe(422)
  await api.deleteLeadRoute({ id: first.id })
  const kept = items.filter(({ id }) => id !== first.id).map(draftOf)
  expect(await status(api.replaceLeadRoutes({ routes: [...kept, draftOf(items[2]!)] }))).toBe(409)
  expect(await status(api.replaceLeadRoutes({ routes: kept }))).toBe('ok')
})

test('a partner returns a lead by its link within the rules, which reverses the revenue, and the report counts it', async () => {
  const at = buyer.at()
  const web = kith.withSession(await given.session(admin))
  const { id } = await api.createLeadDestination({
    name: 'Alpha',
    http: { url: at.url, body: '{"back": "{{ return_link }}"}' },
    returns: { days: 7, most_percent: 50, accept_after_hours: 24 },
  })
  const bad = await partner('Beta', answering(400, '{"e": "closed"}'), { reason_path: 'e' })
  await route([bad, { id }], { name: 'All' }, { price: 25 })
  const [one, two] = [await sent({ source: 'Ads' }), await sent({ source: 'Ads' })]
  const links = at.got().map(({ body }) => new URL(JSON.parse(body).back).pathname)
  const visit = (path: string, form?: object) =>
    kith.app.inject({
      method: form ? 'POST' : 'GET',
      url: path,
      ...(form && {
        payload: new URLSearchParams(form as never).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    } as never)
  const page = await visit(links[0]!)
  expect(page.body).toContain('Return the lead')
  // The same time is another day in one of these zones than in London.
  for (const time_zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await web.updateCompany({ time_zone })
    const day = new Intl.DateTimeFormat('sv', { timeZone: time_zone }).format(kith.time.now)
    expect((await visit(links[0]!)).body).toContain(`on ${day}.`)
  }
  expect((await api.listLeadReturns({})).items).toEqual([])
  expect((await visit(links[0]!, { reason: 'other' })).statusCode).toBe(422)
  expect((await visit(links[0]!, { reason: 'bad_contact', text: '<b>no</b>' })).statusCode).toBe(200)
  for (const form of [undefined, { reason: 'bad_contact' }]) {
    const again = await visit(links[0]!, form)
    expect([again.statusCode, again.body]).toEqual([409, expect.stringContaining('is being reviewed')])
    const beyond = await visit(links[1]!, form && { reason: 'wrong_area' })
    expect([beyond.statusCode, beyond.body]).toEqual([409, expect.stringContaining('limit has been reached')])
  }
  const [back] = (await api.listLeadReturns({ state: 'waiting' })).items
  expect(back).toMatchObject({
    reason: 'bad_contact',
    text: '<b>no</b>',
    price: 25,
    destination_name: 'Alpha',
    via: 'link',
  })
  minutesLater(24 * 60 + 1)
  await worker.run('accept_returns', {})
  expect((await api.listLeadReturns({})).items[0]).toMatchObject({ state: 'accepted' })
  expect(await status(api.decideLeadReturn({ id: back!.id, state: 'declined' }))).toBe(409)
  expect(await leadOf(one.lead_id)).toMatchObject({ sending: 'returned' })
  expect((await leadOf(one.lead_id)).revenue ?? null).toBeNull()
  const { items: events } = await api.listEvents({ record_id: one.lead_id })
  expect(events.map(({ type }) => type)).toContain('lead.returned')
  const report = await api.getLeadSendingReport({ since: '-7d' })
  expect(report.rows.find(({ name }) => name === 'Alpha')).toMatchObject({
    sent: 2,
    accepted: 2,
    returned: 1,
    revenue: 25,
  })
  expect(report.rows.find(({ name }) => name === 'Beta')).toMatchObject({
    rejected: 2,
    reasons: [{ reason: 'closed', count: 2 }],
  })
  expect(report.total).toMatchObject({ sent: 4, accepted: 2, revenue: 25 })
  const figures = async (by: 'destination' | 'source' | 'reason') => {
    const widget = { type: 'lead_sending' as const, id: 'sent', by }
    return (await api.previewWidget({ widget })).figures.map(({ labels, values }) => [labels[0], values])
  }
  expect(await figures('destination')).toContainEqual([
    'Alpha',
    expect.objectContaining({ count: 2, accepted: 2, returned: 1, revenue: 25 }),
  ])
  expect(await figures('source')).toMatchObject([['Ads', { count: 4, rejected: 2 }]])
  expect(await figures('reason')).toEqual([['closed', { count: 2 }]])
  const { widgets } = await api.getDashboard({ id: 'default' })
  expect(widgets.map(({ type }) => type)).toContain('lead_sending')
  expect((await api.getLeadSendingReport({ by: 'source' })).rows).toMatchObject([{ name: 'Ads', sent: 4 }])
  const sentBack = await api.listLeadDeliveries({ state: 'returned' })
  expect(sentBack.items.map(({ lead_id }) => lead_id)).toEqual([one.lead_id])
  minutesLater(8 * 24 * 60)
  expect((await visit(links[1]!)).statusCode).toBe(404)
  const [late] = (await api.listLeadDeliveries({ lead_id: two.lead_id, state: 'accepted' })).items
  expect(await status(api.returnLead({ id: late!.id, reason: 'duplicate' }))).toBe(409)
})

test('the log names a lead, and shows what was sent and answered, only to those who may read the lead', async () => {
  const none = { read: 'none', create: false, edit: 'none', delete: 'none' } as const
  const boss = kith.withSession(await given.session(admin))
  const grants = ['lead_sending.manage' as const]
  const { name: role } = await boss.createRole({ name: 'Only sending', grants, records: { '*': none } })
  const { name: ownRole } = await boss.createRole({ name: 'Own', grants, records: { '*': { ...none, read: 'own' } } })
  const alpha = await partner('Alpha', answering(422, '{"why": "Knows Hidden Hana"}'), { reason_path: 'why' })
  const beta = await partner('Beta')
  await route([alpha, beta])
  const { lead_id } = await sent({ first_name: 'Hidden', last_name: 'Hana' })
  const { items } = await api.listLeadDeliveries({ lead_id })
  expect(items[0]!.lead_title).toBe('Hidden Hana')
  const accepted = items.find(({ state }) => state === 'accepted')!
  await api.returnLead({ id: accepted.id, reason: 'other', text: 'Hana called us' })
  for (const name of [role, ownRole]) {
    const reader = kith.withKey(await given.key(await given.user(admin, { role: name })))
    const details = await Promise.all(items.map(({ id }) => reader.getLeadDelivery({ id })))
    const shown = [await reader.listLeadDeliveries({}), details, await reader.listLeadReturns({})]
    expect(JSON.stringify(shown)).not.toMatch(/Hana/)
    expect(details).toMatchObject([
      { lead_title: null, reason: null, log: [], destination_name: 'Beta' },
      { lead_title: null, reason: null, log: [], destination_name: 'Alpha' },
    ])
    expect((await reader.previewLeadRoutes({ days: 30 })).leads, 'no route is tried on hidden leads').toBe(0)
    const target = { targets: [{ destination_id: beta.id }] }
    const changes = [
      reader.createLeadRoute({ name: 'Mine', ...target }),
      reader.updateLeadSendingSettings({ nobody_user_ids: [] }),
    ]
    expect(await Promise.all(changes.map(status)), 'and no route is saved by those who read only some').toEqual([
      403, 403,
    ])
  }
  const full = await api.getLeadDelivery({ id: accepted.id })
  expect(full.log[0]!.request.body).toContain('Hana')
})

test('a new route sends no person twice to a partner within a day, unless it says so', async () => {
  const alpha = await partner('Alpha')
  const { duplicate_days } = await route([alpha])
  expect(duplicate_days).toBe(1)
  const person = { email: 'again@example.com' }
  expect([(await sent(person)).state, (await sent(person)).state]).toEqual(['delivered', 'not_taken'])
})
