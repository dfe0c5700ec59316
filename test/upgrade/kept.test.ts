// What the recorded companies made in each area (scripts/release) is all there after the upgrade. Versions without an area
// have no rows of it.
import { beforeAll, describe, expect, test } from 'vitest'
import { secretKey } from '../../scripts/release/story.ts'
import { type Api, type TestApp, testApp } from '../app.ts'
import { waitForProcesses } from '../patience.ts'
import { ask, hasRows, lastDay, loadRelease, type Old, releases, upgrade } from './released.ts'

waitForProcesses()

/** Rows that wait for something, are kept for a short time, or have moved to another table. */
const passing = new Set([
  ...['deliveries', 'due_work', 'idempotency_keys', 'outbox', 'pictures', 'reminders', 'requests'],
  ...['sessions', 'sign_in_devices', 'sign_in_emails', 'sign_in_failures', 'sign_in_steps'],
])

async function countRows({ superuser }: Old) {
  const { rows: tables } = await ask(
    superuser,
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition",
  )
  const counts = new Map<string, number>()
  for (const { name } of tables.filter((one) => !passing.has(one.name))) {
    const { rows } = await ask(superuser, `select count(*)::int from ${name}`)
    counts.set(name, rows[0].count)
  }
  return counts
}

const named = <T extends { name: string }>(items: T[], name: string) => items.find((one) => one.name === name)!

describe.each(releases)('after the upgrade, a company on %s', (version) => {
  let old: Old
  let before: Map<string, number>
  let kith: TestApp
  let api: Api
  let member: Api
  beforeAll(async () => {
    old = await loadRelease(version)
    before = await countRows(old)
    await upgrade(old)
    kith = await testApp({ database: { ...old, connection: old.app }, secret: secretKey })
    kith.time.now = lastDay
    api = kith.withKey(old.access.key)
    member = kith.withKey(old.access.member_key)
  })

  const recordOf = async (object: string, filter: string) => {
    const { records } = await api.queryRecords({ object, filter, limit: 2 })
    expect(records, `${object} with ${filter}`).toHaveLength(1)
    return records[0]!
  }

  test('has lost no row', async () => {
    const after = await countRows(old)
    for (const [table, count] of before)
      if (after.has(table)) expect(after.get(table), table).toBeGreaterThanOrEqual(count)
  })

  test.runIf(hasRows(version, 'pipelines'))('has its pipelines, its stages and the way of its deals', async () => {
    const { items } = await api.listPipelines({ include_archived: true })
    expect(items.map(({ key }) => key)).toEqual(['sales', 'renewals'])
    const [sales, renewals] = items
    expect(sales!.stages.find(({ key }) => key === 'negotiation')).toMatchObject({
      probability: 60,
      stuck_after_days: 3,
    })
    expect(renewals!.stages).toMatchObject([
      { name: 'Due', kind: 'open', probability: 70, stuck_after_days: 30 },
      { name: 'On hold', is_archived: true },
      { name: 'Offered', kind: 'open', probability: 85, required_fields: ['amount', 'expected_close'] },
      { name: 'Renewed', kind: 'won' },
      { name: 'Cancelled', kind: 'lost' },
    ])
    const service = await recordOf('deals', 'name = "Service contract"')
    expect(service).toMatchObject({ pipeline: 'renewals', stage: 'offered', status: 'open', amount: { amount: '480' } })
    const way = await api.listDealStages({ id: service.id as string })
    expect(way.items.map(({ stage }) => stage)).toEqual(['due', 'offered'])
    expect(await recordOf('deals', 'name = "Insurance"')).toMatchObject({ status: 'lost', lost_reason: 'timing' })
    const lines = await api.queryRecords({ object: 'deal_lines', filter: `deal = ${service.id}`, sort: ['quantity'] })
    expect(lines.records).toMatchObject([
      { quantity: 2.5, product: { title: 'Varnish' }, unit_price: { currency: 'EUR' } },
      { quantity: 4, product: { title: 'Hull check' }, discount: 10 },
    ])
  })

  test.runIf(hasRows(version, 'reminders'))('has its repeating tasks, reminders and mentions', async () => {
    expect(await recordOf('tasks', 'title = "Weekly report" and status = open')).toMatchObject({
      repeats: 'weekly',
      due_at: '2026-05-11T07:00:00.000Z',
      remind_at: '2026-05-11T06:30:00.000Z',
    })
    expect(await recordOf('tasks', 'title = "Weekly report" and status = done')).not.toHaveProperty('repeats')
    expect(await recordOf('tasks', 'title = "Ask for feedback"')).toMatchObject({
      remind_at: '2026-06-05T09:00:00.000Z',
    })
    const { items } = await member.listNotifications({ limit: 100 })
    expect(items.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['mentioned', 'task_due', 'conversation_assigned']),
    )
  })

  test.runIf(hasRows(version, 'dashboards'))('has its dashboards, views, rules and navigation', async () => {
    const { items } = await api.listDashboards({})
    expect(named(items, 'Sales')).toMatchObject({ sharing: 'edit', range: 'this_quarter' })
    expect(named((await member.listDashboards({})).items, 'My numbers')).toMatchObject({
      sharing: 'private',
      owner: 'me',
    })
    const { id } = named(items, 'Sales')
    const { widgets } = await api.getDashboard({ id })
    expect(widgets.map((widget) => widget.id)).toEqual([
      ...['won', 'stages', 'months', 'funnel', 'best', 'table', 'open', 'inbox', 'sending', 'about'],
    ])
    const figures = await api.queryDashboard({ id })
    for (const widget of figures.widgets) expect(widget.error, widget.id).toBeNull()

    const views = (await api.listViews({})).items
    const board = named(views, 'Renewal board')
    expect(board).toMatchObject({ type: 'board', group_by: { field: 'stage' }, collapsed: ['cancelled'] })
    expect(named((await member.listViews({})).items, 'Renewal board').is_mine).toBe(false)
    expect(named((await member.listViews({})).items, 'My calendar')).toMatchObject({ type: 'calendar' })
    expect(await api.getNavigation({})).toMatchObject({ hidden: ['past_events'], pinned_views: [board.id] })
    const [rule] = (await api.listNotificationRules({})).items
    expect(rule).toMatchObject({ name: 'Deals of Grace that are lost', only_new_matches: true, filter_error: null })
    expect((await member.listNotificationRules({})).items).toMatchObject([{ kind: 'record_assigned', is_active: true }])
  })

  test.runIf(hasRows(version, 'webhooks'))('has its webhooks and their deliveries', async () => {
    const { items } = await api.listWebhooks({})
    const about = (description: string) => items.find((one) => one.description === description)!
    expect(about('Orders')).toMatchObject({
      state: 'active',
      fields: ['name', 'amount', 'organization'],
      header_names: ['authorization'],
      is_ordered: true,
      filter_error: null,
    })
    expect(about('Paused').state).toBe('paused')
    const statesOf = async (description: string) => {
      const deliveries = await api.listWebhookDeliveries({ id: about(description).id, limit: 100 })
      return [...new Set(deliveries.items.map(({ state }) => state))]
    }
    expect(await statesOf('Orders')).toEqual(['delivered'])
    expect(await statesOf('Former partner')).toEqual(['failed'])
    expect(await statesOf('Broken')).toEqual(['waiting'])
    const first = (await api.listWebhookDeliveries({ id: about('Orders').id })).items.at(-1)
    const { body, log } = await api.getWebhookDelivery({ id: about('Orders').id, delivery_id: first!.id })
    expect(JSON.parse(body)).toMatchObject({ record: { name: 'Sails' } })
    expect(log).toMatchObject([{ status: 200, is_success: true }])
    expect((await api.renewWebhookSecret({ id: about('Orders').id })).secret).toMatch(/^whsec_/)
  })

  test.runIf(hasRows(version, 'jobs'))('has its imports, exports and changes of many records', async () => {
    const { items } = await api.listJobs({ limit: 100 })
    const states = items.map(({ kind, state }) => `${kind} ${state}`)
    for (const one of ['import done', 'export done', 'export cancelled', 'bulk_update undone', 'bulk_delete done'])
      expect(states).toContain(one)
    const imported = items.find(({ kind, result }) => kind === 'import' && !result!.dry_run)!
    expect(imported.result).toMatchObject({ created: 2, unchanged: 1, file_name: 'members.csv' })
    const { problems } = await api.getJob({ id: imported.id })
    expect(problems.map(({ line }) => line)).toEqual([3, 6])
    const undone = await api.undoChanges({ change_set_ids: [imported.change_set_id], dry_run: true })
    expect(undone.undone).toBeGreaterThan(2)
  })

  test.runIf(hasRows(version, 'lead_sources'))('has its forms, submissions, consents and converted leads', async () => {
    const { items } = await api.listLeadSources({})
    const website = named(items, 'Website')
    expect(website).toMatchObject({ consent: { text: 'I agree to be called' }, consent_version: 2, problem: null })
    expect(website.look).toEqual({ accent: '#0f766e', corners: 2, font: 'serif' })
    expect(website.assignment[0]!.user_ids).toHaveLength(2)
    expect(named(items, 'Newsletter')).toMatchObject({ double_opt_in: true, duplicates: 'create' })
    const texts = await api.listConsentTexts({ id: website.id })
    expect(texts.items.map((one) => one.version)).toEqual([2, 1])
    const submissions = (await api.listLeadSubmissions({ limit: 100 })).items.toReversed()
    expect(submissions.map(({ state, outcome }) => [state, outcome])).toEqual([
      ['lead', 'created'],
      ['lead', 'updated'],
      ['spam', null],
      ['unconfirmed', null],
      ['lead', 'created'],
    ])
    const details = await api.getLeadSubmission({ id: submissions[0]!.id })
    expect(details).toMatchObject({ consent_text: 'I agree to be called', last_utm: { source: 'news' } })
    const carla = await recordOf('leads', 'email = "carla@client.example"')
    expect(carla).toMatchObject({ status: 'converted', utm_campaign: 'spring', response_minutes: 130 })
    expect(carla.converted_deal).toMatchObject({ title: 'Boat for Client' })
    expect((await api.getLeadScore({ id: carla.id as string })).items).toHaveLength(2)
    expect(await recordOf('leads', 'email = "wrong@dealer.example"')).toMatchObject({ status: 'new' })
    expect(await api.getLeadSettings({})).toMatchObject({
      response_minutes: 60,
      score_rules: [{ points: 20 }, { points: -5 }],
    })
    const visitor = await kith.send(`/public/forms/${website.form_id}/description`)
    expect(visitor.status).toBe(200)
  })

  test.runIf(hasRows(version, 'lead_destinations'))(
    'has its lead destinations, routes, deliveries and returns',
    async () => {
      const { items: destinations } = await api.listLeadDestinations({})
      expect(destinations.map(({ name, kind }) => [name, kind]).sort()).toEqual([
        ['Boat buyer', 'http'],
        ['By email', 'email'],
        ['Our team', 'members'],
        ['Picky buyer', 'http'],
        ['Sister company', 'kith'],
      ])
      const buyer = named(destinations, 'Boat buyer')
      expect(buyer).toMatchObject({ authentication: 'bearer', header_names: ['x-partner'], accepted_30d: 2 })
      const { items: routes } = await api.listLeadRoutes({})
      expect(routes.map(({ name, state }) => [name, state])).toEqual([
        ['Trial', 'test'],
        ['Sell boats', 'active'],
        ['Take turns', 'active'],
      ])
      expect(routes[1]!.targets[1]).toMatchObject({ price: 30, max_price: 40, caps: { day: 2, budget: 500 } })
      expect(routes[1]!.used.find((one) => one.destination_id === buyer.id)).toMatchObject({ total: 2 })
      expect(routes[2]!.schedule).toMatchObject({ days: ['monday', 'thursday'], closed: 'wait' })
      const { items: deliveries } = await api.listLeadDeliveries({ limit: 100 })
      const to = (name: string) => deliveries.filter((one) => one.destination_name === name)
      expect(to('Boat buyer')).toMatchObject([
        { state: 'accepted', price: 35 },
        { state: 'accepted', price: 35 },
      ])
      expect(to('Picky buyer').map(({ state, reason }) => [state, reason])).toEqual(
        Array(3).fill(['rejected', 'Outside our area']),
      )
      const { log } = await api.getLeadDelivery({ id: to('Boat buyer')[0]!.id })
      expect(log).toMatchObject([{ answer: { status: 200 }, result: 'accepted' }])
      const returns = (await api.listLeadReturns({})).items
      expect(returns.map(({ state, reason }) => [state, reason]).sort()).toEqual([
        ['accepted', 'bad_contact'],
        ['waiting', 'wrong_area'],
      ])
      const { lines } = await api.explainLeadRoute({ id: to('Boat buyer')[0]!.lead_id })
      expect(lines.length).toBeGreaterThan(2)
      expect((await api.testLeadDestination({ id: buyer.id, dry_run: true })).request.body).toContain('mail')
    },
  )

  test.runIf(hasRows(version, 'conversations'))('has its channels, conversations and messages', async () => {
    const { items: channels } = await api.listChannels({})
    expect(named(channels, 'Dockside app')).toMatchObject({ kind: 'api', agents: 'draft', hourly_limit: 50 })
    expect(named(channels, 'Website chat')).toMatchObject({ kind: 'chat' })
    const of = async (name: string) => {
      const { items } = await api.listConversations({ limit: 100 })
      return items.filter(({ participants }) => participants.some((one) => one.name === name)).toReversed()
    }
    const read = async (name: string, nth = 0) => api.getConversation({ id: (await of(name))[nth]!.id })
    const textsOf = ({ messages }: Awaited<ReturnType<typeof read>>) =>
      messages.filter(({ kind }) => kind !== 'event').map(({ text }) => text)

    const mia = await read('Mia Sommer')
    expect(textsOf(mia)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('urgent'),
        'On Friday',
        'From my phone: see you',
        'Shall we renew?',
      ]),
    )
    expect(mia.messages.find(({ text }) => text === 'On Friday')).toMatchObject({ earlier_texts: ['On Fridy'] })
    expect(mia.messages.find(({ text }) => text.startsWith('Of course'))).toMatchObject({ state: 'read' })
    expect(mia.messages.find(({ text }) => text === 'Shall we renew?')).toMatchObject({
      state: 'waiting',
      send_at: '2026-06-08T07:00:00.000Z',
      files: [{ name: 'route.txt' }],
    })
    expect(mia.links.map(({ title }) => title)).toEqual(expect.arrayContaining(['Mia Sommer', 'Service contract']))
    const labels = (await api.listConversationLabels({})).items
    expect(mia.conversation.label_ids).toEqual([named(labels, 'Urgent').id])
    expect(mia.conversation.scheduled_at).toBe('2026-06-08T07:00:00.000Z')

    const tom = await read('Tom Stern')
    expect(textsOf(tom)).toEqual(
      expect.arrayContaining(['Where is my invoice?', 'Here is the number: 4711', 'Here it is.']),
    )
    expect(tom.conversation).toMatchObject({
      label_ids: [named(labels, 'Billing').id],
      has_files: true,
      has_proposal: true,
    })
    expect(await of('Walt Two')).toHaveLength(2)
    expect((await read('Prize')).conversation.state).toBe('spam')
    expect((await read('Uma Closed')).conversation.state).toBe('closed')
    expect((await read('Vera Later')).conversation).toMatchObject({
      state: 'snoozed',
      snoozed_until: '2026-06-01T08:00:00.000Z',
    })
    const found = await api.listConversations({ q: 'invoice' })
    expect(found.items.map(({ id }) => id)).toContain(tom.conversation.id)

    const states = (await api.listProposals({})).items.map(({ state, note }) => [state, note])
    expect(states).toEqual([
      ['waiting', ''],
      ['rejected', 'Be more polite'],
      ['edited', ''],
    ])
    const templates = (await api.listMessageTemplates({})).items
    expect(named(templates, 'Welcome')).toMatchObject({ is_shared: true })
    expect((await api.fillMessageTemplate({ id: named(templates, 'Welcome').id, to: 'x' })).missing).toEqual([
      'first_name',
    ])
  })

  test.runIf(hasRows(version, 'inbox_rules'))('has its inbox rules, hours, targets and views', async () => {
    const { items: rules } = await api.listInboxRules({})
    expect(rules).toMatchObject([
      { name: 'Urgent', problem: null, run_count: 1 },
      { name: 'Greet', during: 'working_hours', problem: null },
    ])
    expect(rules[0]!.actions.map(({ kind }) => kind)).toEqual(['label', 'assign', 'task', 'notify'])
    const { hours, targets, channels } = await api.getWorkingHours({})
    expect(hours).toMatchObject({ days: { saturday: [] }, holidays: [{ name: 'Ascension Day' }] })
    expect(targets).toEqual({ response_minutes: 60, resolution_minutes: 480 })
    expect(named(channels, 'Dockside app').targets).toEqual({ response_minutes: 30, resolution_minutes: null })
    expect((await api.listInboxViews({})).items).toMatchObject([{ name: 'Urgent ones', filter_error: null }])
    expect((await member.listInboxViews({})).items.map(({ name }) => name).sort()).toEqual(['Mine', 'Urgent ones'])
    expect(await recordOf('tasks', 'title = "Call back"')).toMatchObject({ status: 'open' })
  })

  test.runIf(hasRows(version, 'chat_visitors'))('has its chats with visitors', async () => {
    const { items } = await api.listConversations({ q: 'harbor' })
    const known = items.find(({ preview }) => preview.includes('six'))!
    const { visitor } = await api.getConversationChat({ id: known.id })
    expect(visitor).toMatchObject({ email: 'maria@example.com', is_verified: true })
    const { messages } = await api.getConversation({ id: known.id })
    expect(messages.find(({ direction }) => direction === 'out')).toMatchObject({ state: 'read' })
  })

  test.runIf(hasRows(version, 'conversations'))('has what people merged and tidied up', async () => {
    const paul = await recordOf('people', 'last_name = Pier and first_name = Paul')
    expect(paul).toMatchObject({ emails: ['paul@pier.example', 'pp@pier.example'], job_title: 'Skipper' })
    expect(await recordOf('people', 'first_name = Paula')).toMatchObject({ emails: ['paula@pier.example'] })
    expect(await recordOf('notes', 'body ~ "Met at the fair"')).toMatchObject({ about: [{ id: paul.id }] })
    expect(await recordOf('organizations', 'name = "Pier & Partner"')).toMatchObject({
      domains: ['pier.example'],
      phone: '+49407654321',
    })
    const { items } = await api.listTrash({ q: 'Pier' })
    expect(items).toHaveLength(1)
  })
})
