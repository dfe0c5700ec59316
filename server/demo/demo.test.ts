import pino from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { auditActions } from '../../contract/audit.ts'
import { countryOfLanguage } from '../../contract/regions/countries.ts'
import { RecordRights } from '../../contract/shared/access.ts'
import { email, languages, personName } from '../../contract/shared/shapes.ts'
import { testApp } from '../../test/app.ts'
import { readPhone } from '../engine/values/phone.ts'
import { startWorker } from '../kernel/queue.ts'
import { demoSubscriptions, demoTasks } from './background-tasks.ts'
import { foreignHomes, homeOf, phoneIn } from './countries.ts'
import { beginAuditEarlier, fillCompany } from './fill.ts'
import { createOrganizations } from './organizations.ts'
import { createPeople } from './people.ts'
import { createRandom } from './random.ts'

const kith = await testApp({ openSignup: true, demo: true })

async function newCompany() {
  const admin = await kith.given.company()
  const fill = (seed = 'a seed') => fillCompany(kith.db, { company_id: admin.company_id, now: kith.time.now, seed })
  return { ...admin, fill, api: kith.withSession(await kith.given.session(admin)) }
}
type Api = Awaited<ReturnType<typeof newCompany>>['api']

/** Everything that an Admin finds. */
const allOf = async (api: Api) => ({
  users: (await api.listUsers({ state: 'all', limit: 100 })).items,
  roles: (await api.listRoles({})).items,
  audit: (await api.listAuditEvents({ limit: 100 })).items,
  notifications: (await api.listNotifications({ limit: 100 })).items,
})

describe('fictional people and organizations', () => {
  const home = homeOf('AT', 'de-AT')
  const people = createPeople(createRandom('x'), home, 200)

  test('are the same for the same seed, and different for another', () => {
    expect(createPeople(createRandom('x'), home, 200)).toEqual(people)
    expect(createPeople(createRandom('y'), home, 200)).not.toEqual(people)
  })

  test.each(languages)('have valid names, unique addresses and real phone formats in %s', (language) => {
    const country = countryOfLanguage(language)!
    const home = homeOf(country, language)
    expect(home.country).toBe(country)
    const people = createPeople(createRandom('x'), home, 200)
    for (const { name, mailbox } of people) {
      expect(personName.parse(name)).toBe(name)
      expect(email.parse(`${mailbox}@acme.example`)).toBe(`${mailbox}@acme.example`)
    }
    expect(new Set(people.map((person) => person.mailbox)).size).toBe(people.length)
    const organizations = createOrganizations(createRandom('x'), home, 30)
    expect(new Set(organizations.map(({ domain }) => domain)).size).toBe(30)
    expect(new Set(organizations.map(({ name }) => name)).size).toBe(30)
    expect(organizations.filter(({ domain }) => !/^[a-z0-9-]+\.example$/.test(domain))).toEqual([])
    const abroad = foreignHomes(home, 8)
    expect(new Set(abroad.map(({ country }) => country)).size).toBe(8)
    for (const one of [home, ...abroad]) expect(readPhone(phoneIn(createRandom('x'), one), {})).toMatch(/^\+/)
  })

  test('a country without data falls back to the language', () => {
    expect(homeOf('KE', 'en-GB').country).toBe('US')
    expect(homeOf('BE', 'fr-FR')).toMatchObject({ country: 'BE', culture: { language: 'fr-FR' } })
    expect(homeOf('DE', 'en-US')).toMatchObject({ country: 'DE', culture: { language: 'de-DE' } })
  })
})

test('a new company gets colleagues, roles, an agent, news and a history', async () => {
  const { fill, api, company_id } = await newCompany()
  expect(await fill()).toBe(true)
  const { users, roles, audit, notifications } = await allOf(api)

  const people = users.filter(({ kind, name }) => kind === 'person' && name !== 'Ada Admin')
  expect(people.filter(({ state }) => state === 'invited').map(({ role }) => role)).toEqual(['Read only'])
  expect(people.filter(({ state, last_seen_at }) => state === 'active' && last_seen_at)).toHaveLength(5)
  const { created_at } = await api.getCompany({})
  expect(
    audit.filter(({ at }) => at < created_at),
    'nothing happened before there was a company',
  ).toEqual([])
  expect(users.find((user) => user.kind === 'agent')).toMatchObject({ name: 'Scout', role: 'Research agent' })
  const rights = Object.fromEntries(roles.map((role) => [role.name, RecordRights.parse(role.records)['*']]))
  expect(rights['Sales rep']).toMatchObject({ edit: 'own' })
  expect(rights['Read only']).toMatchObject({ read: 'all', create: false, edit: 'none', delete: 'none' })
  expect(rights['Research agent']).toMatchObject({ read: 'none' })
  expect(roles.filter((role) => role.user_count === 0)).toEqual([])

  expect(audit.length).toBeGreaterThan(25)
  expect(audit.every((entry) => (auditActions as readonly string[]).includes(entry.action) && entry.actor_name)).toBe(
    true,
  )
  const ages = audit.map(({ at }) => (kith.time.now.getTime() - Date.parse(at)) / 86_400_000)
  expect(ages).toEqual(ages.toSorted((a, b) => a - b))
  expect(Math.min(...ages)).toBeGreaterThan(0)
  expect(Math.max(...ages)).toBeGreaterThan(50)
  const known = [...users, ...roles, ...(await api.listCompanyApiKeys({})).items].map(({ id }) => id)
  const targets = audit.flatMap(({ target_id }) => target_id ?? [])
  expect(targets.filter((id) => !known.includes(id) && id !== company_id)).toEqual([])

  const { checklist } = await api.queryDashboard({ id: 'default' })
  expect(checklist.filter(({ is_done }) => is_done)).toEqual([])

  expect(notifications.length).toBeGreaterThan(3)
  expect(new Set(notifications.map((one) => one.is_read))).toEqual(new Set([true, false]))
  expect(notifications.map((one) => one.text).join()).not.toMatch(/Someone|undefined/)
})

test('a new company gets a sales team at work, and an agent whose mistake an Admin can undo', async () => {
  const { fill, api } = await newCompany()
  await fill()
  const count = async (object: string, filter?: string) => (await api.countRecords({ object, filter })).count
  const counts = { organizations: 36, people: 141, deals: 31, leads: 15, tasks: 44, notes: 26, activities: 30 }
  for (const [object, expected] of Object.entries(counts)) {
    const { records } = await api.queryRecords({ object, limit: 100 })
    expect([object, await count(object)]).toEqual([object, expected])
    expect(new Set(records.map((record) => record.owner)).size).toBeGreaterThan(3)
    for (const { created_at, updated_at } of records) {
      expect((updated_at as string) >= (created_at as string)).toBe(true)
      expect(kith.time.now.getTime() - Date.parse(updated_at as string)).toBeGreaterThan(0)
      expect(kith.time.now.getTime() - Date.parse(created_at as string)).toBeLessThan(60 * 86_400_000)
    }
  }
  expect(await count('leads', 'status = converted and converted_deal is not empty')).toBe(1)
  expect(await count('leads', 'first_response_at is empty and response_due_at < now')).toBeGreaterThan(0)
  const submissions = await api.listLeadSubmissions({ limit: 100 })
  for (const state of ['lead', 'spam', 'failed']) expect(submissions.items.map((one) => one.state)).toContain(state)
  const { rows: partners } = await api.getLeadSendingReport({ since: '-60d' })
  expect(partners.map(({ name }) => name).sort()).toEqual(['Lakeside Consulting', 'Meridian Partners'])
  for (const { accepted, revenue } of partners) expect(accepted * revenue).toBeGreaterThan(0)
  expect((await api.listLeadReturns({})).items.map(({ state }) => state).sort()).toEqual(['accepted', 'waiting'])
  expect(await count('leads', 'sending = returned')).toBe(1)
  for (const stage of ['qualified', 'proposal', 'negotiation', 'won', 'lost'])
    expect(await count('deals', `stage = ${stage}`)).toBeGreaterThan(1)
  expect(await count('people', 'organization is empty or emails is empty')).toBe(0)
  expect(await count('people', 'tags has any (vip)')).toBeGreaterThan(1)
  expect([await count('products'), await count('deal_lines')]).toEqual([4, 30])
  const { records: lines } = await api.queryRecords({ object: 'deal_lines', limit: 100 })
  expect(lines.filter(({ deal, product }) => !deal || !product)).toEqual([])
  for (const state of ['status = done', 'status = open and due_at < today', 'status = open and due_at > today'])
    expect(await count('tasks', state)).toBeGreaterThan(1)

  const { items } = await api.listChanges({ client: 'claude-code', limit: 100, max_changes: 100 })
  expect(new Set(items.map(({ door, actor_name }) => `${actor_name} ${door}`))).toEqual(new Set(['Scout mcp']))
  const mistake = items.find(({ changes }) => changes[0]!.fields.do_not_contact)!
  expect(await count('people', 'do_not_contact = true')).toBe(mistake.changes.length)
  const undone = await api.undoChanges({ change_set_ids: [mistake.id] })
  expect(undone).toMatchObject({ undone: mistake.changes.length, left: [] })
  expect(await count('people', 'do_not_contact = true')).toBe(0)
})

test('a new company has working hours, and a report about the inbox with several people, channels and weeks', async () => {
  const { fill, api } = await newCompany()
  await fill()
  const dayOf = (days: number) => new Date(kith.time.now.getTime() - days * 86_400_000).toISOString().slice(0, 10)
  const { total, days, members, channels } = await api.getInboxReport({ from: dayOf(30), to: dayOf(0) })
  expect(total.received).toBeGreaterThan(40)
  expect(total.in_time / total.with_target).toBeGreaterThan(0.5)
  for (const key of ['response_missed', 'resolution_missed', 'response_median', 'resolution_median'] as const)
    expect([key, total[key]! > 0]).toEqual([key, true])
  expect(days.filter(({ received }) => received).length).toBeGreaterThan(15)
  expect(members.filter(({ answered }) => answered).length).toBeGreaterThan(3)
  expect(channels.map(({ name }) => name).toSorted()).toEqual(['Sales', 'Support'])
  const { items } = await api.listNotifications({})
  expect(items.filter(({ kind }) => kind === 'conversation_overdue')).toEqual([])
  const { items: closed } = await api.listConversations({ filter: 'state = closed and is_overdue = true' })
  expect(closed).toEqual([])
})

test('most records fit the country of the company, the newest ones first', async () => {
  const { fill, api } = await newCompany()
  await api.updateCompany({ country: 'AT', language: 'de-AT', currency: 'EUR' })
  await fill()
  const { records: people } = await api.queryRecords({ object: 'people', limit: 100 })
  expect(people.slice(0, 50).filter(({ country }) => country !== 'AT')).toEqual([])
  const count = async (object: string, filter?: string) => (await api.countRecords({ object, filter })).count
  const [home, all] = [await count('organizations', 'country = AT'), await count('organizations')]
  expect(all - home).toBe(8)
  expect(
    people.flatMap(({ phones }) => (phones as string[]) ?? []).filter((phone) => !phone.startsWith('+43')),
  ).toEqual([])
  const { users } = await allOf(api)
  const german = /^(Jürgen|Anneliese|Björn|Käthe|Matthias|Frieda|Sören|Lena|Katharina|Tobias|Johanna|Florian) /
  expect(users.filter(({ name }) => german.test(name))).toHaveLength(6)
  const { records: products } = await api.queryRecords({ object: 'products' })
  expect(products.map(({ price }) => (price as { currency: string }).currency)).toEqual(['EUR', 'EUR', 'EUR', 'EUR'])
})

test('prices follow the currency of the company, and other currencies can be converted', async () => {
  const { fill, api } = await newCompany()
  await api.updateCompany({ country: 'JP', language: 'ja-JP', currency: 'JPY' })
  await fill()
  const { records } = await api.queryRecords({ object: 'products', filter: 'sku = PILOT' })
  expect(Number((records[0]!.price as { amount: string }).amount)).toBeGreaterThan(100_000)
  expect((await api.getCompany({})).rates.map(({ currency }) => currency).sort()).toEqual(['EUR', 'GBP', 'USD'])
})

test('nothing contradicts itself', async () => {
  const { fill, api, company_id } = await newCompany()
  await fill()
  await beginAuditEarlier(kith.ownerDb, { company_id, now: kith.time.now })
  const { users, audit } = await allOf(api)
  const { created_at } = await api.getCompany({})
  expect(audit.filter(({ at }) => at < created_at)).toEqual([])
  const actors = users.filter(({ id }) =>
    audit.some(({ actor_id, action }) => actor_id === id && action.startsWith('session')),
  )
  expect(actors.length).toBeGreaterThan(1)
  for (const { id, created_at, last_seen_at } of actors) {
    const acts = audit.filter(({ actor_id }) => actor_id === id).map(({ at }) => at)
    expect(acts.filter((at) => at < created_at!)).toEqual([])
    const signedIn = audit.filter(({ actor_id, action }) => actor_id === id && action === 'session.started')
    expect(signedIn.filter(({ at }) => at > last_seen_at!)).toEqual([])
  }
  const all = async (object: string) => (await api.queryRecords({ object, limit: 100 })).records
  for (const deal of await all('deals')) {
    if (deal.status === 'won') expect(deal).toMatchObject({ probability: 100 })
    if (deal.status === 'lost') expect(deal).toMatchObject({ probability: 0, lost_reason: expect.any(String) })
    if (deal.status === 'open') continue
    expect((deal.closed_at as string).slice(0, 10)).toBe(deal.expected_close)
    expect((deal.closed_at as string) > (deal.created_at as string)).toBe(true)
  }
  expect((await all('tasks')).filter(({ assignee }) => !assignee)).toEqual([])
  const active = await api.countRecords({ object: 'organizations', filter: 'last_activity_at is not empty' })
  expect(active.count).toBeGreaterThan(10)
})

test('the demo adds no Admin, so the last one who can sign in is not replaced by one who cannot', async () => {
  const { fill, api, user_id } = await newCompany()
  await fill()
  await expect(api.updateUserRole({ id: user_id, role: 'Member' })).toBeRefused(409)
})

test('the same seed gives the same data, except for IDs and the domain of addresses', async () => {
  const [one, two, other] = await Promise.all([newCompany(), newCompany(), newCompany()])
  await one.fill('x')
  await two.fill('x')
  await other.fill('y')
  const seen = async (api: Api) => {
    const { users, audit, notifications } = await allOf(api)
    const idsOut = (_: string, value: unknown) => (/^[0-9a-f-]{36}$/.test(String(value)) ? 'an id' : value)
    const recordsOf = async (object: string) => (await api.queryRecords({ object, limit: 100 })).records
    const records = await Promise.all(['people', 'deals', 'tasks', 'notes', 'activities', 'leads'].map(recordsOf))
    return {
      records: JSON.parse(JSON.stringify(records, idsOut)),
      users: users
        .map(({ name, role, email }) => [name, role, email?.split('@')[0]])
        .filter(([name]) => name !== 'Ada Admin'),
      audit: audit.map(({ at, action }) => [at, action]),
      notifications: notifications.map(({ text }) => text),
    }
  }
  const first = await seen(one.api)
  expect(await seen(two.api)).toEqual(first)
  expect((await seen(other.api)).users).not.toEqual(first.users)
})

test('a company is filled once, even with two concurrent calls', async () => {
  const { fill, api } = await newCompany()
  expect((await Promise.all([fill(), fill()])).sort()).toEqual([false, true])
  const before = await allOf(api)
  expect(await fill('another seed')).toBe(false)
  expect(await allOf(api)).toEqual(before)
})

test('a company that is already in use is not filled', async () => {
  const { fill, api, ...admin } = await newCompany()
  await kith.given.user(admin)
  expect(await fill()).toBe(false)
  expect((await allOf(api)).roles).toHaveLength(2)
})

test('no one can sign in as a demo colleague', async () => {
  const { fill, api } = await newCompany()
  await fill()
  const { users } = await allOf(api)
  for (const { email } of users.filter((user) => user.kind === 'person' && user.name !== 'Ada Admin'))
    await expect(kith.visitor.signIn({ email: email!, password: 'correct horse' })).toBeRefused(401)
})

describe('the job', async () => {
  const worker = await startWorker(
    { pool: kith.pool, db: kith.db, log: pino({ level: 'silent' }), clock: () => kith.time.now },
    demoTasks({ demo: true, ownerDb: kith.ownerDb }),
    demoSubscriptions,
  )
  afterAll(() => worker.stop())
  kith.onCommit(worker.wake)

  test('fills a new company before its first page is shown', async () => {
    const form = {
      company_name: 'Öl & Söhne',
      name: 'Eva',
      email: 'eva@example.com',
      password: 'correct horse battery',
    }
    const answer = await kith.send('/app/api/sign-up', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(form),
    })
    expect(answer.status).toBe(201)
    const eva = kith.withSession(/kith_session=([^;]+)/.exec(answer.headers.get('set-cookie')!)![1]!)
    const items = (await eva.listUsers({ state: 'all' })).items.filter(({ email }) => email?.endsWith('.example'))
    expect(items).toHaveLength(6)
    expect(items[0]!.email).toMatch(/@l-s-hne-\w{6}\.example$/)
  })

  test('fills no company unless DEMO is set', async () => {
    const { company_id, api } = await newCompany()
    await demoTasks({ demo: false, ownerDb: kith.ownerDb }).fill_demo!.run(
      { db: kith.db, now: kith.time.now } as never,
      { company_id } as never,
    )
    expect((await allOf(api)).users).toHaveLength(1)
  })
})
